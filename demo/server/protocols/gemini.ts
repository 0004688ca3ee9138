/**
 * Gemini's `streamGenerateContent`: chunks without a type, each a part of one answer. Source:
 * `docs/protocols/gemini.md`.
 */
import { randomUUID } from 'node:crypto';
import { sentenceStart } from '../citation-marks.ts';
import { piecesOf } from '../pieces.ts';
import { BROKEN_SSE, play, sayPieces, usageOf, type Protocol } from '../play.ts';
import type { Source } from '../step.ts';
import { answerOfTools, offersTools, textOf } from '../turn.ts';

export const gemini: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,

  answerOf: answerOfTools,

  async answer(exchange) {
    const { wire, turn, id } = exchange;
    const { prompt_tokens, completion_tokens, total_tokens } = usageOf(exchange);
    const facts = {
      modelVersion: textOf(turn.body['model']) || 'harbor-scripted',
      responseId: randomUUID().slice(0, 12),
    };
    const send = (chunk: object): Promise<boolean> => wire.send(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
    const say = (parts: readonly object[], rest: object = {}): Promise<boolean> =>
      send({ candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }], ...facts });
    let said = '';
    const sources: Source[] = [];
    const groundingSupports: object[] = [];
    /** Its indexes count bytes. */
    const cite = (source: Source): Promise<void> => {
      const [from, text] = [said.slice(0, sentenceStart(said)), said.slice(sentenceStart(said))];
      const segment = { startIndex: Buffer.byteLength(from), endIndex: Buffer.byteLength(said), text };
      groundingSupports.push({ segment, groundingChunkIndices: [sources.push(source) - 1] });
      return Promise.resolve();
    };

    const ending = await play(exchange, {
      async think({ text }) {
        for (const piece of piecesOf(text)) await say([{ text: piece, thought: true }]);
      },
      text: ({ text }) =>
        sayPieces(
          text,
          exchange,
          (words) => {
            said += words;
            return say([{ text: words }]);
          },
          cite,
        ),
      async tool({ id: name, name: toolType, arguments: args, paces, outcome }) {
        await say([{ toolCall: { id: id(name), toolType, args } }]);
        await wire.wait(paces);
        const response = 'failure' in outcome ? { error: outcome.failure.message } : { result: outcome.result };
        await say([{ toolResponse: { id: id(name), toolType, response } }]);
      },
      image: ({ mimeType, data }) => say([{ inlineData: { mimeType, data } }]),
      ...(offersTools(turn) && {
        pageTools: ({ calls }) => say(calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } }))),
      }),
      error: ({ message, recoverable }) =>
        send({
          error: recoverable
            ? { code: 503, message, status: 'UNAVAILABLE' }
            : { code: 400, message, status: 'FAILED_PRECONDITION' },
        }),
    });
    if (ending !== 'failed') {
      const groundingChunks = sources.map(({ url: uri, title }) => ({ web: { uri, title } }));
      const rest = sources.length > 0 && { groundingMetadata: { groundingChunks, groundingSupports } };
      const usageMetadata = {
        promptTokenCount: prompt_tokens,
        candidatesTokenCount: completion_tokens,
        totalTokenCount: total_tokens,
      };
      const last = { content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0, ...rest };
      await send({ candidates: [last], usageMetadata, ...facts });
    }
    await wire.end();
  },
};
