/**
 * Gemini's `streamGenerateContent`: chunks without a type, each a part of one answer. Source:
 * `docs/protocols/gemini.md`.
 */
import { randomUUID } from 'node:crypto';
import { sentenceStart } from '../citation-marks.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, usageOf, type Protocol } from '../play.ts';
import type { Source } from '../step.ts';
import { answerFromTools, offersTools, textOf } from '../turn.ts';

export const gemini: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,

  answerOf: answerFromTools,

  async answer(exchange) {
    const { wire, turn, id } = exchange;
    const { prompt_tokens, completion_tokens, total_tokens } = usageOf(exchange);
    const sharedFields = {
      modelVersion: textOf(turn.body['model']) || 'harbor-scripted',
      responseId: randomUUID().slice(0, 12),
    };
    const send = (chunk: object): Promise<boolean> => wire.send(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
    const emit = (parts: readonly object[], rest: object = {}): Promise<boolean> =>
      send({ candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }], ...sharedFields });
    let sentText = '';
    const sources: Source[] = [];
    const groundingSupports: object[] = [];
    /** Its indexes count bytes. */
    const cite = (source: Source): Promise<void> => {
      const [from, text] = [sentText.slice(0, sentenceStart(sentText)), sentText.slice(sentenceStart(sentText))];
      const segment = { startIndex: Buffer.byteLength(from), endIndex: Buffer.byteLength(sentText), text };
      groundingSupports.push({ segment, groundingChunkIndices: [sources.push(source) - 1] });
      return Promise.resolve();
    };

    const ending = await play(exchange, {
      async think({ text }) {
        for (const chunk of chunksOf(text)) await emit([{ text: chunk, thought: true }]);
      },
      text: ({ text }) =>
        streamChunks(
          text,
          exchange,
          (words) => {
            sentText += words;
            return emit([{ text: words }]);
          },
          cite,
        ),
      async tool({ id: name, name: toolType, arguments: args, paces, outcome }) {
        await emit([{ toolCall: { id: id(name), toolType, args } }]);
        await wire.wait(paces);
        const response = 'failure' in outcome ? { error: outcome.failure.message } : { result: outcome.result };
        await emit([{ toolResponse: { id: id(name), toolType, response } }]);
      },
      image: ({ mimeType, data }) => emit([{ inlineData: { mimeType, data } }]),
      ...(offersTools(turn) && {
        pageTools: ({ calls }) => emit(calls.map(({ name, arguments: args }) => ({ functionCall: { name, args } }))),
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
      await send({ candidates: [last], usageMetadata, ...sharedFields });
    }
    await wire.end();
  },
};
