/** Speech synthesis with the browser's voices, one text at a time per page. */

/** Maximum length of an utterance (characters): some voices cut off longer ones. */
const PART = 200;

/** Splits after sentences and at spaces, not inside a word. */
const PARTS = new RegExp(String.raw`[\s\S]{1,${String(PART)}}(?:[.!?。！？\n]|\s|$)|[\s\S]{1,${String(PART)}}`, 'g');

export const supportsReadAloud = (): boolean => 'speechSynthesis' in globalThis;

/** Reads a text aloud and stops the previous one. `ended` is called at the end, for any reason, but not before the return. */
export function readAloud(text: string, language: string, ended: () => void): { stop(): void } {
  speechSynthesis.cancel();
  const parts = (text.match(PARTS) ?? []).map((part) => {
    const utterance = new SpeechSynthesisUtterance(part);
    utterance.lang = language;
    return utterance;
  });
  let over = false;
  const end = (): void => {
    if (over) return;
    over = true;
    ended();
  };
  for (const utterance of parts) {
    utterance.addEventListener('error', end);
    speechSynthesis.speak(utterance);
  }
  parts.at(-1)?.addEventListener('end', end);
  if (parts.length === 0) queueMicrotask(end);
  return {
    stop() {
      speechSynthesis.cancel();
      end();
    },
  };
}
