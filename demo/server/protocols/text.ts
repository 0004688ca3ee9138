/** Plain text, streamed unchanged. Reasoning at the start is in think tags, as models send it. */
import { play, streamChunks, type Protocol } from '../play.ts';

export const text: Protocol = {
  contentType: 'text/plain; charset=utf-8',
  // No text is malformed; a byte that is invalid UTF-8 comes closest.
  broken: new Uint8Array([0xff]),

  async answer(exchange) {
    const { wire } = exchange;
    const emit = (words: string): Promise<void> => streamChunks(words, exchange, (chunk) => wire.send(chunk));
    let hasStarted = false;
    await play(exchange, {
      async think(step) {
        if (!hasStarted) await emit(`<think>\n${step.text}\n</think>\n\n`);
        hasStarted = true;
      },
      async text(step) {
        hasStarted = true;
        await emit(step.text);
      },
    });
    await wire.end();
  },
};
