/**
 * AgentScope messages: each frame is a complete `Msg`, which replaces the older one of the same id. `framing=lines`
 * sends bare messages as NDJSON, otherwise they are wrapped in server-sent events. Source:
 * `docs/protocols/agentscope-msg.md`.
 */
import { randomUUID } from 'node:crypto';
import { chunksOf } from '../chunks.ts';
import { BROKEN_SSE, play, streamChunks, sse, type Exchange, type Protocol } from '../play.ts';

/** Complete messages are long, so not every chunk sends one. */
const PIECES_A_FRAME = 3;

type Block =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'thinking'; thinking: string }
  | { readonly type: 'image'; readonly source: object }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'tool_result'; readonly toolUseId: string; readonly name: string; readonly output: object[] };

interface Msg {
  readonly name: string;
  readonly role: 'ASSISTANT' | 'TOOL';
  readonly content: Block[];
  readonly metadata: object;
  readonly id: string;
  readonly timestamp: string;
}

export const agentscopeMsg: Protocol = {
  contentType: 'text/event-stream',
  broken: BROKEN_SSE,

  async answer(exchange) {
    const { wire, id } = exchange;
    const writer = makeWriter(exchange);
    await play(exchange, {
      speaker: ({ name }) => writer.turnTo(name),
      async think({ text }) {
        const block: Block = { type: 'thinking', thinking: '' };
        writer.add(block);
        for (const chunk of chunksOf(text)) {
          block.thinking += chunk;
          await writer.show();
        }
      },
      async text({ text }) {
        const block = writer.textBlock();
        await streamChunks(text, exchange, async (words) => {
          block.text += words;
          await writer.show();
        });
      },
      // The message with the call, a message of role TOOL with its result, then the assistant again.
      async tool({ id: name, name: tool, arguments: input, paces, outcome }) {
        writer.add({ type: 'tool_use', id: id(name), name: tool, input });
        await writer.finish();
        await wire.wait(paces);
        const text = 'failure' in outcome ? `[ERROR] ${outcome.failure.message}` : JSON.stringify(outcome.result);
        const output = [{ type: 'text', text }];
        await writer.emit('system', 'TOOL', [{ type: 'tool_result', toolUseId: id(name), name: tool, output }]);
      },
      async image({ data, mimeType }) {
        writer.add({ type: 'image', source: { type: 'base64', media_type: mimeType, data } });
        await writer.show(true);
      },
    });
    await writer.finish();
    await wire.end();
  },
};

function makeWriter({ wire, query }: Pick<Exchange, 'wire' | 'query'>) {
  const bare = query.get('framing') === 'lines';
  let name = 'Harbor';
  let open: Msg | undefined;
  let unseen = 0;

  const make = (speaker: string, role: Msg['role'], content: Block[]): Msg => ({
    name: speaker,
    role,
    content,
    metadata: {},
    id: randomUUID(),
    timestamp: new Date().toISOString(),
  });
  const send = (msg: Msg, last: boolean): Promise<boolean> =>
    wire.send(bare ? `${JSON.stringify(msg)}\n` : sse({ msg, last }));
  const finish = async (): Promise<void> => {
    const msg = open;
    open = undefined;
    unseen = 0;
    if (msg) await send(msg, true);
  };
  const current = (): Msg => (open ??= make(name, 'ASSISTANT', []));
  const add = (block: Block): void => {
    current().content.push(block);
  };
  return {
    add,
    finish,
    textBlock() {
      const last = current().content.at(-1);
      if (last?.type === 'text') return last;
      const block = { type: 'text' as const, text: '' };
      add(block);
      return block;
    },
    /** Sends the current state of the message now and then. */
    async show(now = false) {
      if (!open || (++unseen < PIECES_A_FRAME && !now)) return;
      unseen = 0;
      await send(open, false);
    },
    async emit(speaker: string, role: Msg['role'], content: Block[]) {
      await finish();
      await send(make(speaker, role, content), true);
    },
    async turnTo(speaker: string) {
      await finish();
      name = speaker;
    },
  };
}
