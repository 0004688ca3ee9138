/** Speech recognition with the Web Speech API, if available. Some browsers send the audio to their vendor. */

/** The part of the Web Speech API in use; TypeScript's library has no types for it. */
interface Recogniser extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}
type Results = Event & {
  readonly results: Iterable<ArrayLike<{ readonly transcript: string }> & { readonly isFinal: boolean }>;
};
type Failure = Event & { readonly error: string };

const recogniserOf = (): (new () => Recogniser) | undefined => {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as unknown as Record<
    string,
    (new () => Recogniser) | undefined
  >;
  return SpeechRecognition ?? webkitSpeechRecognition;
};

export const supportsDictation = (): boolean => recogniserOf() !== undefined;

export interface DictationHost {
  /** Receives all text recognized since the start. */
  onText(text: string): void;
  /** Called at the end. `problem`: `denied` by the user or the page, or `failed`. */
  onEnd(problem?: 'denied' | 'failed'): void;
}

/** Starts one dictation. It ends automatically after a long silence. */
export function startDictation(language: string, host: DictationHost): { stop(): void } {
  const Recognition = recogniserOf();
  if (!Recognition) throw new Error('This browser has no speech recognition.');
  const recogniser = new Recognition();
  recogniser.lang = language;
  recogniser.continuous = true;
  recogniser.interimResults = true;
  let problem: 'denied' | 'failed' | undefined;
  recogniser.addEventListener('result', (event) => {
    host.onText([...(event as Results).results].map((result) => result[0]?.transcript ?? '').join(''));
  });
  recogniser.addEventListener('error', (event) => {
    const { error } = event as Failure;
    if (error === 'not-allowed' || error === 'service-not-allowed') problem = 'denied';
    else if (error !== 'aborted' && error !== 'no-speech') problem = 'failed';
  });
  recogniser.addEventListener('end', () => {
    host.onEnd(problem);
  });
  recogniser.start();
  let isStopped = false;
  return {
    // Pending results arrive after `stop`: calling it again for each of them would never end.
    stop() {
      if (isStopped) return;
      isStopped = true;
      recogniser.stop();
    },
  };
}
