/** Answers with parts that are larger than any agent needs. Each is a list of events, or the messages of a history. */
import type {} from '../../src/index.ts';
import type { AgentChat } from '../../src/index.ts';
import { settled } from './frames.ts';
import { host } from './host.ts';

const BUILT = '/dist/agent-chat.js';

type Data = Readonly<Record<string, unknown>>;
interface Case {
  readonly events?: readonly Data[];
  readonly messages?: readonly object[];
  readonly attributes?: Readonly<Record<string, unknown>>;
}

const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const record = (count: number): Data => Object.fromEntries(many(count, (index) => [`key${String(index)}`, index]));
const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = { in: value };
  return value;
};
const call = (index: number, more: Data = {}): Data => ({
  tool_call: 'end',
  tool_call_id: `t${String(index)}`,
  tool_call_name: 'look_up',
  tool_call_params: '{"q":1}',
  tool_call_response: 'done',
  ...more,
});
const replyMessages = (blocks: readonly object[], more: object = {}): readonly object[] => [
  { id: 'm1', role: 'assistant', status: 'complete', timestamp: 1, blocks, ...more },
];
const block = (type: string, fields: object, index = 0): object => ({
  id: `b${String(index)}`,
  type,
  status: 'success',
  timestamp: 1,
  ...fields,
});
const MB = 1024 * 1024;

const cases: Readonly<Record<string, () => Case>> = {
  'an empty answer': () => ({ events: [] }),
  'one link with 8,000 hosts': () => ({
    events: [{ content: `[${many(8000, (index) => `a${String(index)}.example`).join(' ')}](https://x.example)` }],
  }),
  'one link with 8,000 times its own host': () => ({
    events: [{ content: `[${'https://x.example '.repeat(8000)}](https://x.example)` }],
  }),
  'a permission with 60,000 arguments': () => ({
    events: [
      {
        tool_call: 'permission-required',
        tool_call_id: 't',
        tool_call_name: 'look_up',
        tool_call_params: JSON.stringify(record(60_000)),
        permission_request: { permissionType: 'write', toolName: 'look_up', serverName: 's', description: 'd' },
      },
    ],
  }),
  'metadata with 20,000 keys': () => ({ events: [{ metadata: record(20_000) }, { content: 'x' }] }),
  'metadata, 20,000 events of a key each': () => ({
    events: many(20_000, (index) => ({ metadata: { [`key${String(index)}`]: index } })),
  }),
  '20,000 keys of metadata and 1,000 events': () => ({
    events: [{ metadata: record(20_000) }, ...many(1000, (index) => ({ metadata: { a: index } }))],
  }),
  'half a signed token, 1 MB': () => ({
    events: [call(1, { tool_call_response: 'eyaaaaaaaaaaaaa-'.repeat(MB / 16) })],
  }),
  'an error of 5 MB': () => ({
    messages: replyMessages([block('error', { content: 'word '.repeat(MB) })], { status: 'error' }),
  }),
  '10,000 suggestions': () => ({
    events: [
      { content: 'x', suggestions: many(10_000, (index) => ({ label: `Label ${String(index)}`, prompt: 'x' })) },
    ],
  }),
  '10,000 citations': () => ({
    messages: replyMessages([
      block('content', {
        content: 'A sentence. '.repeat(1000),
        citations: many(10_000, (index) => ({
          id: String(index),
          url: `https://a${String(index)}.example/`,
          title: 'T',
          end: index,
        })),
      }),
    ]),
  }),
  'a table of 50,000 rows': () => ({
    events: [
      { data: { data_type: 'dataframe', data: { columns: ['a', 'b'], rows: many(50_000, (index) => [index, 'x']) } } },
    ],
  }),
  'a table of 10,000 columns': () => ({
    events: [
      {
        data: { data_type: 'dataframe', data: { columns: Object.keys(record(10_000)), rows: [many(10_000, String)] } },
      },
    ],
  }),
  'a plan of 10,000 steps': () => ({
    events: [{ plan: many(10_000, (index) => ({ title: `Step ${String(index)}`, state: 'pending' })) }],
  }),
  '10,000 phases': () => ({ events: many(10_000, (index) => ({ phase: { name: `phase ${String(index)}` } })) }),
  '10,000 status blocks of a history': () => ({
    messages: replyMessages(many(10_000, (index) => block('status', { phase: `phase ${String(index)}` }, index))),
  }),
  'data with 100,000 keys': () => ({ events: [{ data: { data_type: 'custom', data: record(100_000) } }] }),
  'data 10,000 levels deep': () => ({
    messages: replyMessages([block('data', { data: { data_type: 'custom', data: nested(10_000) } })]),
  }),
  '10,000 attachments of a history': () => ({
    messages: [
      {
        id: 'm1',
        role: 'user',
        status: 'complete',
        timestamp: 1,
        blocks: many(10_000, (index) =>
          block('file', { name: `file-${String(index)}.pdf`, mimeType: 'application/pdf', size: 1 }, index),
        ),
      },
    ],
  }),
  'names of 1 MB': () => ({
    messages: replyMessages([
      block('tool_call', { tool_call: { id: 't', name: 'n'.repeat(MB), params: '{}', response: 'r' } }, 1),
      block('file', { name: 'f'.repeat(MB), mimeType: 'application/pdf' }, 2),
      block('code', { code: { language: 'js', content: 'x', filename: 'c'.repeat(MB) } }, 3),
      block('status', { phase: 'p'.repeat(MB) }, 4),
      block('plan', { plan: [{ title: 't'.repeat(MB), state: 'active' }] }, 5),
    ]),
  }),
  '10,000 blocks of a history': () => ({
    messages: replyMessages(
      many(10_000, (index) =>
        block(index % 2 ? 'content' : 'reasoning_content', { content: `text ${String(index)}` }, index),
      ),
    ),
  }),
  'a chart of 1,000,000 points': () => ({
    messages: replyMessages([
      block('data', {
        data: {
          data_type: 'chart',
          data: { type: 'line', labels: many(1e6, String), series: [{ name: 'a', data: many(1e6, (index) => index) }] },
        },
      }),
    ]),
  }),
  '10,000 calls of tools of a history': () => ({
    messages: replyMessages(
      many(10_000, (index) =>
        block(
          'tool_call',
          { tool_call: { id: String(index), name: 'look_up', params: '{"q":1}', response: 'done' } },
          index,
        ),
      ),
    ),
  }),
  '10,000 nested sub-agents of a history': () => ({
    messages: replyMessages(
      many(10_000, (index) =>
        block(
          'tool_call',
          {
            tool_call: { id: String(index), name: 'agent', params: '{}', response: 'x' },
            ...(index > 0 && { parentId: `b${String(index - 1)}` }),
          },
          index,
        ),
      ),
    ),
  }),
  'output of a terminal, 5 MB': () => ({
    messages: replyMessages([
      block('command_result', {
        commandResult: { success: true, output: '\u001b[31mred\u001b[0m line\n'.repeat((5 * MB) / 20) },
      }),
    ]),
  }),
  'arguments of 5 MB': () => ({
    messages: replyMessages([
      block('tool_call', {
        tool_call: {
          id: 't',
          name: 'n',
          params: JSON.stringify(record(300_000)),
          response: JSON.stringify(record(300_000)),
        },
      }),
    ]),
  }),
  'a search with 10,000 pages': () => ({
    messages: replyMessages([
      block('search', {
        content: 'q',
        extra: { pages: many(10_000, (index) => ({ title: 'T', url: `https://a${String(index)}.example/` })) },
      }),
    ]),
  }),
  '20,000 different character references': () => ({
    events: [{ content: many(20_000, (index) => `&a${index.toString(36)};`).join(' ') }],
  }),
};
export const names = (): readonly string[] => Object.keys(cases);

