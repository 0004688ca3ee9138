/**
 * OpenAI's chat completions, streamed or as one document. The protocol has no calls of the agent's own tools, so they
 * are described as reasoning. Calls are run by the page, if it has offered tools. Source:
 * `docs/protocols/openai-chat.md`.
 */
import { randomUUID } from 'node:crypto';
import { toolNote } from '../markdown.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Exchange, type Protocol } from '../play.ts';
import type { Source } from '../step.ts';
import { answerFromTools, isRecord, offersTools, textOf, type Json } from '../turn.ts';

export const openAiChat: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,

  answerOf: answerFromTools,

  async answer(exchange) {
    const { wire, turn } = exchange;
    const writer = makeWriter(exchange);
    await writer.delta({ role: 'assistant', content: '' });
    const requested = { tools: false };
    let length = 0;
    const emit = (content: string): Promise<boolean> => {
      length += content.length;
      return writer.delta({ content });
    };
    const think = async (text: string): Promise<void> => {
      for (const chunk of chunksOf(text)) await writer.delta({ reasoning_content: chunk });
    };
    const cite = ({ url, title, text }: Source): Promise<boolean> => {
      const place = { start_index: Math.max(0, length - text.length), end_index: length };
      return writer.delta({
        annotations: [{ type: 'url_citation', url_citation: { url, title, content: text, ...place } }],
      });
    };

    const ending = await play(exchange, {
      think: ({ text }) => think(text),
      text: ({ text }) => streamChunks(text, exchange, emit, cite),
      async tool(step) {
        await wire.wait(step.paces);
        await think(toolNote(step));
      },
      image: ({ mimeType, data }) =>
        writer.delta({ images: [{ type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } }] }),
      ...(offersTools(turn) && {
        async pageTools(step) {
          requested.tools = true;
          for (const [index, { id, name, arguments: args }] of step.calls.entries()) {
            const head = { index, id: exchange.id(id), type: 'function', function: { name, arguments: '' } };
            await writer.delta({ tool_calls: [head] });
            for (const chunk of chunksOf(JSON.stringify(args))) {
              await writer.delta({ tool_calls: [{ index, function: { arguments: chunk } }] });
            }
          }
        },
      }),
      suggestions: ({ items }) => writer.chunk({ choices: [], related_questions: items }),
      error: ({ code, message, kind }) => writer.fail({ error: { message, type: kind, code } }),
    });
    if (ending !== 'failed') await writer.finish(requested.tools ? 'tool_calls' : 'stop');
    await wire.end();
  },
};

/** Chunks of one completion; with `stream: false` they are collected and sent as one document. */
function makeWriter({ wire, turn, ...exchange }: Exchange) {
  const { body } = turn;
  const streams = body['stream'] !== false;
  const wantsUsage = isRecord(body['stream_options']) && body['stream_options']['include_usage'] === true;
  const head = {
    id: `chatcmpl-${randomUUID().slice(0, 12)}`,
    created: Math.floor(Date.now() / 1000),
    model: textOf(body['model']) || 'harbor-scripted',
  };
  const usage = (): object => usageOf({ wire, turn, ...exchange });
  const whole = { content: '', reasoning_content: '' };
  const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = [];

  /** The complete message from its chunks, for requests without streaming. */
  const gather = (delta: Json): void => {
    whole.content += textOf(delta['content']);
    whole.reasoning_content += textOf(delta['reasoning_content']);
    for (const chunk of (delta['tool_calls'] ?? []) as typeof calls) {
      if (chunk.id) calls.push({ id: chunk.id, type: chunk.type, function: { ...chunk.function } });
      else (calls.at(-1) ?? chunk).function.arguments += chunk.function.arguments;
    }
  };
  const chunk = async (rest: Json): Promise<boolean> =>
    !streams || (await wire.send(sse({ ...head, object: 'chat.completion.chunk', ...rest })));

  return {
    chunk,
    async delta(delta: Json) {
      gather(delta);
      return chunk({ choices: [{ index: 0, delta, finish_reason: null }] });
    },
    fail: (problem: object) => wire.send(streams ? sse(problem) : JSON.stringify(problem)),
    async finish(finish_reason: 'stop' | 'tool_calls') {
      if (!streams) {
        const message = { role: 'assistant', ...whole, ...(calls.length > 0 && { tool_calls: calls }) };
        const document = { choices: [{ index: 0, message, finish_reason }], usage: usage() };
        await wire.send(JSON.stringify({ ...head, object: 'chat.completion', ...document }));
        return;
      }
      await chunk({ choices: [{ index: 0, delta: {}, finish_reason }] });
      if (wantsUsage) await chunk({ choices: [], usage: usage() });
      await wire.send(sse('[DONE]'));
    },
  };
}
