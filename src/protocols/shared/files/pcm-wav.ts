import type { LLMAgentEventData } from '../../../model/events/agent-events.ts';

/** The audio format of OpenAI's streams: one channel of 16-bit samples at this rate in Hz. */
const RATE = 24_000;
const HEADER = 44;

/** Returns the media event for the received audio; empty when there is none or it is invalid. */
export function audioEvents(chunks: readonly string[]): readonly Pick<LLMAgentEventData, 'media'>[] {
  const data = chunks.length > 0 ? pcmToWav(chunks) : undefined;
  return data === undefined ? [] : [{ media: { kind: 'audio', data, mimeType: 'audio/wav' } }];
}

/** Converts base64 chunks of raw samples to one base64 WAV file. Returns undefined when a chunk is not base64. */
export function pcmToWav(chunks: readonly string[]): string | undefined {
  try {
    const samples = chunks.map(atob).join('');
    return btoa(header(samples.length) + samples);
  } catch {
    return undefined;
  }
}

/** Source: https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html */
function header(length: number): string {
  const bytes = new Uint8Array(HEADER);
  const view = new DataView(bytes.buffer);
  const writeTag = (offset: number, letters: string): void => {
    bytes.set(new TextEncoder().encode(letters), offset);
  };
  writeTag(0, 'RIFF');
  view.setUint32(4, HEADER - 8 + length, true);
  writeTag(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  writeTag(36, 'data');
  view.setUint32(40, length, true);
  return String.fromCharCode(...bytes);
}
