/** Speech to text by the browser's own recogniser, where it has one. Some browsers send what they hear to their maker. */

/** What is used of the Web Speech API, which TypeScript's library does not know. */
interface Recogniser extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}
type Results = Event & {
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }> & { readonly isFinal: boolean }>;
};
type Failure = Event & { readonly error: string };

const recogniserOf = (): (new () => Recogniser) | undefined => {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as unknown as Record<
    string,
    (new () => Recogniser) | undefined
  >;
  return SpeechRecognition ?? webkitSpeechRecognition;
};

export const canDictate = (): boolean => recogniserOf() !== undefined;

export interface DictationHost {
  /** All that was understood since it began. */
  heard(words: string): void;
  /** It has ended; `problem` when it can't hear: `denied` by the reader or the page, or `failed`. */
  ended(problem?: 'denied' | 'failed'): void;
}

/** One dictation. It ends by itself when the reader is silent for long. */
export function dictate(language: string, host: DictationHost): { stop(): void } {
  const Recognition = recogniserOf();
  if (!Recognition) throw new Error('This browser has no recogniser of speech.');
  const recogniser = new Recognition();
  recogniser.lang = language;
  recogniser.continuous = true;
  recogniser.interimResults = true;
  let problem: 'denied' | 'failed' | undefined;
  recogniser.addEventListener('result', (event) => {
    host.heard(Array.from((event as Results).results, (result) => result[0]?.transcript ?? '').join(''));
  });
  recogniser.addEventListener('error', (event) => {
    const { error } = event as Failure;
    if (error === 'not-allowed' || error === 'service-not-allowed') problem = 'denied';
    else if (error !== 'aborted' && error !== 'no-speech') problem = 'failed';
  });
  recogniser.addEventListener('end', () => {
    host.ended(problem);
  });
  recogniser.start();
  return {
    stop() {
      recogniser.stop();
    },
  };
}
