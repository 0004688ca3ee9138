/**
 * OpenAI's responses: a list of output items, each with its own lifecycle. The agent's own tools are those of an MCP
 * server, which may need an approval; function calls are run by the page. Source: `docs/protocols/openai-responses.md`.
 */
import { randomUUID } from 'node:crypto';
import { sentenceStart } from '../citation-marks.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText, type Source } from '../step.ts';
import { answerFromTools, isRecord, offersTools, textOf } from '../turn.ts';

interface Item {
  readonly type: 'mcp_call' | 'function_call';
  readonly id: string;
  readonly name: string;
  readonly server_label?: string;
  readonly call_id?: string;
}

export const openAiResponses: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,

  /** An approval is the last item of the input. */
  answerOf(body) {
    const last: unknown = Array.isArray(body['input']) ? body['input'].at(-1) : undefined;
    if (!isRecord(last) || last['type'] !== 'mcp_approval_response') return answerFromTools(body);
    return last['approve'] === true ? 'granted' : 'denied';
  },

  async answer(exchange) {
    const { wire, turn, id } = exchange;
    const response = {
      id: `resp_${randomUUID().slice(0, 8)}`,
      object: 'response',
      model: textOf(turn.body['model']) || 'harbor-scripted',
    };
    const output: object[] = [];
    let sequence_number = 0;
    const send = (name: string, rest: object): Promise<boolean> => {
      const type = name.startsWith('.') ? `response${name}` : name;
      return wire.send(sse({ type, sequence_number: sequence_number++, ...rest }, type));
    };
    const add = (item: object): Promise<boolean> => send('.output_item.added', { output_index: output.length, item });
    const done = (item: object): Promise<boolean> =>
      send('.output_item.done', { output_index: output.push(item) - 1, item });
    const place = (part: string): object => ({
      item_id: `${part}_${String(output.length)}`,
      output_index: output.length,
    });

    const sent = { text: '', annotations: [] as object[] };
    const message = (content: readonly object[]): object => ({
      id: `msg_${String(output.length)}`,
      type: 'message',
      role: 'assistant',
      content,
    });
    const wholeText = (): object => ({ type: 'output_text', ...sent });
    const turnTo = oneAtATime<'text'>({
      async begin() {
        Object.assign(sent, { text: '', annotations: [] });
        await add(message([]));
        await send('.content_part.added', { ...place('msg'), content_index: 0, part: wholeText() });
      },
      async end() {
        await send('.output_text.done', { ...place('msg'), content_index: 0, text: sent.text });
        await send('.content_part.done', { ...place('msg'), content_index: 0, part: wholeText() });
        await done(message([wholeText()]));
      },
    });
    const emit = async (delta: string): Promise<void> => {
      await turnTo('text');
      sent.text += delta;
      await send('.output_text.delta', { ...place('msg'), content_index: 0, delta });
    };
    const cite = async ({ url, title }: Source): Promise<void> => {
      const [start_index, end_index] = [sentenceStart(sent.text), sent.text.length];
      const annotation = { type: 'url_citation', url, title, start_index, end_index };
      const annotation_index = sent.annotations.push(annotation) - 1;
      await send('.output_text.annotation.added', { ...place('msg'), content_index: 0, annotation_index, annotation });
    };
    const call = async (item: Item, args: object, rest: () => Promise<object>): Promise<void> => {
      await turnTo();
      await add({ ...item, arguments: '' });
      const event = item.type === 'function_call' ? '.function_call_arguments' : '.mcp_call_arguments';
      const whole = JSON.stringify(args);
      for (const delta of chunksOf(whole)) await send(`${event}.delta`, { ...place('call'), delta });
      await send(`${event}.done`, { ...place('call'), arguments: whole });
      await done({ ...item, arguments: whole, ...(await rest()) });
    };

    await send('.created', { response: { ...response, status: 'in_progress', output: [] } });
    let error: object | undefined;
    await play(exchange, {
      async think({ text }) {
        await turnTo();
        const item = { id: `rs_${String(output.length)}`, type: 'reasoning' };
        await add({ ...item, summary: [] });
        for (const delta of chunksOf(text)) {
          await send('.reasoning_summary_text.delta', { ...place('rs'), summary_index: 0, delta });
        }
        await done({ ...item, summary: [{ type: 'summary_text', text }] });
      },
      text: ({ text }) => streamChunks(text, exchange, emit, cite),
      tool: ({ id: call_id, name, server, arguments: args, paces, outcome }) =>
        call({ type: 'mcp_call', id: `mcp_${id(call_id)}`, name, server_label: server ?? 'harbor' }, args, async () => {
          await wire.wait(paces);
          return { ['failure' in outcome ? 'error' : 'output']: outcomeText(outcome) };
        }),
      async image({ mimeType, data }) {
        await turnTo();
        const item = { id: `ig_${String(output.length)}`, type: 'image_generation_call' };
        await add(item);
        await done({ ...item, result: data, output_format: mimeType.replace('image/', '') });
      },
      async permission({ call: { id: name, name: tool, arguments: args }, server }) {
        await turnTo();
        const item = { id: `mcpr_${id(name)}`, type: 'mcp_approval_request', name: tool, server_label: server };
        await add({ ...item, arguments: JSON.stringify(args) });
        await done({ ...item, arguments: JSON.stringify(args) });
      },
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          for (const { id: name, name: tool, arguments: args } of calls) {
            const item: Item = { type: 'function_call', id: `fc_${id(name)}`, call_id: id(name), name: tool };
            await call(item, args, () => Promise.resolve({}));
          }
        },
      }),
      error({ code, message: words }) {
        error = { code, message: words };
        return Promise.resolve();
      },
    });
    await turnTo();
    const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens } = usageOf(exchange);
    const usage = { input_tokens, output_tokens, total_tokens };
    const status = error ? 'failed' : 'completed';
    await send(`.${status}`, { response: { ...response, status, output, usage, ...(error && { error }) } });
    await wire.end();
  },
};
