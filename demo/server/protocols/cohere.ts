/**
 * Cohere's chat, version 2. The protocol has no calls of the agent's own tools; citations have character offsets in
 * their content. Source: `docs/protocols/cohere.md`.
 */
import { randomUUID } from 'node:crypto';
import { sentenceStart } from '../citation-marks.ts';
import { toolNote } from '../markdown.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import type { Source } from '../step.ts';
import { answerFromTools, offersTools } from '../turn.ts';

export const cohere: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,

  answerOf: answerFromTools,

  async answer(exchange) {
    const { wire, turn, id } = exchange;
    const send = (type: string, rest: object): Promise<boolean> => wire.send(sse({ type, ...rest }, type));
    const emitEvent = (type: string, index: number, message: object): Promise<boolean> =>
      send(type, { index, delta: { message } });
    let index = -1;
    let sentText = '';
    let citations = 0;
    const turnTo = oneAtATime<'text' | 'thinking'>({
      begin: (type) => {
        sentText = '';
        return emitEvent('content-start', ++index, { content: { type, [type]: '' } });
      },
      end: () => send('content-end', { index }),
    });
    const think = async (text: string): Promise<void> => {
      await turnTo('thinking');
      for (const thinking of chunksOf(text)) await emitEvent('content-delta', index, { content: { thinking } });
    };
    const emit = async (text: string): Promise<void> => {
      await turnTo('text');
      sentText += text;
      await emitEvent('content-delta', index, { content: { text } });
    };
    const cite = async ({ id: document, url, title, text: snippet }: Source): Promise<void> => {
      const [start, text] = [sentenceStart(sentText), sentText.slice(sentenceStart(sentText))];
      const sources = [{ type: 'document', id: document, document: { id: document, url, title, snippet } }];
      const place = { start: Array.from(sentText.slice(0, start)).length, end: Array.from(sentText).length };
      const citation = { ...place, text, sources, type: 'TEXT_CONTENT', content_index: index };
      await emitEvent('citation-start', citations, { citations: citation });
      await send('citation-end', { index: citations++ });
    };

    const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
    await send('message-start', { id: randomUUID(), delta: { message } });
    let finish_reason = 'COMPLETE';
    let error: string | undefined;
    await play(exchange, {
      think: ({ text }) => think(text),
      text: ({ text }) => streamChunks(text, exchange, emit, cite),
      async tool(step) {
        await wire.wait(step.paces);
        await think(toolNote(step));
      },
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          await turnTo();
          finish_reason = 'TOOL_CALL';
          for (const [place, { id: name, name: tool, arguments: args }] of calls.entries()) {
            const call = { id: id(name), type: 'function', function: { name: tool, arguments: '' } };
            await emitEvent('tool-call-start', place, { tool_calls: call });
            for (const chunk of chunksOf(JSON.stringify(args))) {
              await emitEvent('tool-call-delta', place, { tool_calls: { function: { arguments: chunk } } });
            }
            await send('tool-call-end', { index: place });
          }
        },
      }),
      error(step) {
        [finish_reason, error] = ['ERROR', step.message];
        return Promise.resolve();
      },
    });
    await turnTo();
    const { prompt_tokens: input_tokens, completion_tokens: output_tokens } = usageOf(exchange);
    const usage = { tokens: { input_tokens, output_tokens } };
    await send('message-end', { delta: { finish_reason, usage, ...(error && { error }) } });
    await wire.send(sse('[DONE]'));
    await wire.end();
  },
};
