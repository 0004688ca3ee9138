/**
 * The source document on message architecture, in its order: events, blocks, their mapping, and the checklist for
 * renderers. `deepchat-agents.test.ts` has its second half. Its page: `docs/protocols/deepchat-events.md`.
 *
 * Counted field by field, the document has 287 things: 195 here, 92 in the second half. 180 test cases existed; the 120
 * others are the required fields, the interfaces by their names, the samples as classes, the kinds of permission, what
 * each block shows, and agents that are asked, configured and chosen in a page.
 */
import { expect, waitUntil } from '@open-wc/testing';
import { PIXEL } from '../support/pixel.ts';
import * as model from '../../src/model.ts';
import { createStreamEvent as create, llmCoreStreamEvent } from '../../src/model.ts';
import type { LLMCoreStreamEvent, StreamEventFields, StreamEventType, TextStreamEvent } from '../../src/model.ts';
import { adapter as deepchatEvents } from '../../src/protocols/deepchat-events/deepchat-events.ts';
import { toAgentEvent } from '../../src/protocols/to-agent-event.ts';
import { mediaLimits } from '../../src/safety/media-limits.ts';
import { RendererRegistry } from '../../src/renderers/core/registry.ts';
import { defineRenderer } from '../../src/renderers/core/renderer.ts';
import { inside, wordsOf } from '../components/support/mount.ts';
import { showBlock, showBlocks, wordsIn } from '../renderers/support/show.ts';
import { bareBlock, call, failure, text, thought, type ExpectedFields } from '../support/bare.ts';
import { findProtocol } from '../support/find-protocol.ts';
import { playEvents, sse } from '../support/play-body.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { blocksOf, messagesOf, requestBody, results, walkDocument, warningsAbout, type Thing } from './support/walk.ts';

const limit = { providerId: 'north', qpsLimit: 5, currentQps: 7, queueLength: 3 };
const usage = { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52 };
const image = { data: PIXEL, mimeType: 'image/png' };

/** One event of each type, and the block that it results in after a `stop`. */
const core: {
  readonly [Type in StreamEventType]: readonly [Extract<LLMCoreStreamEvent, { type: Type }>, readonly ExpectedFields[]];
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

/** A provider and a processor with the names and the flow of the document's samples. */
class SampleProvider implements model.TypeSafeLLMProvider {
  id = 'sample-provider';
  name = 'Sample';
  async *coreStream(
    _messages: readonly model.ProviderMessage[] = [],
    _modelId = '',
    _modelConfig: Readonly<Record<string, unknown>> = {},
    _temperature = 0,
    _maxTokens = 0,
    _tools: readonly model.MCPToolDefinition[] = [],
  ): AsyncGenerator<LLMCoreStreamEvent> {
    yield await Promise.resolve(create.text('I look.'));
    yield create.toolCallStart('c1', 'find_route');
    yield create.toolCallChunk('c1', '{"to":');
    yield create.toolCallEnd('c1', '{"to":1}');
  }
}
class SampleProcessor implements model.TypeSafeAgentProcessor {
  async *processStream(events: AsyncGenerator<LLMCoreStreamEvent>): AsyncGenerator<model.AgentResponse> {
    for await (const event of events) {
      if (this.isTextEvent(event)) yield this.#say(event.content);
      else if (this.isToolCallStartEvent(event)) yield this.#say(event.tool_call_name);
      else if (this.isErrorEvent(event)) yield this.#say(event.error_message);
    }
  }
  #say(words: string): model.AgentResponse {
    const part = { id: 'r', messageId: 'm', agentId: 'sample', metadata: {}, timestamp: 1 };
    return { ...part, type: 'text', content: { text: words }, status: 'streaming' };
  }
  isTextEvent = model.isTextEvent;
  isToolCallStartEvent = model.isToolCallStartEvent;
  isErrorEvent = model.isErrorEvent;
}

/** Blocks of an open stream, after its events alone. */
const open = (...events: readonly object[]): readonly ExpectedFields[] =>
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
const route = (more: ExpectedFields = {}, details: ExpectedFields = {}): ExpectedFields =>
  call('c1', 'find_route', { params: '{"to":1}', ...more }, details);

const gives = (says: string, events: readonly object[], blocks: readonly ExpectedFields[]): Thing => [
  says,
  results(deepchatEvents, sse(...events), blocks),
];

/** A block in its full form, as the page may store it. */
const stored = (fields: object): unknown =>
  model.assistantMessageBlock.safeParse({ id: 'b', status: 'success', timestamp: 1, ...fields }).success;
