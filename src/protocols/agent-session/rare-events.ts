/** The `final_answer` of older session events. It is loaded with the first, which few servers send. */

export interface TextSoFar {
  readonly fullText: string;
  readonly section: string;
  readonly isSectionOver: boolean;
}

/**
 * The part of a final answer that the text so far does not have. It may repeat all of the text, that after the last tool, or
 * its last sentences, and may continue it. Otherwise it is a paragraph of its own: a short answer may be the last word of
 * the text by chance.
 */
export function newTextOf(answer: string, { fullText, section, isSectionOver }: TextSoFar): string {
  const words = withoutSpace(answer);
  if (words === '' || words === withoutSpace(fullText) || words === withoutSpace(section)) return '';
  if (endsWithSentences(section, answer.trim())) return '';
  const known = [fullText, section].find((text) => text !== '' && answer.startsWith(text));
  if (known !== undefined) return answer.slice(known.length);
  return section === '' || isSectionOver || /\s$/.test(section) || /^\s/.test(answer) ? answer : `\n\n${answer}`;
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

/** What may precede a sentence: a line end, or the end of another sentence. */
const SENTENCE_START = /(?:^|\n|[.!?…:]["')\]”’»]{0,3}\s|[。！？：])\s{0,8}$/u;

/** Whether the last sentences of a text are these. */
function endsWithSentences(text: string, sentences: string): boolean {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(sentences) && SENTENCE_START.test(trimmed.slice(0, -sentences.length).slice(-16));
}
