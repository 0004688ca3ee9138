/** The source document on message architecture, in its order. Its page: `docs/protocols/deepchat-events.md`. */
import { expect, waitUntil } from '@open-wc/testing';
import { askAgent } from '../../src/agents/page-agent.ts';
import { PageAgentRegistry } from '../../src/agents/registry.ts';
import { PIXEL } from '../support/pixel.ts';
import * as model from '../../src/model.ts';
import { createStreamEvent as create, llmCoreStreamEvent } from '../../src/model.ts';
import type {
  AgentMessage,
  AgentMessageContent,
  AgentResponse,
  AgentResponseContent,
  BaseAgent,
  LLMCoreStreamEvent,
  ResponseType,
  StreamEventFields,
  StreamEventType,
  TextStreamEvent,
} from '../../src/model.ts';
import { deepchatEvents } from '../../src/protocols/deepchat-events.ts';
import { toAgentEvent } from '../../src/protocols/to-agent-event.ts';
import { RendererRegistry } from '../../src/renderers/core/registry.ts';
import { defineRenderer } from '../../src/renderers/core/renderer.ts';
import { has, inside, wordsOf } from '../components/support/mount.ts';
import { named, showBlock, showBlocks, wordsIn } from '../renderers/support/show.ts';
import { bareBlock, call, failure, text, thought, type Bare } from '../support/bare.ts';
import { findProtocol } from '../support/find-protocol.ts';
import { playEvents, sse } from '../support/play-body.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { blocksOf, messagesOf, requestBody, results, walkDocument, warningsAbout, type Thing } from './support/walk.ts';

const limit = { providerId: 'north', qpsLimit: 5, currentQps: 7, queueLength: 3 };
const usage = { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52 };
const image = { data: PIXEL, mimeType: 'image/png' };

/** One event of each type, and the block that it results in after a `stop`. */
const core: {
  readonly [Type in StreamEventType]: readonly [Extract<LLMCoreStreamEvent, { type: Type }>, readonly Bare[]];
} = {
  text: [create.text('Good day'), [text('Good day')]],
  reasoning: [create.reasoning('First the map'), [thought('First the map')]],
  tool_call_start: [create.toolCallStart('c1', 'find_route'), [call('c1', 'find_route', {}, { status: 'loading' })]],
  tool_call_chunk: [
    create.toolCallChunk('c1', '{"to":'),
    [{ type: 'tool_call', status: 'loading', tool_call: { id: 'c1', params: '{"to":' } }],
  ],
  tool_call_end: [
    create.toolCallEnd('c1', '{"to":"Oslo"}'),
    [{ type: 'tool_call', status: 'loading', tool_call: { id: 'c1', params: '{"to":"Oslo"}' } }],
  ],
  error: [create.error('The model is away'), [failure('The model is away')]],
  usage: [create.usage(usage), []],
  stop: [create.stop('tool_use'), []],
  image_data: [create.imageData(image), [{ type: 'image', image_data: image }]],
  rate_limit: [
    create.rateLimit(limit),
    [{ type: 'action', status: 'pending', action_type: 'rate_limit', extra: { ...limit } }],
  ],
};
const types = Object.keys(core) as StreamEventType[];

/** The events of `core` as the document writes them out. */
const written: Readonly<Record<StreamEventType, object>> = {
  text: { type: 'text', content: 'Good day' },
  reasoning: { type: 'reasoning', reasoning_content: 'First the map' },
  tool_call_start: { type: 'tool_call_start', tool_call_id: 'c1', tool_call_name: 'find_route' },
  tool_call_chunk: { type: 'tool_call_chunk', tool_call_id: 'c1', tool_call_arguments_chunk: '{"to":' },
  tool_call_end: { type: 'tool_call_end', tool_call_id: 'c1', tool_call_arguments_complete: '{"to":"Oslo"}' },
  error: { type: 'error', error_message: 'The model is away' },
  usage: { type: 'usage', usage: { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52 } },
  stop: { type: 'stop', stop_reason: 'tool_use' },
  image_data: { type: 'image_data', image_data: { data: PIXEL, mimeType: 'image/png' } },
  rate_limit: {
    type: 'rate_limit',
    rate_limit: { providerId: 'north', qpsLimit: 5, currentQps: 7, queueLength: 3 },
  },
};

/** Blocks of an open stream, after its events alone. */
const open = (...events: readonly object[]): readonly Bare[] =>
  playEvents(events.map((event) => toAgentEvent(event as LLMCoreStreamEvent, 'e'))).messages.flatMap(({ blocks }) =>
    blocks.map(bareBlock),
  );

