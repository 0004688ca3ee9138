/** Session events, sent by a `StreamingEngine`. Source: `docs/protocols/agent-session.md`. */
import { randomUUID } from 'node:crypto';
import { sourceLink } from '../markdown.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, usageOf, type Protocol } from '../play.ts';
import { StreamingEngine } from '../../../backends/session-events/streaming-engine.ts';
import { textOf } from '../turn.ts';

export const agentSession: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,

  async answer(exchange) {
    const { wire, turn, id } = exchange;
    const engine = new StreamingEngine(`req_${randomUUID().slice(0, 8)}`, { send: (frame) => wire.send(frame) });
    await engine.emitSessionStart(textOf(turn.body['session_id']) || `session_${randomUUID().slice(0, 8)}`);

    const ending = await play(exchange, {
      async think({ text, stage }) {
        for (const chunk of chunksOf(text)) if (!engine.closed) await engine.emitThinking(chunk, stage);
      },
      async text({ text }) {
        // One chunk is delayed, so that the last one can be marked as the last.
        let held = '';
        const emit = async (words: string): Promise<void> => {
          if (held) await engine.emitContent(held);
          held = words;
        };
        await streamChunks(text, exchange, emit, (source) => emit(sourceLink(source)));
        if (held) await engine.emitContent(held, 'markdown', true);
      },
      async tool({ id: name, name: tool, description, arguments: args, paces, progress = [], outcome }) {
        const startedAt = Date.now();
        await engine.emitToolCallStart(id(name), tool, description, args);
        for (const { share, message } of progress) {
          await wire.wait(paces / (progress.length + 1));
          await engine.emitToolCallProgress(id(name), share, message);
        }
        await wire.wait(paces / (progress.length + 1));
        const took = Date.now() - startedAt;
        await ('failure' in outcome
          ? engine.emitToolCallEnd(id(name), 'failed', { error: outcome.failure }, took)
          : engine.emitToolCallEnd(id(name), 'success', { result: outcome.result }, took));
      },
      table: ({ name, description, columns, rows }) =>
        engine.emitData('dataframe', { name, columns, rows }, { description }),
      chart: ({ name, description, kind, labels, series }) =>
        engine.emitData(
          'chart',
          { type: kind, name, labels, series: series.map((one) => ({ name: one.name, data: one.values })) },
          { description },
        ),
      image: ({ description, mimeType, data }) => engine.emitData('image', { mimeType, data }, { description }),
      record: ({ description, value }) => engine.emitData('custom', value, { description }),
      error: ({ kind, message, details, recoverable }) => engine.emitError(kind, message, details, recoverable),
    });
    const status = ending === 'failed' ? 'error' : 'completed';
    await engine.emitSessionEnd(status, engine.summary(usageOf(exchange).total_tokens));
    await wire.end();
  },
};
