import { expect } from '@open-wc/testing';
import { importConversation } from '../../src/conversation/import.ts';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { adapter as adk } from '../../src/protocols/adk/adk.ts';
import { adapter as agUi } from '../../src/protocols/ag-ui/ag-ui.ts';
import { adapter as coze } from '../../src/protocols/coze/coze.ts';
import { adapter as dify } from '../../src/protocols/dify/dify.ts';
import { adapter as flowise } from '../../src/protocols/flowise/flowise.ts';
import { adapter as langflow } from '../../src/protocols/langflow/langflow.ts';
import { adapter as openAiChat } from '../../src/protocols/openai-chat/openai-chat.ts';
import { adapter as openAiResponses } from '../../src/protocols/openai-responses/openai-responses.ts';
import { adapter as openAiAssistants } from '../../src/protocols/openai-assistants/openai-assistants.ts';
import { decodeContext } from '../support/play-body.ts';

/** Methods whose time depends on the length of their list or text. */
const METHODS = [
  [Array.prototype, ['findIndex', 'findLast', 'includes', 'indexOf', 'splice']],
  [String.prototype, ['includes', 'replaceAll']],
] as const;

/** A word of this length is found in linear time. */
const SHORT = 16;

/** The number of elements and characters that an action reads with these methods, and with the iterator of lists. */
async function readsOf(act: () => Promise<unknown>): Promise<number> {
  let reads = 0;
  const restore: (() => void)[] = [];
  const replace = (target: object, name: PropertyKey, make: (original: unknown) => unknown): void => {
    const descriptor = Object.getOwnPropertyDescriptor(target, name) ?? {};
    restore.push(() => Object.defineProperty(target, name, descriptor));
    Object.defineProperty(target, name, { ...descriptor, value: make(descriptor.value) });
  };
  for (const [target, names] of METHODS)
    for (const name of names)
      replace(target, name, (original) => {
        const method = original as (...values: unknown[]) => unknown;
        return function counted(this: { readonly length: number }, ...values: unknown[]) {
          // Each place of a text may be compared with all of a long one.
          const [sought] = values;
          const isText = typeof this !== 'object' || this instanceof String;
          const compared = isText && typeof sought === 'string' ? (sought.length > SHORT ? sought.length : 0) : 1;
          reads += this.length * compared;
          return method.apply(this, values);
        };
      });
  replace(Array.prototype, Symbol.iterator, (original) => {
    const iterate = original as () => unknown;
    return function counted(this: unknown[]) {
      reads += this.length;
      return iterate.call(this);
    };
  });
  try {
    await act();
  } finally {
    for (const undo of restore) undo();
  }
  return reads;
}

async function decode(adapter: Adapter, events: readonly (readonly [name: string | undefined, data: unknown])[]) {
  const frames = events.map(([event, data]) => ({ data: JSON.stringify(data), ...(event !== undefined && { event }) }));
  const batches = (async function* batchesOf() {
    for (const frame of frames) yield await Promise.resolve([frame]);
  })();
  let count = 0;
  for await (const batch of adapter.decode(batches, { ...decodeContext(), url: 'https://a.example/v1/x' }))
    count += batch.length;
  return count;
}

const COUNT = 2000;
const many = <Item>(item: (index: number) => Item): Item[] => Array.from({ length: COUNT }, (_, index) => item(index));
const files = many((index) => ({ url: `https://a.example/${String(index)}` }));
const adkCalls = many((index) => ({ functionCall: { id: `c${String(index)}`, name: 'n', args: {} } }));