const required: Readonly<Record<string, string>> = {
  text: 'content',
  reasoning: 'reasoning_content',
  tool_call_start: 'tool_call_name',
  tool_call_chunk: 'tool_call_arguments_chunk',
  tool_call_end: 'tool_call_id',
  error: 'error_message',
  usage: 'usage',
  stop: 'stop_reason',
  image_data: 'image_data',
  rate_limit: 'rate_limit',
};

const guards: Readonly<Record<StreamEventType, (event: LLMCoreStreamEvent) => boolean>> = {
  text: model.isTextEvent,
  reasoning: model.isReasoningEvent,
  tool_call_start: model.isToolCallStartEvent,
  tool_call_chunk: model.isToolCallChunkEvent,
  tool_call_end: model.isToolCallEndEvent,
  error: model.isErrorEvent,
  usage: model.isUsageEvent,
  stop: model.isStopEvent,
  image_data: model.isImageDataEvent,
  rate_limit: model.isRateLimitEvent,
};

const agent = (fields: object) => ({ type: 'response', data: { eventId: 'e1', ...fields } });
const end = (userStop = false) => ({ type: 'end', data: { eventId: 'e1', userStop } });
const begin = agent({
  tool_call: 'start',
  tool_call_id: 'c1',
  tool_call_name: 'find_route',
  tool_call_params: '{"to":1}',
});
const permission = { toolName: 'send', serverName: 'post', permissionType: 'write', description: 'Sends a letter' };
const asks = agent({ tool_call: 'permission-required', tool_call_id: 'c1', permission_request: permission });
const route = (more: Bare = {}, details: Bare = {}): Bare =>
  call('c1', 'find_route', { params: '{"to":1}', ...more }, details);

const gives = (says: string, events: readonly object[], blocks: readonly Bare[]): Thing => [
  says,
  results(deepchatEvents, sse(...events), blocks),
];

/** A block in its full form, as the page may store it. */
const stored = (fields: object): unknown =>
  model.assistantMessageBlock.safeParse({ id: 'b', status: 'success', timestamp: 1, ...fields }).success;
const isBlock = (says: string, fields: object): Thing => [says, () => expect(stored(fields)).to.equal(true)];

const artifact = (type: string) => ({ identifier: 'a', title: 'A page', type });

/** An agent that answers with given responses. */
function answering(...answers: readonly Partial<AgentResponse>[]): BaseAgent {
  return {
    id: 'north',
    name: 'North',
    description: 'Knows the way',
    capabilities: [{ type: 'search', description: 'Finds' }],
    async *processMessage({ id }: AgentMessage): AsyncGenerator<AgentResponse> {
      await Promise.resolve();
      for (const [index, answer] of answers.entries()) {
        yield {
          id: `r${String(index)}`,
          messageId: id,
          agentId: 'north',
          type: 'text',
          content: {},
          metadata: {},
          status: 'complete',
          timestamp: 1,
          ...answer,
        };
      }
    },
    getSupportedMessageTypes: () => ['text', 'code', 'data', 'command', 'file', 'image', 'structured_data'],
    getConfigurationSchema: () => ({}),
  };
}

async function answered(type: ResponseType, content: AgentResponseContent): Promise<readonly Bare[]> {
  const events = [];
  const asked: AgentMessage = { id: 'm', type: 'text', role: 'user', content: {}, metadata: {}, timestamp: 1 };
  const options = { eventId: 'e', signal: new AbortController().signal };
  for await (const batch of askAgent(answering({ type, content }), asked, options)) events.push(...batch);
  return playEvents(events).messages.flatMap(({ blocks }) => blocks.map(bareBlock));
}
const responds = (type: ResponseType, content: AgentResponseContent, ...blocks: readonly Bare[]): Thing => [
  `a response of the type ${type}`,
  async () => {
    expect(await answered(type, content)).to.deep.equal(blocks);
  },
];

const sends = (name: keyof AgentMessageContent, content: AgentMessageContent, type: string): Thing => [
  `content with ${name}`,
  async () => {
    const message = { role: 'user', text: 'x', metadata: { content } } as const;
    const { messages } = await requestBody(deepchatEvents, [message]);
    expect((messages as Bare[])[0]).to.deep.include({ type, content, role: 'user' });
  },
];

const code = { language: 'python', content: 'print(1)' };
const file = { name: 'a.txt', content: 'QQ==', mimeType: 'text/plain' };
const shownText = async (block: Parameters<typeof showBlock>[0]): Promise<string> =>
  wordsIn((await showBlock(block)).element);

const capabilities = [
  'tool_call',
  'reasoning',
  'search',
  'code_generation',
  'data_analysis',
  'image_processing',
] as const;

const stops: Readonly<Record<string, string>> = {
  tool_use: 'complete',
  max_tokens: 'complete',
  stop_sequence: 'complete',
  error: 'error',
  complete: 'complete',
};

