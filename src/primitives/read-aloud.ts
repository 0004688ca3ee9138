/** Text to speech by the browser, one text at a time on the whole page. */

/** Longer ones are cut off by some voices. */
const PART = 200;

/** Where one part may end and the next begin, without a breath in the middle of a word. */
const PARTS = new RegExp(String.raw`[\s\S]{1,${String(PART)}}(?:[.!?。！？\n]|\s|$)|[\s\S]{1,${String(PART)}}`, 'g');

export const canSpeak = (): boolean => 'speechSynthesis' in globalThis;

/** Reads a text, after ending what is being read. `ended` is told when it is over, however. */
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
  if (parts.length === 0) end();
  return {
    stop() {
      speechSynthesis.cancel();
      end();
    },
  };
}