const isBlock = (says: string, fields: object): Thing => [says, () => expect(stored(fields)).to.equal(true)];

const artifact = (type: string) => ({ identifier: 'a', title: 'A page', type });

const shownText = async (block: Parameters<typeof showBlock>[0]): Promise<string> =>
  wordsIn((await showBlock(block)).element);

const stops: Readonly<Record<string, string>> = {
  tool_use: 'complete',
  max_tokens: 'complete',
  stop_sequence: 'complete',
  error: 'error',
  complete: 'complete',
};

walkDocument('the document on message architecture', 195, [
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
      'fields that are null, as a server without undefined sends them, count as missing',
      results(
        deepchatEvents,
        sse(
          create.toolCallStart('c1', 'find_route'),
          create.toolCallChunk('c1', '{"to":1}'),
          { ...create.toolCallEnd('c1'), tool_call_arguments_complete: null },
          agent({ tool_call: 'end', tool_call_id: 'c1', tool_call_response: 'r', tool_call_server_name: null }),
          { ...create.text('a'), tool_call_id: null },
          create.stop('complete'),
        ),
        [route({ response: 'r' }), text('a')],
      ),
    ],
    [
      'figures that are null cost nothing else of their event',
      async () => {
        const figures = { ...usage, context_length: null };
        const [message] = await messagesOf(
          deepchatEvents,
          sse(
            agent({ content: 'a', totalUsage: figures }),
            agent({ rate_limit: { ...limit, estimatedWaitTime: null } }),
            end(),
          ),
        );
        expect(message).to.deep.include({ usage });
        expect((message?.['blocks'] as readonly ExpectedFields[]).map(({ type }) => type)).to.deep.equal([
          'content',
          'action',
        ]);
      },
    ],
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
        const fields: { readonly [Type in StreamEventType]: StreamEventFields<Type> } = {
          text: { content: 'a' },
          reasoning: { reasoning_content: 'a' },
          tool_call_start: { tool_call_id: 'c', tool_call_name: 'f' },
          tool_call_chunk: { tool_call_id: 'c', tool_call_arguments_chunk: '{' },
          tool_call_end: { tool_call_id: 'c' },
          error: { error_message: 'a' },
          usage: { usage },
          stop: { stop_reason: 'complete' },
          image_data: { image_data: image },
          rate_limit: { rate_limit: limit },
        };
        expect(
          Object.entries(fields).map(([type, more]) => llmCoreStreamEvent.parse({ type, ...more })),
        ).to.have.length(10);
      },
    ],
    [
      'StreamEventFields of an unknown type is a compile error',
      () => {
        // @ts-expect-error -- there is no type `dance`.
        const fields: StreamEventFields<'dance'> | undefined = undefined;
        expect(fields).to.equal(undefined);
      },
    ],
    [
      'each interface has the name of the document',
      () => {
        const named: {
          text: TextStreamEvent;
          reasoning: model.ReasoningStreamEvent;
          tool_call_start: model.ToolCallStartEvent;
          tool_call_chunk: model.ToolCallChunkEvent;
          tool_call_end: model.ToolCallEndEvent;
          error: model.ErrorStreamEvent;
          usage: model.UsageStreamEvent;
          stop: model.StopStreamEvent;
          image_data: model.ImageDataStreamEvent;
          rate_limit: model.RateLimitStreamEvent;
        } = {
          text: create.text('a'),
          reasoning: create.reasoning('a'),
          tool_call_start: create.toolCallStart('c', 'f'),
          tool_call_chunk: create.toolCallChunk('c', '{'),
          tool_call_end: create.toolCallEnd('c'),
          error: create.error('a'),
          usage: create.usage(usage),
          stop: create.stop('complete'),
          image_data: create.imageData(image),
          rate_limit: create.rateLimit(limit),
        };
        expect(Object.entries(named).map(([name, { type }]) => name === type)).to.deep.equal(types.map(() => true));
      },
    ],
    [
      'there is no eleventh type',
      async () => {
        expect(llmCoreStreamEvent.safeParse({ type: 'dance', content: 'a' }).success).to.equal(false);
        const body = sse(create.text('a'), { type: 'dance', content: 'b' }, create.stop('complete'));
        expect(await blocksOf(deepchatEvents, body)).to.deep.equal([text('a')]);
      },
    ],
    [
      'the complete arguments replace the chunks',
      results(
        deepchatEvents,
        sse(
          create.toolCallStart('c1', 'find_route'),
          create.toolCallChunk('c1', '{"to"'),
          create.toolCallEnd('c1', '{"to":1}'),
          create.stop('tool_use'),
        ),
        [route({}, { status: 'loading' })],
      ),
    ],
    [
      'the factory for tool_call_end leaves out arguments that it is not given',
      () => expect(create.toolCallEnd('c')).to.deep.equal({ type: 'tool_call_end', tool_call_id: 'c' }),
    ],
    [
      'the factory for rate_limit keeps the estimated waiting time',
      () =>
        expect(create.rateLimit({ ...limit, estimatedWaitTime: 5 }).rate_limit).to.have.property(
          'estimatedWaitTime',
          5,
        ),
    ],
    [
      'a stop_reason that the document does not have ends the answer too',
      async () => {
        const [message] = await messagesOf(
          deepchatEvents,
          sse(create.text('a'), { type: 'stop', stop_reason: 'bored' }),
        );
        expect(message).to.deep.include({ status: 'complete', blocks: [text('a')] });
      },
      'newer servers have other reasons, and the text before must not be lost',
    ],
    [
      'an error before stop_reason complete fails the answer all the same',
      async () => {
        const [message] = await messagesOf(
          deepchatEvents,
          sse(create.text('a'), create.error('gone'), create.stop('complete')),
        );
        expect(message).to.deep.include({ status: 'error', blocks: [text('a'), failure('gone')] });
      },
    ],
    [
      'stop_reason error is never called a filter',
      async () => {
        const chat = await showBlocks([{ type: 'content', content: 'a' }], {
          message: { status: 'error', finish: 'error' },
        });
        expect(chat.renderRoot.textContent).not.to.contain('filter');
      },
    ],
    [
      'stop_reason max_tokens is said',
      async () => {
        const chat = await showBlocks([{ type: 'content', content: 'a' }], {
          message: { status: 'complete', finish: 'max_tokens' },
        });
        await waitUntil(() => wordsOf(chat).includes('maximum length'), 'the note comes');
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
      'a provider is written as the sample: text as it is, a call as start, chunk and end',
      async () => {
        const provider = new SampleProvider();
        const events = [];
        for await (const event of provider.coreStream([], 'm', {}, 0, 8, [])) events.push(event);
        expect(await blocksOf(deepchatEvents, sse(...events, create.stop('tool_use')))).to.deep.equal([
          text('I look.'),
          route({}, { status: 'loading' }),
        ]);
      },
    ],
    [
      'a processor is written as the sample',
      async () => {
        const answers: unknown[] = [];
        for await (const { content } of new SampleProcessor().processStream(new SampleProvider().coreStream()))
          answers.push(content.text);
        expect(answers).to.deep.equal(['I look.', 'find_route']);
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
    gives(
      'tool_call_response with an image of a tool server',
      [
        begin,
        agent({
          tool_call: 'end',
          tool_call_id: 'c1',
          tool_call_response: [
            { type: 'text', text: 'A map: ' },
            { type: 'image', data: PIXEL, mimeType: 'image/png' },
          ],
        }),
        end(),
      ],
      [
        route({ response: 'A map: ' }),
        { type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' }, extra: { dataId: 'b1 0' } },
      ],
    ),
    gives(
      'tool_call_response with the resources of a tool server: the text of one, the image of another',
      [
        begin,
        agent({
          tool_call: 'end',
          tool_call_id: 'c1',
          tool_call_response: [
            { type: 'text', text: 'Found:' },
            { type: 'resource', resource: { uri: 'file:///maps/roads.md', mimeType: 'text/markdown', text: 'E6' } },
            { type: 'resource', resource: { uri: 'file:///maps/north.png', mimeType: 'image/png', blob: PIXEL } },
            { type: 'text', text: 'That is all.' },
          ],
        }),
        end(),
      ],
      [
        route({ response: 'Found:\nE6\nThat is all.' }),
        { type: 'image', name: 'north.png', image_data: image, extra: { dataId: 'b1 0' } },
      ],
    ),
    [
      'eventId is required',
      async () => {
        const body = sse({ type: 'response', data: { content: 'lost' } }, agent({ content: 'a' }), end());
        expect(await warningsAbout(deepchatEvents, body)).to.deep.equal(['malformed']);
        expect(await blocksOf(deepchatEvents, body)).to.deep.equal([text('a')]);
      },
    ],
    [
      'several fields in one response are read one by one',
      async () => {
        const [message] = await messagesOf(
          deepchatEvents,
          sse(agent({ reasoning_content: 'Hm', content: 'a', totalUsage: usage }), end()),
        );
        expect(message).to.deep.include({ blocks: [thought('Hm'), text('a')], usage });
      },
    ],
    ...(['read', 'write', 'all'] as const).map((permissionType): Thing => [
      `permissionType ${permissionType}`,
      () => {
        const request = agent({
          tool_call: 'permission-required',
          tool_call_id: 'c1',
          permission_request: { ...permission, permissionType },
        });
        expect((open(request)[0]?.['extra'] as ExpectedFields)['permissionType']).to.equal(permissionType);
      },
    ]),
    [
      'an unknown permissionType is the widest',
      () => {
        const request = { ...permission, permissionType: 'rule' };
        expect(model.permissionRequest.parse(request).permissionType).to.equal('all');
      },
    ],
    ...(['toolName', 'serverName', 'description'] as const).map((field): Thing => [
      `a permission_request needs ${field}`,
      () => {
        const { [field]: _missing, ...rest } = permission;
        expect(model.permissionRequest.safeParse(rest).success).to.equal(false);
      },
    ]),
    ...(['toolName', 'serverName', 'description'] as const).flatMap((field) =>
      ([undefined, null] as const).map((value): Thing => [
        `a permission_request from the wire whose ${field} is ${value === null ? 'null' : 'missing'} is asked too`,
        async () => {
          const { [field]: _missing, ...rest } = permission;
          const request = agent({
            tool_call: 'permission-required',
            tool_call_id: 'c1',
            tool_call_name: 'send',
            permission_request: { ...rest, ...(value === null && { [field]: null }) },
          });
          const [asked] = await blocksOf(deepchatEvents, sse(request, end()));
          expect(asked).to.deep.include({ type: 'action', status: 'pending' });
          expect(asked?.['tool_call']).to.deep.include({ name: 'send' });
        },
      ]),
    ),
    gives(
      'tool_call_params of a running call are appended',
      [
        agent({ tool_call: 'start', tool_call_id: 'c1', tool_call_name: 'find_route' }),
        agent({ tool_call: 'running', tool_call_id: 'c1', tool_call_params: '{"to"' }),
        agent({ tool_call: 'update', tool_call_id: 'c1', tool_call_params: ':1}' }),
        agent({ tool_call: 'end', tool_call_id: 'c1' }),
        end(),
      ],
      [route()],
    ),
    [
      'userStop inside a response stops nothing: it belongs to end',
      async () => {
        const [message] = await messagesOf(deepchatEvents, sse(agent({ content: 'a', userStop: true }), end()));
        expect(message).to.deep.include({ status: 'complete', blocks: [text('a')] });
      },
    ],
    [
      'end without userStop is no stop',
      async () => {
        const [message] = await messagesOf(
          deepchatEvents,
          sse(agent({ content: 'a' }), { type: 'end', data: { eventId: 'e1' } }),
        );
        expect(message?.['status']).to.equal('complete');
      },
    ],
    ...(
      [
        ['without data', { type: 'end' }],
        ['with empty data', { type: 'end', data: {} }],
        ['with data that is null', { type: 'end', data: null }],
      ] as const
    ).map(([says, bare]): Thing => [
      `end ${says} is the end`,
      async () => {
        const body = sse(agent({ content: 'a' }), bare);
        expect((await messagesOf(deepchatEvents, body))[0]).to.deep.include({
          status: 'complete',
          blocks: [text('a')],
        });
        expect(await warningsAbout(deepchatEvents, body)).to.deep.equal([]);
      },
      'the document gives this event no fields',
    ]),
    [
      'an error event without eventId is an error of the answer',
      results(deepchatEvents, sse(agent({ content: 'a' }), { type: 'error', data: { error: 'gone' } }, end()), [
        text('a'),
        failure('gone'),
      ]),
      'its text must not be lost',
    ],
    ...(
      [
        ['an object', { km: 12 }, '{"km":12}'],
        ['a list of texts', ['E6', 'E18'], '["E6","E18"]'],
        ['a number', 12, '12'],
        ['the whole answer of a tool server', { content: [{ type: 'text', text: 'E6' }], isError: false }, 'E6'],
      ] as const
    ).map(([says, value, shown]): Thing => [
      `tool_call_response as ${says} ends the call too`,
      results(
        deepchatEvents,
        sse(begin, agent({ tool_call: 'end', tool_call_id: 'c1', tool_call_response: value }), end()),
        [route({ response: shown })],
      ),
      'the document does not define the content of a tool server',
    ]),
    [
      'a stream without an end was interrupted',
      async () => {
        const [message] = await messagesOf(deepchatEvents, sse(agent({ content: 'a' })));
        expect(message?.['status']).to.equal('interrupted');
      },
    ],
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
    ...(['prompt_tokens', 'completion_tokens', 'total_tokens'] as const).map((field): Thing => [
      `UsageStats needs ${field}`,
      () => {
        const { [field]: _missing, ...rest } = usage;
        expect(model.usageStats.safeParse(rest).success).to.equal(false);
      },
    ]),
    ...(['providerId', 'qpsLimit', 'currentQps', 'queueLength'] as const).map((field): Thing => [
      `RateLimitInfo needs ${field}`,
      () => {
        const { [field]: _missing, ...rest } = limit;
        expect(model.rateLimitInfo.safeParse(rest).success).to.equal(false);
      },
    ]),
    [
      'a stored message has its statistics in the same form',
      () => {
        const stored = { id: 'm', role: 'assistant', status: 'complete', blocks: [], timestamp: 1, usage };
        expect(model.chatMessage.parse(stored).usage).to.deep.equal(usage);
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
      'a search has the steps reading and optimizing',
      async () => {
        expect(await shownText({ type: 'search', content: 'maps', status: 'reading' })).to.contain(
          'Reading the results',
        );
        expect(await shownText({ type: 'search', content: 'maps', status: 'optimizing' })).to.contain(
          'Ranking the results',
        );
      },
    ],
    [
      'reasoning_time is shown as a duration',
      async () => {
        const chat = await showBlocks(
          [{ type: 'reasoning_content', content: 'Hm', reasoning_time: { start: 0, end: 4000 } }],
          { message: { status: 'complete' } },
        );
        await waitUntil(() => /4\s?s|4 seconds/.test(wordsOf(chat)), 'the duration comes');
      },
    ],
    [
      'a tool call without id, name or parameters is shown',
      async () => expect(await shownText({ type: 'tool_call', tool_call: {} })).not.to.equal(''),
    ],
    ...(
      [
        ['application/vnd.ant.code', 'print(1)'],
        ['text/markdown', '# A'],
        ['text/html', '<p>A</p>'],
        ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
        ['application/vnd.ant.mermaid', 'graph TD; A-->B'],
        ['application/vnd.ant.react', 'export default () => null'],
      ] as const
    ).map(([type, content]): Thing => [
      `an artifact of the type ${type} is a card`,
      async () => {
        const chat = await showBlocks([
          { type: 'content', content, artifact: { identifier: 'a', title: 'Plan of the north', type } },
        ]);
        await waitUntil(() => wordsOf(chat).includes('Plan of the north'), 'the card comes', { timeout: 10_000 });
      },
    ]),
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
    [
      'a severe rate_limit without an estimated time is not known to be severe',
      () =>
        expect(open(agent({ rate_limit: { ...limit, queueLength: 900 } }))[0]).to.deep.include({ status: 'pending' }),
    ],
    [
      'rate limits of two providers are two blocks',
      () => {
        expect(
          open(agent({ rate_limit: limit }), agent({ rate_limit: { ...limit, providerId: 'south' } })),
        ).to.have.length(2);
      },
    ],
    ['permissions of one id are one block', () => expect(open(asks, asks)).to.have.length(1)],
    [
      'image_data → image, success',
      () => expect(open(agent({ image_data: image }))).to.deep.equal([{ type: 'image', image_data: image }]),
    ],
    [
      'image_data needs its data and its type',
      async () => {
        const body = sse(agent({ image_data: { data: PIXEL } }), agent({ content: 'a' }), end());
        expect(await warningsAbout(deepchatEvents, body)).to.deep.equal(['malformed']);
      },
    ],
    [
      'start of a known id goes on with its block',
      () => expect(open(begin, agent({ tool_call: 'start', tool_call_id: 'c1' }))).to.have.length(1),
    ],
    [
      'two ids are two calls, in any order of their ends',
      async () => {
        const other = agent({ tool_call: 'start', tool_call_id: 'c2', tool_call_name: 'other' });
        const done = (id: string) => agent({ tool_call: 'end', tool_call_id: id, tool_call_response: id });
        expect(await blocksOf(deepchatEvents, sse(begin, other, done('c2'), done('c1'), end()))).to.deep.equal([
          route({ response: 'c1' }),
          call('c2', 'other', { response: 'c2' }),
        ]);
      },
    ],
    [
      'no event makes a block of search or artifact-thinking',
      () => {
        expect(types.flatMap((type) => open(core[type][0])).map(({ type }) => type)).not.to.include.members([
          'search',
          'artifact-thinking',
        ]);
      },
      'the document has the blocks, but no event for them: they come with stored messages',
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
      'or denied',
      async () => {
        const { element } = await showBlock({
          type: 'action',
          status: 'denied',
          action_type: 'tool_call_permission',
          tool_call: { id: 'c', name: 'send' },
        });
        expect(wordsIn(element)).to.match(/^Send denied/i);
      },
    ],
    [
      'a permission with any other status is not called allowed',
      async () => {
        const words = await shownText({
          type: 'action',
          status: 'error',
          action_type: 'tool_call_permission',
          tool_call: { id: 'c', name: 'send' },
        });
        expect(words).to.contain('no longer needed').and.not.contain('allowed');
      },
    ],
    [
      'an image without image_data, which is optional, is called empty',
      async () => {
        const chat = await showBlocks([{ type: 'image' }]);
        await waitUntil(() => wordsOf(chat).includes('The file is empty'), 'the reason comes', { timeout: 10_000 });
      },
    ],
    ...(['granted', 'denied'] as const).map((decision): Thing => [
      `the decision ${decision} is sent with the ids of its request`,
      async () => {
        const { permissions } = await requestBody(deepchatEvents, [], {
          turn: {
            answers: [
              {
                blockId: 'b',
                actionType: 'tool_call_permission',
                decision,
                toolCallId: 'c1',
                extra: { permissionType: 'write', serverName: 'post' },
              },
            ],
          },
        });
        expect(permissions).to.deep.equal([
          { tool_call_id: 'c1', decision, permissionType: 'write', serverName: 'post' },
        ]);
      },
    ]),
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
      'a severe rate limit is said with its time',
      async () => {
        const words = await shownText({
          type: 'action',
          status: 'error',
          action_type: 'rate_limit',
          extra: { ...limit, estimatedWaitTime: 3_600_000 },
        });
        expect(words)
          .to.contain('Rate limit of north reached')
          .and.match(/60 min|1 h/);
      },
      'it stays in the transcript, because a toast would be gone before it is read',
    ],
    [
      'the estimated waiting time is shown',
      async () => {
        const words = await shownText({
          type: 'action',
          status: 'pending',
          action_type: 'rate_limit',
          extra: { ...limit, estimatedWaitTime: 30_000 },
        });
        expect(words).to.contain('left');
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
    ['the suggested size of an image is the default', () => expect(mediaLimits.imageBytes).to.equal(2 * 1024 * 1024)],
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
      'every block has a timestamp',
      () => {
        const blocks = types.flatMap((type) =>
          playEvents([toAgentEvent(core[type][0], 'e')]).messages.flatMap((message) => message.blocks),
        );
        expect(blocks.every(({ timestamp }) => timestamp > 0)).to.equal(true);
        expect(blocks).to.have.length(8);
      },
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
        const { chat, element } = await showBlock({
          type: 'action',
          status: 'denied',
          action_type: 'tool_call_permission',
          tool_call: { id: 'c', name: 'send' },
        });
        expect(wordsIn(element)).to.contain('denied');
        chat.locale = 'de';
        await waitUntil(() => wordsOf(chat).includes('abgelehnt'), 'the German text comes', { timeout: 10_000 });
        expect(wordsOf(chat)).not.to.contain('denied');
      },
      'the result that an agent gets for a call that was not run is English: its model reads it',
    ],
    [
      'a renderer has no side effects: it gets no way to send an event',
      async () => {
        const registry = new RendererRegistry();
        let given: readonly string[] = [];
        registry.register(
          defineRenderer({
            type: 'content',
            getProps: (block, context) => {
              given = Object.keys(context).sort();
              return block.content;
            },
            component: (words) => words,
          }),
        );
        const chat = await showBlocks([{ type: 'content', content: 'plain' }], { settings: { renderers: registry } });
        await waitUntil(() => wordsOf(chat).includes('plain'), 'the block comes');
        expect(given).to.include('act');
        expect(given.filter((name) => ['dispatch', 'send', 'chat', 'store'].includes(name))).to.deep.equal([]);
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
