/**
 * Message fields over server-sent events. `framing=tight` omits the blank lines, as the specification's examples do.
 * Source: `docs/protocols/message-field.md`.
 */
import { randomUUID } from 'node:crypto';
import { chunksOf } from '../chunks.ts';
import { play, streamChunks, type Exchange, type Protocol } from '../play.ts';
import { answerFromTools, textOf, type Turn } from '../turn.ts';

interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string | null };
}

/** A streaming message. */
interface Growing {
  readonly id: string;
  readonly role: 'assistant' | 'tool';
  readonly thinking: boolean;
  readonly tool_call_id?: string;
  content: string;
  tool_calls?: readonly ToolCall[];
  recommend_actions?: readonly string[];
}

export const messageField: Protocol = {
  contentType: 'text/event-stream',
  broken: 'data: {"message_id":"m1","field_name":"content","delta":"a frame that was cut\n\n',

  answerOf: answerFromTools,

  async answer(exchange) {
    const { wire, turn, id } = exchange;
    const writer = makeWriter(exchange);
    // As in the specification: the project is changed first, with its own message id.
    await writer.touch(textOf(turn.body['project_id']) || randomUUID());

    await play(exchange, {
      async think({ text }) {
        const message = await writer.begin('assistant', { thinking: true });
        for (const chunk of chunksOf(text)) await writer.add(message, chunk);
        await writer.finish();
      },
      async text({ text }) {
        const message = await writer.speaking();
        await streamChunks(text, exchange, (resultText) => writer.add(message, resultText));
      },
      async tool({ id: name, name: tool, arguments: args, paces, outcome }) {
        await writer.call(id(name), tool, JSON.stringify(args));
        await wire.wait(paces);
        const result = await writer.begin('tool', { tool_call_id: id(name) });
        const resultText = 'failure' in outcome ? `Error: ${outcome.failure.message}` : JSON.stringify(outcome.result);
        for (const chunk of chunksOf(resultText)) await writer.add(result, chunk);
        await writer.finish();
      },
      // The page's tools are the custom ones; their results come back as messages of role "tool".
      ...(offersTools(turn) && {
        async pageTools({ calls }) {
          for (const { id: name, name: tool, arguments: args } of calls) {
            await writer.call(id(name), tool, JSON.stringify(args));
          }
        },
      }),
      async suggestions({ items }) {
        await writer.recommend(items);
      },
    });
    await writer.finish();
    await wire.end();
  },
};

const offersTools = ({ body }: Turn): boolean => Array.isArray(body['custom_tools']) && body['custom_tools'].length > 0;

/** Sends the fields of one message one by one, and the complete message at its end. */
function makeWriter({ wire, query }: Pick<Exchange, 'wire' | 'query'>) {
  const gap = query.get('framing') === 'tight' ? '\n' : '\n\n';
  let project = '';
  let open: Growing | undefined;

  const send = (event: object): Promise<boolean> =>
    wire.send(`data: ${JSON.stringify({ ...event, project_id: project })}${gap}`);
  const finish = async (): Promise<void> => {
    if (!open) return;
    const message = open;
    open = undefined;
    await send({ message_id: message.id, message, type: 'message_result' });
  };
  const begin = async (role: Growing['role'], rest: Partial<Growing> = {}): Promise<Growing> => {
    await finish();
    const message: Growing = { id: randomUUID(), role, thinking: false, content: '', ...rest };
    open = message;
    const tool_call_id = message.tool_call_id ?? null;
    await send({ message_id: message.id, tool_call_id, role, type: 'message_start' });
    if (message.thinking) {
      await send({ message_id: message.id, field_name: 'thinking', field_value: true, type: 'message_field' });
    }
    return message;
  };
  /** The assistant's open text message, or a new one. */
  const speaking = async (): Promise<Growing> =>
    open?.role === 'assistant' && !open.tool_calls ? open : begin('assistant');

  return {
    begin,
    finish,
    speaking,
    async touch(id: string) {
      project = id;
      const field_value = new Date().toISOString().replace('Z', '');
      await send({ message_id: id, field_name: '_updatetime', field_value, type: 'message_field' });
    },
    async add(message: Growing, delta: string) {
      message.content += delta;
      await send({ message_id: message.id, field_name: 'content', delta, type: 'message_field_delta' });
    },
    /** The call with empty arguments, then the arguments in chunks, then the complete message. */
    async call(id: string, name: string, args: string) {
      const message = await speaking();
      const call = { function: { name, arguments: null }, type: 'function', id } as const;
      await send({ message_id: message.id, field_name: 'tool_calls[0]', field_value: call, type: 'message_field' });
      for (const delta of chunksOf(args)) {
        const field_name = 'tool_calls[0].function.arguments';
        await send({ message_id: message.id, field_name, delta, type: 'message_field_delta' });
      }
      message.tool_calls = [{ ...call, function: { name, arguments: args } }];
      await finish();
    },
    async recommend(items: readonly string[]) {
      const message = await speaking();
      message.recommend_actions = items;
      await send({
        message_id: message.id,
        field_name: 'recommend_actions',
        field_value: items,
        type: 'message_field',
      });
    },
  };
}