let prepared: Case = {};
let chat: AgentChat | undefined;

/** A widget that has answered once, with everything loaded, and the next answer ready. */
export async function mount(name: string): Promise<void> {
  await import(/* @vite-ignore */ BUILT);
  prepared = cases[name]?.() ?? {};
  const body = `${(prepared.events ?? []).map((data) => `data: ${JSON.stringify({ type: 'response', data: { eventId: 'e1', ...data } })}\n\n`).join('')}data: ${JSON.stringify({ type: 'end', data: { eventId: 'e1', userStop: false } })}\n\n`;
  globalThis.fetch = () =>
    Promise.resolve(new Response(new Blob([body]), { headers: { 'content-type': 'text/event-stream' } }));
  chat = document.createElement('agent-chat');
  chat.endpoint = new URL('/agent/oversized', location.href).href;
  chat.protocol = 'deepchat-events';
  chat.style.blockSize = '100%';
  host().classList.add('of-widget');
  host().append(chat);
  chat.messages = replyMessages([block('content', { content: '**Hello**' })]) as AgentChat['messages'];
  await settled();
}

/** The number of elements before the answer. */
let before = 0;

export async function show(): Promise<void> {
  if (!chat) throw new Error('There is no widget.');
  before = elements();
  if (prepared.messages) chat.messages = prepared.messages as AgentChat['messages'];
  else await Promise.race([chat.send('Everything, please'), askAndWait(chat)]);
  await settled();
  await settled();
}

/** `send` resolves when the user has to answer; the rendering ends when the question is visible. */
async function askAndWait(element: AgentChat): Promise<void> {
  while (!element.messages.at(-1)?.blocks.some(({ type, status }) => type === 'action' && status === 'pending'))
    await settled();
}

/** Counts the elements in the widget, to check that the answer was rendered. */
export const elements = (): number => chat?.shadowRoot?.querySelectorAll('*').length ?? 0;

/** Either the history has replaced the first message, or the answer has added elements. */
export const drawn = (): boolean =>
  prepared.messages
    ? chat?.shadowRoot?.querySelector('article') !== null && chat?.shadowRoot?.querySelector('strong') === null
    : elements() > before;