describe('an event with thousands of parts', () => {
  const rows: readonly {
    name: string;
    adapter: Adapter;
    events: readonly (readonly [string | undefined, unknown])[];
  }[] = [
    { name: 'files of Dify', adapter: dify, events: [[undefined, { event: 'message_end', message_id: 'm', files }]] },
    {
      name: 'a thought of Dify that the answer contains in part',
      adapter: dify,
      events: [
        [undefined, { event: 'agent_message', message_id: 'm', answer: 'a'.repeat(4 * COUNT) }],
        [
          undefined,
          {
            event: 'agent_thought',
            id: '1',
            message_id: 'm',
            thought: `${'a'.repeat(COUNT)}b${'a'.repeat(COUNT)}`,
          },
        ],
      ],
    },
    {
      name: 'tool calls of Langflow',
      adapter: langflow,
      events: [
        [
          undefined,
          {
            event: 'add_message',
            data: {
              id: 'm',
              text: '',
              sender: 'Machine',
              content_blocks: [{ contents: many(() => ({ type: 'tool_use' })) }],
            },
          },
        ],
      ],
    },
    {
      name: 'tool calls of Flowise',
      adapter: flowise,
      events: [
        [undefined, { event: 'calledTools', data: many(() => ({ tool: 'a' })) }],
        [undefined, { event: 'usedTools', data: many(() => ({ tool: 'b' })) }],
      ],
    },
    {
      name: 'tool calls of ADK',
      adapter: adk,
      events: [
        [
          undefined,
          {
            author: 'a',
            id: 'x',
            longRunningToolIds: many((index) => `z${String(index)}`),
            content: { role: 'model', parts: adkCalls },
          },
        ],
      ],
    },
    {
      name: 'results of ADK without ids',
      adapter: adk,
      events: [
        [undefined, { author: 'a', id: 'x', content: { role: 'model', parts: adkCalls } }],
        [
          undefined,
          {
            author: 'a',
            id: 'y',
            content: { role: 'user', parts: many(() => ({ functionResponse: { name: 'o', response: {} } })) },
          },
        ],
      ],
    },
    {
      name: 'a snapshot of AG-UI',
      adapter: agUi,
      events: [
        [undefined, { type: 'RUN_STARTED', threadId: 't', runId: 'r' }],
        [
          undefined,
          {
            type: 'MESSAGES_SNAPSHOT',
            messages: many((index) => ({
              id: `m${String(index)}`,
              role: 'assistant',
              content: '',
              toolCalls: [{ id: `c${String(index)}`, type: 'function', function: { name: 'n', arguments: '{}' } }],
            })),
          },
        ],
      ],
    },
    {
      name: 'calls of a response of OpenAI',
      adapter: openAiResponses,
      events: [
        [
          undefined,
          {
            type: 'response.completed',
            response: {
              id: 'r',
              status: 'completed',
              output: many((index) => ({
                type: 'function_call',
                id: `i${String(index)}`,
                call_id: `c${String(index)}`,
                name: 'n',
                arguments: '{}',
              })),
            },
          },
        ],
      ],
    },
    {
      name: 'suggestions of Coze',
      adapter: coze,
      events: many((index) => [
        'conversation.message.completed',
        { id: `f${String(index)}`, role: 'assistant', type: 'follow_up', content: 'More?' },
      ]),
    },
    {
      name: 'open calls of Coze',
      adapter: coze,
      events: many((index) => [
        'conversation.message.completed',
        { id: `c${String(index)}`, role: 'assistant', type: 'function_call', content: '{"name":"n"}' },
      ]),
    },
    {
      name: 'citation marks of Assistants',
      adapter: openAiAssistants,
      events: [
        [
          'thread.message.completed',
          {
            object: 'thread.message',
            id: 'm',
            role: 'assistant',
            content: [
              {
                type: 'text',
                text: {
                  value: 'a'.repeat(100_000),
                  annotations: many((index) => ({
                    type: 'file_citation',
                    text: `${'a'.repeat(20)}${String(index)}`,
                    file_citation: { file_id: 'f' },
                  })),
                },
              },
            ],
          },
        ],
      ],
    },
  ];

  it('rule 95: a call of an OpenAI chat is compared with a limited number of calls', async () => {
    const count = 10 * COUNT;
    const calls = Array.from({ length: count }, (_, index) => ({
      index,
      id: `c${String(index)}`,
      function: { name: 'n', arguments: '' },
    }));
    const reads = await readsOf(() =>
      decode(openAiChat, [
        [undefined, { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { tool_calls: calls } }] }],
      ]),
    );
    expect(reads).to.be.lessThan(2500 * count);
  });

  for (const { name, adapter, events } of rows)
    it(`rule 95: is read in time in proportion to its length: ${name}`, async () => {
      let count = 0;
      // Each mark of a text is searched in it, up to a limit of 100 million comparisons.
      const limit = name.startsWith('citation marks') ? 110_000_000 : 200 * COUNT;
      expect(await readsOf(async () => (count = await decode(adapter, events)))).to.be.lessThan(limit);
      expect(count).to.be.greaterThan(1);
    });

  for (const [name, format, round] of [
    [
      'openai-messages',
      'openai-messages',
      (id: string) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name: 'n', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: id, content: 'Done' },
      ],
    ],
    [
      'agentscope-msgs',
      'agentscope-msgs',
      (id: string) => [
        {
          id: `m${id}`,
          role: 'ASSISTANT',
          name: 'a',
          metadata: {},
          content: [{ type: 'tool_use', id, name: 'n', input: {} }],
        },
        {
          id: `r${id}`,
          role: 'TOOL',
          name: 'n',
          metadata: {},
          content: [{ type: 'tool_result', id, name: 'n', output: 'Done' }],
        },
      ],
    ],
    [
      'agentscope-msgs, in one message',
      'agentscope-msgs',
      (id: string) => [
        {
          id: 'm',
          role: 'ASSISTANT',
          name: 'a',
          metadata: { part_of: 'm' },
          content: [{ type: 'tool_use', id, name: 'n', input: {} }],
        },
        {
          role: 'TOOL',
          name: 'n',
          metadata: { at: id },
          content: [{ type: 'tool_result', id, name: 'n', output: 'Done' }],
        },
      ],
    ],
  ] as const)
    it(`rule 95: a file with thousands of calls and results is imported in time in proportion to its length: ${name}`, async () => {
      const messages = many((index) => round(`c${String(index)}`)).flat();
      const imported: unknown[] = [];
      const reads = await readsOf(() => Promise.resolve(imported.push(importConversation(messages, format))));
      // Each block is also compared with the types of its schema.
      expect(reads).to.be.lessThan(1000 * COUNT);
      expect(JSON.stringify(imported).split('"response":"Done"').length - 1).to.equal(COUNT);
    });
});
