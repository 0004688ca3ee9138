/** Plain text, streamed unchanged. Reasoning at the start is in think tags, as models send it. */
import { play, sayPieces, type Protocol } from '../play.ts';

export const text: Protocol = {
  contentType: 'text/plain; charset=utf-8',
  // No text is malformed; a byte that is invalid UTF-8 comes closest.
  broken: new Uint8Array([0xff]),

  async answer(exchange) {
    const { wire } = exchange;
    const say = (words: string): Promise<void> => sayPieces(words, exchange, (piece) => wire.send(piece));
    let begun = false;
    await play(exchange, {
      async think(step) {
        if (!begun) await say(`<think>\n${step.text}\n</think>\n\n`);
        begun = true;
      },
      async text(step) {
        begun = true;
        await say(step.text);
      },
    });
    await wire.end();
  },
};
