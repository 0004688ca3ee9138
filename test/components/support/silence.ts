const RATE = 8000;

/** One second of silence for an audio block: WAV with one channel, 8 bits. */
export const silence: { readonly data: string; readonly mimeType: string } = {
  data: btoa(wave()),
  mimeType: 'audio/wav',
};

function wave(): string {
  const number = (value: number, bytes: number): string =>
    Array.from({ length: bytes }, (_, place) => String.fromCharCode((value >> (8 * place)) & 255)).join('');
  const format = `fmt ${number(16, 4)}${number(1, 2)}${number(1, 2)}${number(RATE, 4)}${number(RATE, 4)}${number(1, 2)}${number(8, 2)}`;
  const body = `WAVE${format}data${number(RATE, 4)}${'\u0080'.repeat(RATE)}`;
  return `RIFF${number(body.length, 4)}${body}`;
}