walkDocument('the document on message architecture', 125, [
  [
    'core events',
    ...types.map((type): Thing => [
      `${type} has its shape`,
      () => {
        expect(llmCoreStreamEvent.parse(core[type][0])).to.deep.equal(core[type][0]);
        expect(open(core[type][0])).to.deep.equal(core[type][1]);
      },
    ]),
    ...types.map((type): Thing => [
      `${type} needs ${required[type] ?? ''}`,
      () => {
        const { [required[type] ?? '']: _missing, ...rest } = core[type][0] as unknown as Record<string, unknown>;
        expect(llmCoreStreamEvent.safeParse(rest).success).to.equal(false);
      },
    ]),
    ...types.map((type): Thing => [
      `${type} ignores the field of another type`,
      () => {
        const foreign = type === 'text' ? { reasoning_content: 'x' } : { content: 'x' };
        expect(llmCoreStreamEvent.parse({ ...core[type][0], ...foreign })).to.deep.equal(core[type][0]);
      },
    ]),
    [
      'tool_call_end may come without the complete arguments',
      results(
        deepchatEvents,
        sse(
          create.toolCallStart('c1', 'find_route'),
          create.toolCallChunk('c1', '{"to":1}'),
          create.toolCallEnd('c1'),
          create.stop('tool_use'),
        ),
        [route({}, { status: 'loading' })],
      ),
    ],
    [
      'rate_limit may have an estimated waiting time',
      () => {
        expect(open(create.rateLimit({ ...limit, estimatedWaitTime: 2000 }))[0]).to.deep.include({
          extra: { ...limit, estimatedWaitTime: 2000 },
        });
      },
    ],
    ...Object.entries(stops).map(([reason, status]): Thing => [
      `stop_reason ${reason}`,
      async () => {
        const [message] = await messagesOf(deepchatEvents, sse(create.text('a'), create.stop(reason as 'complete')));
        expect(message).to.deep.include({ status, finish: reason });
      },
    ]),
    [
      'StreamEventFields has the fields of each type',
      () => {
        const fields: { readonly [Type in StreamEventType]?: StreamEventFields<Type> } = {
          text: { content: 'a' },
          tool_call_start: { tool_call_id: 'c', tool_call_name: 'f' },
          tool_call_end: { tool_call_id: 'c' },
          stop: { stop_reason: 'complete' },
        };
        expect(Object.keys(fields)).to.have.length(4);
      },
    ],
    ...types.map((type): Thing => [
      `the factory for ${type} sets the fields of its type and no others`,
      () => {
        expect(core[type][0]).to.deep.equal(written[type]);
      },
    ]),
  ],
  [
    'type safety',
    [
      'a missing field is a compile error',
      () => {
        // @ts-expect-error -- `content` is missing.
        const event: TextStreamEvent = { type: 'text' };
        expect(event.type).to.equal('text');
      },
    ],
    [
      'the field of another type is a compile error',
      () => {
        // @ts-expect-error -- `reasoning_content` belongs to `reasoning`.
        const event: LLMCoreStreamEvent = { type: 'text', content: 'a', reasoning_content: 'b' };
        expect(event.type).to.equal('text');
      },
    ],
    [
      'the fields are known after a check of the type',
      () => {
        const told = (event: LLMCoreStreamEvent): string => (event.type === 'text' ? event.content : '');
        expect(told(create.text('a'))).to.equal('a');
      },
    ],
    ...types.map((type): Thing => [
      `the guard of ${type} accepts its events and no others`,
      () => {
        expect(types.filter((other) => guards[type](core[other][0]))).to.deep.equal([type]);
      },
    ]),
    [
      'core events become agent events before the UI sees them',
      () => {
        expect(types.map((type) => toAgentEvent(core[type][0], 'e').type)).to.deep.equal(
          types.map((type) => (type === 'error' ? 'error' : 'response')),
        );
      },
    ],
    [
      'a provider emits no blocks',
      async () => {
        expect(
          await warningsAbout(deepchatEvents, sse({ type: 'content', content: 'a', status: 'success' })),
        ).to.deep.equal(['unknown']);
      },
    ],
  ],
  [
    'provider and processor',
    [
      'a provider streams core events',
      async () => {
        const provider: model.TypeSafeLLMProvider = {
          id: 'p',
          name: 'P',
          async *coreStream(messages, modelId, modelConfig, temperature, maxTokens, tools) {
            await Promise.resolve();
            yield create.text(
              `${modelId} ${String(messages.length + tools.length + maxTokens + temperature)} ${typeof modelConfig}`,
            );
          },
        };
        const seen: unknown[] = [];
        for await (const event of provider.coreStream([{ role: 'user', content: 'a' }], 'm', {}, 0, 8, []))
          seen.push(event);
        expect(seen).to.deep.equal([{ type: 'text', content: 'm 9 object' }]);
      },
    ],
    [
      'a processor turns them into responses',
      () => {
        const processor: Pick<model.TypeSafeAgentProcessor, 'isTextEvent' | 'isToolCallStartEvent' | 'isErrorEvent'> = {
          isTextEvent: model.isTextEvent,
          isToolCallStartEvent: model.isToolCallStartEvent,
          isErrorEvent: model.isErrorEvent,
        };
        expect(processor.isTextEvent(create.text('a'))).to.equal(true);
      },
    ],
  ],
  [
    'agent events',
    gives('content', [agent({ content: 'Hello' }), end()], [text('Hello')]),
    gives('reasoning_content', [agent({ reasoning_content: 'Hm' }), end()], [thought('Hm')]),
    gives(
      'tool_call_id, tool_call_name, tool_call_params',
      [begin, agent({ tool_call: 'end', tool_call_id: 'c1' }), end()],
      [route()],
    ),
    gives(
      'tool_call_response as text',
      [begin, agent({ tool_call: 'end', tool_call_id: 'c1', tool_call_response: 'ok' }), end()],
      [route({ response: 'ok' })],
    ),
    gives(
      'tool_call_response as the content of a tool server',
      [
        begin,
        agent({
          tool_call: 'end',
          tool_call_id: 'c1',
          tool_call_response: [
            { type: 'text', text: 'o' },
            { type: 'text', text: 'k' },
          ],
        }),
        end(),
      ],
      [route({ response: 'ok' })],
    ),
    [
      'tool_call_response_raw is for programs, not for the UI',
      results(
        deepchatEvents,
        sse(begin, agent({ tool_call: 'end', tool_call_id: 'c1', tool_call_response_raw: { deep: [1] } }), end()),
        [route()],
      ),
    ],
    gives(
      'maximum_tool_calls_reached',
      [agent({ maximum_tool_calls_reached: true }), end()],
      [{ type: 'action', status: 'pending', action_type: 'maximum_tool_calls_reached' }],
    ),
    gives(
      'tool_call_server_name, -icons, -description',
      [
        agent({
          tool_call: 'start',
          tool_call_id: 'c1',
          tool_call_name: 'find_route',
          tool_call_server_name: 'maps',
          tool_call_server_icons: '🗺️',
          tool_call_server_description: 'Roads',
        }),
        agent({ tool_call: 'end', tool_call_id: 'c1' }),
        end(),
      ],
      [call('c1', 'find_route', { server_name: 'maps', server_icons: '🗺️', server_description: 'Roads' })],
    ),
    [
      'the server, its icon and its description are shown in the row of the tool',
      async () => {
        const { element } = await showBlock({
          type: 'tool_call',
          status: 'success',
          tool_call: {
            id: 'c',
            name: 'find_route',
            server_name: 'maps',
            server_icons: '🗺️',
            server_description: 'Roads of the north',
          },
        });
        expect(wordsIn(element)).to.contain('🗺️ Find route').and.contain('From maps Roads of the north');
      },
    ],
    gives(
      'permission_request',
      [begin, asks, end()],
      [
        route({}, { status: 'loading' }),
        {
          type: 'action',
          status: 'pending',
          action_type: 'tool_call_permission',
          content: 'Sends a letter',
          tool_call: { id: 'c1', name: 'send', params: '{"to":1}' },
          extra: { permissionType: 'write', serverName: 'post', toolName: 'send' },
        },
      ],
    ),
    [
      'totalUsage, with the length of the context',
      async () => {
        const [message] = await messagesOf(
          deepchatEvents,
          sse(agent({ content: 'a', totalUsage: { ...usage, context_length: 8000 } }), end()),
        );
        expect(message?.['usage']).to.deep.equal({ ...usage, context_length: 8000 });
      },
    ],
    gives('image_data', [agent({ image_data: image }), end()], [{ type: 'image', image_data: image }]),
    gives(
      'rate_limit',
      [agent({ rate_limit: limit }), end()],
      [{ type: 'action', action_type: 'rate_limit', extra: { ...limit } }],
    ),
    [
      'error inside a response makes no block: errors come from error events',
      results(deepchatEvents, sse(agent({ content: 'a', error: 'x' }), end()), [text('a')]),
    ],
    [
      'userStop',
      async () => {
        const [message] = await messagesOf(deepchatEvents, sse(agent({ content: 'a' }), end(true)));
        expect(message?.['status']).to.equal('cancelled');
      },
    ],
    ...(['start', 'running', 'update'] as const).map((state): Thing => [
      `tool_call ${state} leaves the call open`,
      () => {
        expect(open(agent({ tool_call: state, tool_call_id: 'c1', tool_call_name: 'f' }))).to.deep.equal([
          call('c1', 'f', {}, { status: 'loading' }),
        ]);
      },
    ]),
    gives(
      'tool_call error ends the call as failed',
      [begin, agent({ tool_call: 'error', tool_call_id: 'c1', tool_call_response: 'no road' }), end()],
      [route({ response: 'no road' }, { status: 'error' })],
    ),
  ],
  [
    'shared types',
    [
      'UsageStats has an optional length of the context',
      () => {
        expect(
          [usage, { ...usage, context_length: 1 }].every((stats) => model.usageStats.safeParse(stats).success),
        ).to.equal(true);
      },
    ],
    [
      'RateLimitInfo has an optional waiting time',
      () => {
        expect(
          [limit, { ...limit, estimatedWaitTime: 1 }].every((info) => model.rateLimitInfo.safeParse(info).success),
        ).to.equal(true);
      },
    ],
    [
      'both are used in events of either layer',
      () => {
        expect(open(create.rateLimit(limit))).to.deep.equal(open(agent({ rate_limit: limit })));
      },
    ],
  ],
  [
    'blocks',
    isBlock('content', { type: 'content', content: 'a' }),
    isBlock('search', { type: 'search' }),
    isBlock('reasoning_content', { type: 'reasoning_content', content: 'a', reasoning_time: { start: 1, end: 2 } }),
    isBlock('error', { type: 'error', content: 'a' }),
    isBlock('tool_call', {
      type: 'tool_call',
      tool_call: {
        id: 'c',
        name: 'f',
        params: '{}',
        response: 'r',
        server_name: 's',
        server_icons: 'i',
        server_description: 'd',
      },
    }),
    isBlock('action', { type: 'action', action_type: 'rate_limit' }),
    isBlock('image', { type: 'image', image_data: image }),
    isBlock('artifact-thinking', { type: 'artifact-thinking', content: 'a' }),
    ...['success', 'loading', 'cancel', 'error', 'reading', 'optimizing', 'pending', 'granted', 'denied'].map(
      (status) => isBlock(`status ${status}`, { type: 'search', status }),
    ),
    isBlock('extra with texts, numbers, lists and flags', {
      type: 'search',
      extra: { a: 'x', b: 1, c: [{ d: 1 }], e: true },
    }),
    ...[
      'application/vnd.ant.code',
      'text/markdown',
      'text/html',
      'image/svg+xml',
      'application/vnd.ant.mermaid',
      'application/vnd.ant.react',
    ].map((type) =>
      isBlock(`artifact ${type}`, { type: 'content', content: 'a', artifact: { ...artifact(type), language: 'x' } }),
    ),
    ...['tool_call_permission', 'maximum_tool_calls_reached', 'rate_limit'].map((action_type) =>
      isBlock(`action_type ${action_type}`, { type: 'action', action_type }),
    ),
    [
      'a permission is an action, no type of its own',
      () => expect(stored({ type: 'tool_call_permission' })).to.equal(false),
    ],
    [
      'a timestamp is required',
      () =>
        expect(
          model.assistantMessageBlock.safeParse({ id: 'b', status: 'success', type: 'content', content: 'a' }).success,
        ).to.equal(false),
    ],
    [
      'a search without content is shown',
      async () => expect(await shownText({ type: 'search', extra: { total: 2 } })).to.contain('2 results'),
    ],
    [
      'an artifact is a card',
      async () => {
        const chat = await showBlocks([
          { type: 'content', content: '# A', artifact: { identifier: 'a', title: 'A plan', type: 'text/markdown' } },
        ]);
        await waitUntil(() => wordsOf(chat).includes('A plan'), 'the card comes', { timeout: 10_000 });
      },
    ],
  ],
  [
    'mapping of events to blocks',
    gives('text → content, success', [agent({ content: 'a' }), end()], [text('a')]),
    [
      'reasoning → reasoning_content with its time',
      () => {
        const { messages } = playEvents([toAgentEvent(create.reasoning('a'), 'e')]);
        expect(messages[0]?.blocks[0]).to.have.property('reasoning_time');
      },
    ],
    ['tool start → loading', () => expect(open(begin)).to.deep.equal([route({}, { status: 'loading' })])],
    [
      'running and update add parameters and parts of the result of the same id',
      () => {
        const more = [
          agent({ tool_call: 'running', tool_call_id: 'c1', tool_call_response: 'half' }),
          agent({ tool_call: 'update', tool_call_id: 'c1', tool_call_response: ' and half' }),
        ];
        expect(open(begin, ...more)).to.deep.equal([route({ response: 'half and half' }, { status: 'loading' })]);
      },
    ],
    gives(
      'end with the parameters repeated adds nothing',
      [
        begin,
        agent({ tool_call: 'end', tool_call_id: 'c1', tool_call_params: '{"to":1}', tool_call_response: 'r' }),
        end(),
      ],
      [route({ response: 'r' })],
    ),
    [
      'permission-required → action, pending',
      () =>
        expect(open(asks)[0]).to.deep.include({
          type: 'action',
          status: 'pending',
          action_type: 'tool_call_permission',
        }),
    ],
    [
      'rate_limit → action, pending',
      () => expect(open(agent({ rate_limit: limit }))[0]).to.deep.include({ status: 'pending', extra: { ...limit } }),
    ],
    [
      'a severe rate_limit → action, error',
      () =>
        expect(open(agent({ rate_limit: { ...limit, estimatedWaitTime: 3_600_000 } }))[0]).to.deep.include({
          status: 'error',
        }),
    ],
    [
      'rate limits of one provider are one block',
      () =>
        expect(open(agent({ rate_limit: limit }), agent({ rate_limit: { ...limit, queueLength: 1 } }))).to.have.length(
          1,
        ),
    ],
    gives('error event → error', [{ type: 'error', data: { eventId: 'e1', error: 'gone' } }, end()], [failure('gone')]),
    [
      'end closes what is still loading: as an error',
      results(deepchatEvents, sse(begin, end()), [route({}, { status: 'error' })]),
    ],
    [
      'end closes what is still loading: as cancelled after userStop',
      results(deepchatEvents, sse(begin, end(true)), [route({}, { status: 'cancel' })]),
    ],
    [
      'totalUsage makes no block',
      results(deepchatEvents, sse(agent({ totalUsage: usage }), agent({ content: 'a' }), end()), [text('a')]),
    ],
  ],
  [
    'checklist for renderers',
    [
      'an unknown type is refused, and the rest is read',
      async () => {
        const body = sse({ type: 'response', data: { eventId: 'e', tool_call: 'dance', content: 'a' } }, end());
        expect(await warningsAbout(deepchatEvents, body)).to.deep.equal(['unknown']);
        expect(await blocksOf(deepchatEvents, body)).to.deep.equal([text('a')]);
      },
    ],
    [
      'a tool goes from loading to success or error, and never back',
      results(
        deepchatEvents,
        sse(
          begin,
          agent({ tool_call: 'end', tool_call_id: 'c1' }),
          agent({ tool_call: 'running', tool_call_id: 'c1', tool_call_response: 'late' }),
          end(),
        ),
        [route()],
      ),
    ],
    [
      'a permission is granted or denied',
      async () => {
        const { chat, element } = await showBlock({
          type: 'action',
          status: 'granted',
          action_type: 'tool_call_permission',
          tool_call: { id: 'c', name: 'send' },
        });
        expect(wordsIn(element)).to.match(/^Send allowed/i);
        chat.remove();
      },
    ],
    [
      'a rate limit shows provider, limit, current rate and queue',
      async () => {
        const words = await shownText({
          type: 'action',
          status: 'pending',
          action_type: 'rate_limit',
          extra: { ...limit, estimatedWaitTime: 30_000 },
        });
        expect(words).to.contain('north').and.contain('7 of 5').and.contain('3 in the queue');
      },
    ],
    [
      'the type of an image must be allowed',
      async () => {
        const chat = await showBlocks([{ type: 'image', image_data: { data: PIXEL, mimeType: 'image/x-dangerous' } }]);
        expect((await inside(chat, '[part~="block-image"]')).querySelector('img')).to.equal(null);
      },
    ],
    [
      'an image has a maximum size',
      async () => {
        const chat = await showBlocks([{ type: 'image', image_data: image }], {
          settings: { limits: { imageBytes: 10 } },
        });
        expect((await inside(chat, '[part~="block-image"]')).querySelector('img')).to.equal(null);
      },
    ],
    [
      'at the end only a permission stays open',
      async () => {
        const other = agent({ tool_call: 'start', tool_call_id: 'c2', tool_call_name: 'other' });
        const blocks = await blocksOf(deepchatEvents, sse(other, begin, asks, end()));
        expect(blocks.map(({ status }) => status)).to.deep.equal(['error', 'loading', 'pending']);
      },
      'the call of the permission stays open with it, because its result comes in the next stream',
    ],
    [
      'timestamps never decrease in a message',
      () => {
        const [message] = playEvents([
          toAgentEvent(create.text('a'), 'e'),
          toAgentEvent(create.reasoning('b'), 'e'),
        ]).messages;
        const times = (message?.blocks ?? []).map(({ timestamp }) => timestamp);
        expect(times).to.deep.equal([...times].sort((left, right) => left - right));
      },
    ],
    [
      'texts are in the user’s language',
      async () => {
        const { chat } = await showBlock({ type: 'error', status: 'error', content: 'x' });
        chat.lang = 'de';
        await chat.updateComplete;
        expect(chat.locale ?? chat.lang).to.equal('de');
      },
    ],
    [
      'a renderer has no side effects: it gets the block and an act function',
      () => {
        const seen: unknown[] = [];
        const renderer = defineRenderer({
          type: 'content',
          getProps: (block) => ({ words: block.content }),
          component: (props) => seen.push(props),
        });
        renderer.getProps(
          { id: 'b', type: 'content', status: 'success', timestamp: 1, content: 'a' },
          undefined as never,
        );
        expect(seen).to.deep.equal([]);
      },
    ],
    [
      'text is Markdown, rendered safely',
      async () => {
        const { element } = await showBlock({
          type: 'content',
          content: '**bold** <img src=x onerror="globalThis.hit=1">',
        });
        expect([element.querySelector('strong')?.textContent, element.querySelector('[onerror]')]).to.deep.equal([
          'bold',
          null,
        ]);
      },
    ],
  ],
  [
    'the supported messages',
    [
      'tool_call_permission as a type',
      () => expect(stored({ type: 'tool_call_permission' })).to.equal(false),
      'the document replaces it by action and action_type',
    ],
    [
      'search results are links',
      async () => {
        const { element } = await showBlock({
          type: 'search',
          content: 'maps',
          extra: { pages: [{ title: 'A map', url: 'https://maps.example/' }] },
        });
        expect(element.querySelector('a')?.textContent).to.contain('A map');
      },
    ],
    [
      'artifact-thinking is muted text',
      async () => expect(await shownText({ type: 'artifact-thinking', content: 'Sketching' })).to.equal('Sketching'),
    ],
  ],
  [
    'agents',
    ...capabilities.map((type): Thing => [
      `an agent with the capability ${type} is found by it and by no other`,
      async () => {
        const registry = new PageAgentRegistry();
        const capability = { type, description: 'Does it', required_permissions: ['read'] };
        const one = { ...answering(), capabilities: [capability] };
        await registry.registerAgent(one);
        expect(
          capabilities.filter((other) => registry.getAgentsByCapability({ type: other }).length > 0),
        ).to.deep.equal([type]);
        expect(registry.getAgentsByCapability(capability)).to.deep.equal([one]);
        await registry.unregisterAgent(one.id);
        expect(registry.getAgentsByCapability(capability)).to.deep.equal([]);
      },
    ]),
    [
      'an agent with several capabilities is found once by each',
      async () => {
        const registry = new PageAgentRegistry();
        const one = { ...answering(), capabilities: capabilities.map((type) => ({ type, description: 'Does it' })) };
        await registry.registerAgent(one);
        expect(capabilities.map((type) => registry.getAgentsByCapability({ type }))).to.deep.equal(
          capabilities.map(() => [one]),
        );
      },
    ],
    sends('text', { text: 'hi' }, 'text'),
    sends('code', { code: { ...code, filename: 'a.py' } }, 'code'),
    sends('data', { data: { format: 'csv', schema: {}, content: 'a,b' } }, 'data'),
    sends('command', { command: { type: 'run', parameters: { a: 1 } } }, 'command'),
    sends('file', { file }, 'file'),
    sends('image', { image: { ...image, metadata: { width: 1 } } }, 'image'),
    sends('structured', { structured: { type: 'stock_query', data: { symbol: 'X' } } }, 'structured_data'),
    [
      'a message has id, role, agentId, metadata and timestamp',
      async () => {
        const { messages } = await requestBody(deepchatEvents, [
          { role: 'assistant', text: 'a', agentId: 'north' },
          { role: 'user', text: 'b' },
        ]);
        expect((messages as Bare[])[0]).to.have.all.keys(
          'id',
          'type',
          'role',
          'agentId',
          'content',
          'metadata',
          'timestamp',
        );
      },
    ],
  ],
  [
    'responses',
    responds('text', { text: 'Hello' }, text('Hello')),
    responds('code', { code: { ...code, output: '1' } }, { type: 'code', code: { ...code, output: '1' } }),
    responds(
      'data',
      { data: { format: 'anything', content: { a: 1 } } },
      { type: 'data', data: { data_type: 'custom', data: { a: 1 } } },
    ),
    responds(
      'command_result',
      { commandResult: { success: false, output: 'o', error: 'e', exitCode: 2 } },
      {
        type: 'command_result',
        status: 'error',
        commandResult: { success: false, output: 'o', error: 'e', exitCode: 2 },
      },
    ),
    responds('file', { file }, { type: 'file', file, name: 'a.txt', mimeType: 'text/plain' }),
    responds('image', { image }, { type: 'image', image_data: image }),
    responds('error', { error: { code: 'E1', message: 'gone', details: { a: 1 } } }, failure('gone', { code: 'E1' })),
    responds(
      'progress',
      { progress: { current: 4, total: 4, message: 'all' } },
      { type: 'progress', progress: { current: 4, total: 4, message: 'all' }, extra: { responseId: 'r0' } },
    ),
    responds(
      'confirmation',
      { confirmation: { type: 'action', message: 'Go?', options: ['Yes', 'No'] } },
      {
        type: 'action',
        status: 'pending',
        action_type: 'confirmation',
        content: 'Go?',
        extra: { kind: 'action', options: [{ label: 'Yes' }, { label: 'No' }] },
      },
    ),
    [
      'data as CSV is a table',
      async () => {
        expect(await answered('data', { data: { format: 'csv', content: 'a,b\n1,2' } })).to.deep.equal([
          { type: 'data', data: { data_type: 'dataframe', data: { columns: ['a', 'b'], rows: [['1', '2']] } } },
        ]);
      },
    ],
    [
      'data as a list of rows is a table',
      async () => {
        expect((await answered('data', { data: { format: 'csv', content: [['a'], [1]] } }))[0]).to.deep.include({
          data: { data_type: 'dataframe', data: { columns: ['a'], rows: [[1]] } },
        });
      },
    ],
    [
      'data with a visualization is a chart',
      async () => {
        expect(
          (await answered('data', { data: { format: 'json', content: '[1,2]', visualization: { type: 'bar' } } }))[0],
        ).to.deep.include({ data: { data_type: 'chart', data: { type: 'bar', data: [1, 2] } } });
      },
    ],
  ],
  [
    'registry',
    [
      'registers, finds, lists and removes agents, with promises',
      async () => {
        const registry: model.AgentRegistry = new PageAgentRegistry();
        const one = answering();
        await registry.registerAgent(one);
        expect([registry.getAgent('north'), registry.getAllAgents()]).to.deep.equal([one, [one]]);
        await registry.unregisterAgent('north');
        expect(registry.getAgent('north')).to.equal(undefined);
      },
    ],
    [
      'discovers agents',
      async () => {
        const one = answering();
        expect(await new PageAgentRegistry(() => Promise.resolve([one])).discoverAgents()).to.deep.equal([one]);
      },
    ],
  ],
  [
    'renderers of a page',
    [
      'are registered by message type',
      () => {
        const registry = new RendererRegistry();
        const renderer = defineRenderer({ type: 'structured_data', getProps: () => ({}), component: () => '' });
        registry.register(renderer);
        expect(registry.getRenderer('data')).to.equal(renderer);
      },
    ],
    [
      'may be for single agents',
      () => {
        const registry = new RendererRegistry();
        const renderer = defineRenderer({
          type: 'text',
          agentTypes: ['north'],
          getProps: () => ({}),
          component: () => '',
        });
        registry.register(renderer);
        expect([registry.getRenderer('text', 'north'), registry.getRenderer('text', 'south')]).to.deep.equal([
          renderer,
          undefined,
        ]);
      },
    ],
    [
      'getProps gets the message',
      async () => {
        const renderers = new RendererRegistry();
        renderers.register(
          defineRenderer({
            type: 'content',
            getProps: (block, { message }) => `${message.role}: ${block.content}`,
            component: (props) => props,
          }),
        );
        const chat = await showBlocks([{ type: 'content', content: 'plain' }], { settings: { renderers } });
        expect(wordsIn(await inside(chat, 'agent-chat-message article'))).to.contain('assistant: plain');
      },
      'it gets the block first, because a message has several, and the message in its context',
    ],
    [
      'the frame of a message has the agent’s name and a toolbar',
      async () => {
        const chat = await showBlocks([{ type: 'content', content: 'a' }], {
          settings: { agents: [answering(), { ...answering(), id: 's', name: 'South' }] },
          message: { agentId: 'north', status: 'complete' },
        });
        await inside(chat, '.toolbar');
        expect(has(chat, 'agent-chat-message article')).to.equal(true);
        expect(named(chat.renderRoot, 'Copy')).to.be.instanceOf(HTMLElement);
      },
    ],
  ],
  [
    'transport',
    [
      'is not described: events are read as server-sent events and as lines',
      async () => {
        const events = [agent({ content: 'a' }), end()];
        const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
        expect(await blocksOf(deepchatEvents, lines)).to.deep.equal(await blocksOf(deepchatEvents, sse(...events)));
      },
    ],
    [
      'both layers are detected',
      async () => {
        expect(await findProtocol(sse(agent({ content: 'a' }), end()), protocols.list())).to.equal('deepchat-events');
        expect(await findProtocol(sse(create.text('a'), create.stop('complete')), protocols.list())).to.equal(
          'deepchat-events',
        );
      },
    ],
  ],
]);
