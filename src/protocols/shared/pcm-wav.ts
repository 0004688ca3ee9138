import type { LLMAgentEventData } from '../../model/agent-events.ts';

/** The sound of OpenAI's streams: one channel of 16-bit samples. */
const RATE = 24_000;
const HEADER = 44;

/** What is told of the sound that has come; nothing where none has, or what came is none. */
export function recordingOf(pieces: readonly string[]): readonly Pick<LLMAgentEventData, 'media'>[] {
  const data = pieces.length > 0 ? pcmToWav(pieces) : undefined;
  return data === undefined ? [] : [{ media: { kind: 'audio', data, mimeType: 'audio/wav' } }];
}

/** Pieces of raw samples in base64 as one recording that a browser can play, in base64; undefined when one is not base64. */
export function pcmToWav(pieces: readonly string[]): string | undefined {
  try {
    const samples = pieces.map(atob).join('');
    return btoa(header(samples.length) + samples);
  } catch {
    return undefined;
  }
}

/** Source: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
function header(length: number): string {
  const bytes = new Uint8Array(HEADER);
  const view = new DataView(bytes.buffer);
  const name = (place: number, letters: string): void => {
    bytes.set(new TextEncoder().encode(letters), place);
  };
  name(0, 'RIFF');
  view.setUint32(4, HEADER - 8 + length, true);
  name(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  name(36, 'data');
  view.setUint32(40, length, true);
  return String.fromCharCode(...bytes);
}
