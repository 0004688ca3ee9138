/**
 * Text that arrives as chunks, as the complete text so far, or as both, without any indication. Emitted text is never
 * withdrawn. Source: `docs/protocols/json-stream.md`.
 */
export interface IncrementalText {
  /**
   * Returns the new text of a value. `ends`: the value came with an end signal, so it may repeat the complete text.
   */
  take(value: string, ends: boolean): string;
  /** Returns the new text of a value that may be the complete text; undefined if it is other text. */
  takeComplete(value: string): string | undefined;
  /** Returns the buffered text. */
  flush(): string;
  readonly isEmpty: boolean;
}

/**
 * A chunk of at least this length that equals all text so far is the complete text. A shorter one may be a repeated
 * word.
 */
const MIN_REPEATED_LENGTH = 12;

export function makeIncrementalText(): IncrementalText {
  let text = '';
  let chunkCount = 0;
  /** The start of the text that no complete text has repeated yet: a reply of several messages repeats each of them. */
  let sectionStart = 0;
  let mode: 'pieces' | 'whole' | undefined;
  /** The second value, if it starts with the first. The third value reveals whether that was a coincidence. */
  let buffered: string | undefined;

  const add = (chunk: string): string => {
    text += chunk;
    chunkCount++;
    return chunk;
  };
  const addRest = (value: string): string => (value.length > text.length ? add(value.slice(text.length)) : '');
  const isRepetition = (value: string, ends: boolean): boolean =>
    chunkCount > 1 && (ends || value.length >= MIN_REPEATED_LENGTH) && sameText(value, text);

  function takeChunk(value: string, ends: boolean): string {
    if (isRepetition(value, ends)) return '';
    if (ends && chunkCount > 1 && value.length > text.length && value.startsWith(text)) return addRest(value);
    return add(value);
  }

  return {
    take(value, ends) {
      if (value === '') return '';
      if (mode === 'whole') return addRest(value);
      if (mode === 'pieces' || chunkCount === 0) return takeChunk(value, ends);
      if (buffered === undefined) {
        if (value.length > text.length && value.startsWith(text)) {
          buffered = value;
          return '';
        }
        mode = 'pieces';
        return takeChunk(value, ends);
      }
      const before = buffered;
      buffered = undefined;
      if (value.startsWith(before)) {
        mode = 'whole';
        return addRest(value);
      }
      mode = 'pieces';
      return add(before) + takeChunk(value, ends);
    },
    takeComplete(value) {
      const known = buffered ?? text;
      const isKnown = [known, known.slice(sectionStart)].some((part) => part !== '' && sameText(value, part));
      const newText = text === '' ? add(value) : isKnown ? '' : undefined;
      if (newText !== undefined) {
        sectionStart = Math.max(text.length, known.length);
        return newText;
      }
      if (!value.startsWith(known)) return undefined;
      buffered = undefined;
      mode = 'whole';
      return addRest(value);
    },
    flush() {
      const value = buffered ?? '';
      buffered = undefined;
      return value === '' ? '' : addRest(value);
    },
    get isEmpty() {
      return chunkCount === 0;
    },
  };
}

/** Compares without surrounding white space. The lengths are compared first, which is faster. */
const sameText = (one: string, two: string): boolean =>
  Math.abs(one.length - two.length) < 64 && one.trim() === two.trim();
