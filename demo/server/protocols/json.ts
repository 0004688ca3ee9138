/** One JSON document as the complete reply, after a delay. */
import { play, streamChunks, usageOf, type Protocol } from '../play.ts';

/** The number of parts in which the document is sent, so that it can be cut in the middle. */
const PARTS = 24;

export const json: Protocol = {
  contentType: 'application/json',
  // Neither inside a string nor between two values.
  broken: '"]}',

  async answer(exchange) {
    const { wire } = exchange;
    let answer = '';
    let problem: object | undefined;
    const ending = await play(exchange, {
      text: ({ text }) =>
        streamChunks(text, exchange, (words) => {
          answer += words;
          return Promise.resolve();
        }),
      tool: ({ paces }) => wire.wait(paces),
      error({ code, message }) {
        problem = { error: { code, message } };
        return Promise.resolve();
      },
    });
    const document = JSON.stringify(ending === 'failed' && problem ? problem : { answer, usage: usageOf(exchange) });
    const length = Math.ceil(document.length / PARTS);
    for (let start = 0; start < document.length; start += length)
      await wire.send(document.slice(start, start + length));
    await wire.end();
  },
};
