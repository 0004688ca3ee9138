/** Maximum length of a name in a sentence (characters). Where a name matters, the card shows all of it below. */
const NAME_LENGTH = 60;

/**
 * A name from the agent for use in a sentence: without characters that end a quotation or a sentence, so that it cannot
 * add one.
 */
export function inSentence(name: string): string {
  const cleaned = name.replace(SENTENCE_MARKS, ' ').replace(/\s+/g, ' ').trim();
  return cleaned.length > NAME_LENGTH ? `${cleaned.slice(0, NAME_LENGTH)}…` : cleaned;
}
/** Also signs that look like quotation marks, and full stops of other scripts. */
const SENTENCE_MARKS =
  /[\p{Pi}\p{Pf}"'`´„‚「」『』＂＇｀〝〞〟〃′-‷ʹʺʼ\u02ddˮ׳״❛-❠?!？！‼⁇-⁉﹖﹗。｡؟¿¡\p{Cc}\p{Zl}\p{Zp}]|[.:;․‥．﹒۔։܁܂ꓸ：﹕；﹔;∶꞉ː।॥።](?=\s|$)/gu;
