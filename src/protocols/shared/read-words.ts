/**
 * Frames that are words alone, without parsing each. Nearly every frame of a reply is the one before it with other words in one
 * place, and the same text before them and behind them: what one of them says but for its words, all of them say.
 */
import { parseJson } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Report } from '../adapter.ts';
import { readJsonFrames, type JsonFrame } from './read-frames.ts';

/** A frame that is no more than some words, and what else is to be known of it. */
export interface Words<Facts> {
  readonly words: string;
  readonly facts: Facts;
}

export interface WordFrame<Facts> extends Words<Facts> {
  readonly frame: Frame;
}

/** What frames that are alike have in common. */
interface Form<Facts> {
  readonly event: string | undefined;
  /** Up to the words, with the quote before them. */
  readonly before: string;
  /** From the quote behind the words. */
  readonly behind: string;
  readonly facts: Facts;
}

/** So often a form is looked for in vain before that is done with every so many frames only. */
const TRIES = 8;
const EVERY = 64;
/** What may stand between two quotes as it is. */
const PLAIN = /^[^"\\\p{Cc}]*$/u;
/** In the place of the words, to see whether that is their place. */
const PROBE = 'agent-chat:words';

/**
 * Makes a reader of a reply's frames.
 *
 * @param wordsOf - the words of a frame that says nothing else. It may look at anything of the frame but at what its words are.
 */
export function readerOfWords<Facts>(
  wordsOf: (json: unknown, frame: Frame) => Words<Facts> | undefined,
  report: Report,
): (frames: readonly Frame[]) => readonly (WordFrame<Facts> | JsonFrame)[] {
  let form: Form<Facts> | undefined;
  let tries = TRIES;
  let count = 0;

  const learn = (frame: Frame, words: string): void => {
    if (form && isOfForm(form, frame)) return;
    if (tries === 0 && ++count % EVERY !== 0) return;
    tries = Math.max(0, tries - 1);
    form = formOf(frame, words, wordsOf) ?? form;
  };
  return (frames) => {
    const read: (WordFrame<Facts> | JsonFrame)[] = [];
    for (const frame of frames) {
      const words = form && isOfForm(form, frame) ? wordsIn(form, frame.data) : undefined;
      if (form && words !== undefined) {
        tries = TRIES;
        read.push({ words, facts: form.facts, frame });
        continue;
      }
      for (const parsed of readJsonFrames([frame], report)) {
        const said = wordsOf(parsed.json, parsed.frame);
        read.push(said ? { ...said, frame: parsed.frame } : parsed);
        if (said) learn(parsed.frame, said.words);
      }
    }
    return read;
  };
}

/** (Compared as pieces of the text: `startsWith` looks at one character after the other, and takes as long as parsing.) */
function isOfForm<Facts>({ event, before, behind }: Form<Facts>, { event: name, data }: Frame): boolean {
  if (name !== event || data.length < before.length + behind.length) return false;
  const [head, tail] = [data.slice(0, before.length), data.slice(data.length - behind.length)];
  return head === before && tail === behind;
}

/** What stands between two quotes, or undefined where that is no string, or more than one. */
function wordsIn<Facts>({ before, behind }: Form<Facts>, data: string): string | undefined {
  const text = data.slice(before.length, data.length - behind.length);
  if (PLAIN.test(text)) return text;
  const words = parseJson(`"${text}"`);
  return typeof words === 'string' ? words : undefined;
}

function formOf<Facts>(
  frame: Frame,
  words: string,
  wordsOf: (json: unknown, frame: Frame) => Words<Facts> | undefined,
): Form<Facts> | undefined {
  const { data, event } = frame;
  if (!PLAIN.test(words)) return undefined;
  // The same text may stand elsewhere too, such as in an id: where it is the words, others in its place are read as the words.
  for (let at = data.lastIndexOf(`"${words}"`); at > 0; at = data.lastIndexOf(`"${words}"`, at - 1)) {
    const [before, behind] = [data.slice(0, at + 1), data.slice(at + 1 + words.length)];
    const said = wordsOf(parseJson(before + PROBE + behind), frame);
    if (said?.words === PROBE) return { event, before, behind, facts: said.facts };
  }
  return undefined;
}
