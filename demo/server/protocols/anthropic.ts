/**
 * Anthropic's messages: consecutive content blocks. The agent's own tools are those of an MCP server; `tool_use` calls
 * are run by the page. Source: `docs/protocols/anthropic.md`.
 */
import { randomUUID } from 'node:crypto';
import { oneAtATime } from '../one-at-a-time.ts';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, usageOf, type Protocol } from '../play.ts';
import { outcomeText } from '../step.ts';
import { answerFromTools, offersTools, textOf } from '../turn.ts';

export const anthropic: Protocol = {
  contentType: 'text/event-stream; charset=utf-8',
  broken: BROKEN_SSE,

  answerOf: answerFromTools,

  async answer(exchange) {
    const { wire, turn, id } = exchange;
    const { prompt_tokens: input_tokens, completion_tokens: output_tokens } = usageOf(exchange);
    const send = (type: string, rest: object): Promise<boolean> => wire.send(sse({ type, ...rest }, type));
    let index = -1;
    const begin = (content_block: object): Promise<boolean> =>
      send('content_block_start', { index: ++index, content_block });
    const grow = (delta: object): Promise<boolean> => send('content_block_delta', { index, delta });
    const end = (): Promise<boolean> => send('content_block_stop', { index });
    const turnTo = oneAtATime<'text'>({ begin: () => begin({ type: 'text', text: '' }), end });
    const call = async (block: object, args: object): Promise<void> => {
      await turnTo();
      await begin({ ...block, input: {} });
      for (const chunk of chunksOf(JSON.stringify(args))) await grow({ type: 'input_json_delta', partial_json: chunk });
      await end();
    };

    const model = textOf(turn.body['model']) || 'harbor-scripted';
    const message = { id: `msg_${randomUUID().slice(0, 8)}`, type: 'message', role: 'assistant', model, content: [] };
    await send('message_start', {
      message: { ...message, stop_reason: null, usage: { input_tokens, output_tokens: 1 } },
    });
    let stop_reason = 'end_turn';

    const ending = await play(exchange, {
      async think({ text }) {
        await turnTo();
        await begin({ type: 'thinking', thinking: '', signature: '' });
        for (const thinking of chunksOf(text)) await grow({ type: 'thinking_delta', thinking });
        await grow({ type: 'signature_delta', signature: 'c2NyaXB0ZWQ=' });
        await end();
      },
      text: ({ text }) =>
        streamChunks(
          text,
          exchange,
          async (words) => {
            await turnTo('text');
            await grow({ type: 'text_delta', text: words });
          },
          async ({ url, title, text: cited_text }) => {
            await turnTo('text');
            const citation = { type: 'web_search_result_location', url, title, cited_text, encrypted_index: '' };
            await grow({ type: 'citations_delta', citation });
            // A citation applies to its whole block, so uncited text is in the next one.
            await turnTo();
          },
        ),
      async tool({ id: name, name: tool, server, arguments: args, paces, outcome }) {
        await call({ type: 'mcp_tool_use', id: id(name), name: tool, server_name: server ?? 'harbor' }, args);
        await wire.wait(paces);
        const content = [{ type: 'text', text: outcomeText(outcome) }];
        await begin({ type: 'mcp_tool_result', tool_use_id: id(name), is_error: 'failure' in outcome, content });
        await end();
      },
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          stop_reason = 'tool_use';
          for (const { id: name, name: tool, arguments: args } of calls) {
            await call({ type: 'tool_use', id: id(name), name: tool }, args);
          }
        },
      }),
      error: ({ message: words, recoverable }) =>
        send('error', { error: { type: recoverable ? 'api_error' : 'invalid_request_error', message: words } }),
    });
    if (ending !== 'failed') {
      await turnTo();
      await send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } });
      await send('message_stop', {});
    }
    await wire.end();
  },
};
