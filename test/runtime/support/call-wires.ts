/**
 * How each protocol sends calls of page tools, with the ids that a test wants. Missing ids are omitted, even if the
 * protocol requires them.
 */
import { sse } from '../../support/play-body.ts';

export interface WireCall {
  readonly id?: string | number | null;
  readonly name: string;
  readonly args: string;
}

export interface CallWire {
  readonly protocol: string;
  readonly endpoint?: string;
  readonly contentType?: string;
  /** `false`: its server runs all calls itself. */
  readonly callsPage?: boolean;
  body(calls: readonly WireCall[]): string;
}

const withId = (id: WireCall['id'], field = 'id'): object => (id === undefined ? {} : { [field]: id });
const lines = (...objects: readonly unknown[]): string => objects.map((item) => `${JSON.stringify(item)}\n`).join('');
const named = (...frames: readonly (readonly [string, unknown])[]): string =>
  frames.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('');
const response = (data: object): object => ({ type: 'response', data: { eventId: 'e', ...data } });
const openAiCall = ({ id, name, args }: WireCall): object => ({
  ...withId(id),
  type: 'function',
  function: { name, arguments: args },
});
const completion = (delta: object, finish: string | null): object => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const agUi = (type: string, more: object): object => ({ type, ...more });

export const callWires: readonly CallWire[] = [
  {
    protocol: 'deepchat-events',
    body: (calls) =>
      sse(
        ...calls.map(({ id, name, args }) =>
          response({ tool_call: 'start', ...withId(id, 'tool_call_id'), tool_call_name: name, tool_call_params: args }),
        ),
        response({ finish: 'tool_use' }),
      ),
  },
  {
    // Its lower layer: the events of the model.
    protocol: 'deepchat-events',
    body: (calls) =>
      sse(
        ...calls.flatMap(({ id, name, args }) => [
          { type: 'tool_call_start', ...withId(id, 'tool_call_id'), tool_call_name: name },
          { type: 'tool_call_chunk', ...withId(id, 'tool_call_id'), tool_call_arguments_chunk: args },
          { type: 'tool_call_end', ...withId(id, 'tool_call_id') },
        ]),
        { type: 'stop', stop_reason: 'tool_use' },
      ),
  },
  {
    protocol: 'openai-chat',
    body: (calls) =>
      sse(
        completion({ tool_calls: calls.map((call, index) => ({ index, ...openAiCall(call) })) }, null),
        completion({}, 'tool_calls'),
        '[DONE]',
      ),
  },
  {
    // Servers that send no call ids.
    protocol: 'openai-chat',
    body: (calls) =>
      sse(
        ...calls.map((call) => completion({ tool_calls: [openAiCall(call)] }, null)),
        completion({}, 'tool_calls'),
        '[DONE]',
      ),
  },
  {
    protocol: 'openai-responses',
    body(calls) {
      const items = calls.map(({ id, name, args }, index) => ({
        type: 'function_call',
        id: `fc_${String(index)}`,
        ...withId(id, 'call_id'),
        name,
        arguments: args,
      }));
      return named(
        ['response.created', { type: 'response.created', response: { id: 'r', object: 'response', output: [] } }],
        ...items.flatMap((item, output_index) => [
          ['response.output_item.added', { type: 'response.output_item.added', output_index, item }] as const,
          ['response.output_item.done', { type: 'response.output_item.done', output_index, item }] as const,
        ]),
        [
          'response.completed',
          { type: 'response.completed', response: { id: 'r', object: 'response', status: 'completed', output: items } },
        ],
      );
    },
  },
  {
    protocol: 'anthropic',
    body: (calls) =>
      named(
        [
          'message_start',
          {
            type: 'message_start',
            message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 1 } },
          },
        ],
        ...calls.flatMap(({ id, name, args }, index) => [
          [
            'content_block_start',
            {
              type: 'content_block_start',
              index,
              content_block: { type: 'tool_use', ...withId(id), name, input: {} },
            },
          ] as const,
          [
            'content_block_delta',
            { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: args } },
          ] as const,
          ['content_block_stop', { type: 'content_block_stop', index }] as const,
        ]),
        ['message_delta', { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } }],
        ['message_stop', { type: 'message_stop' }],
      ),
  },
  {
    protocol: 'gemini',
    body: (calls) =>
      sse({
        candidates: [
          {
            content: {
              role: 'model',
              parts: calls.map(({ id, name, args }) => ({
                functionCall: { ...withId(id), name, args: JSON.parse(args) as unknown },
              })),
            },
            index: 0,
            finishReason: 'STOP',
          },
        ],
      }),
  },
  {
    protocol: 'ollama',
    contentType: 'application/x-ndjson',
    body: (calls) =>
      lines(
        {
          model: 'm',
          message: {
            role: 'assistant',
            content: '',
            tool_calls: calls.map(({ id, name, args }) => ({
              ...withId(id),
              function: { name, arguments: JSON.parse(args) as unknown },
            })),
          },
          done: false,
        },
        { model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
      ),
  },
  {
    protocol: 'cohere',
    body: (calls) =>
      sse(
        { id: 'x', type: 'message-start', delta: { message: { role: 'assistant' } } },
        ...calls.flatMap((call, index) => [
          { type: 'tool-call-start', index, delta: { message: { tool_calls: openAiCall(call) } } },
          { type: 'tool-call-end', index },
        ]),
        { type: 'message-end', delta: { finish_reason: 'TOOL_CALL' } },
      ),
  },
  {
    protocol: 'message-field',
    body(calls) {
      const tool_calls = calls.map(openAiCall);
      return sse(
        { type: 'message_start', message_id: 'm', role: 'assistant' },
        ...tool_calls.map((call, index) => ({
          type: 'message_field',
          message_id: 'm',
          field_name: `tool_calls[${String(index)}]`,
          field_value: call,
        })),
        { type: 'message_result', message_id: 'm', message: { id: 'm', role: 'assistant', content: '', tool_calls } },
      );
    },
  },
  {
    protocol: 'agentscope-msg',
    body: (calls) =>
      sse({
        id: 'm',
        name: 'Agent',
        role: 'ASSISTANT',
        content: calls.map(({ id, name, args }) => ({
          type: 'tool_use',
          ...withId(id),
          name,
          input: JSON.parse(args) as unknown,
        })),
      }),
  },
  {
    protocol: 'agentscope',
    body: (calls) =>
      sse(
        { type: 'REPLY_START', id: 'e', reply_id: 'rp', session_id: 's', name: 'Friday', created_at: 'now' },
        ...calls.flatMap(({ id, name, args }) => [
          { type: 'TOOL_CALL_START', id: 'a', reply_id: 'rp', ...withId(id, 'tool_call_id'), tool_call_name: name },
          { type: 'TOOL_CALL_DELTA', id: 'b', reply_id: 'rp', ...withId(id, 'tool_call_id'), delta: args },
          { type: 'TOOL_CALL_END', id: 'c', reply_id: 'rp', ...withId(id, 'tool_call_id') },
        ]),
        {
          type: 'REQUIRE_EXTERNAL_EXECUTION',
          id: 'd',
          reply_id: 'rp',
          tool_calls: calls.map(({ id, name, args }) => ({ ...withId(id), name, input: args, type: 'tool_call' })),
        },
      ),
  },
  {
    // The Runtime's own events.
    protocol: 'agentscope',
    body: (calls) =>
      sse(
        { object: 'response', sequence_number: 0, status: 'created', id: 'r', session_id: 's' },
        ...calls.map(({ id, name, args }, index) => ({
          object: 'message',
          sequence_number: 1,
          status: 'completed',
          id: `m${String(index)}`,
          type: 'function_call',
          role: 'assistant',
          content: [
            {
              object: 'content',
              type: 'data',
              index: 0,
              status: 'completed',
              data: { ...withId(id, 'call_id'), name, arguments: args },
            },
          ],
        })),
        { object: 'response', sequence_number: 2, status: 'completed', id: 'r', session_id: 's' },
      ),
  },
  {
    protocol: 'ag-ui',
    body: (calls) =>
      sse(
        agUi('RUN_STARTED', { threadId: 't', runId: 'r' }),
        ...calls.flatMap(({ id, name, args }) => [
          agUi('TOOL_CALL_START', { ...withId(id, 'toolCallId'), toolCallName: name, parentMessageId: 'm' }),
          agUi('TOOL_CALL_ARGS', { ...withId(id, 'toolCallId'), delta: args }),
          agUi('TOOL_CALL_END', { ...withId(id, 'toolCallId') }),
        ]),
        agUi('RUN_FINISHED', { threadId: 't', runId: 'r' }),
      ),
  },
  {
    protocol: 'ag-ui',
    body: (calls) =>
      sse(
        agUi('RUN_STARTED', { threadId: 't', runId: 'r' }),
        ...calls.map(({ id, name, args }) =>
          agUi('TOOL_CALL_CHUNK', {
            ...withId(id, 'toolCallId'),
            toolCallName: name,
            delta: args,
            parentMessageId: 'm',
          }),
        ),
        agUi('RUN_FINISHED', { threadId: 't', runId: 'r' }),
      ),
  },
  {
    protocol: 'langgraph',
    endpoint: 'https://agent.example/threads/t/runs/stream',
    body: (calls) =>
      named(
        ['metadata', { run_id: 'r', attempt: 1 }],
        ...calls.map(
          ({ id, name, args }, index) =>
            [
              'messages',
              [
                {
                  type: 'AIMessageChunk',
                  id: 'a',
                  content: '',
                  tool_call_chunks: [{ index, ...withId(id), name, args }],
                },
                {},
              ],
            ] as const,
        ),
      ),
  },
  {
    // Only the state of the graph.
    protocol: 'langgraph',
    endpoint: 'https://agent.example/threads/t/runs/stream',
    body: (calls) =>
      named(
        ['metadata', { run_id: 'r', attempt: 1 }],
        [
          'values',
          {
            messages: [
              { type: 'human', id: 'h', content: 'Hi' },
              {
                type: 'ai',
                id: 'a',
                content: '',
                tool_calls: calls.map(({ id, name, args }) => ({
                  ...withId(id),
                  name,
                  args: JSON.parse(args) as unknown,
                  type: 'tool_call',
                })),
              },
            ],
          },
        ],
      ),
  },
  {
    protocol: 'ai-sdk',
    body: (calls) =>
      sse(
        { type: 'start', messageId: 'm' },
        { type: 'start-step' },
        ...calls.map(({ id, name, args }) => ({
          type: 'tool-input-available',
          ...withId(id, 'toolCallId'),
          toolName: name,
          input: JSON.parse(args) as unknown,
        })),
        { type: 'finish-step' },
        { type: 'finish', finishReason: 'tool-calls' },
        '[DONE]',
      ),
  },
  {
    // With the arguments in chunks.
    protocol: 'ai-sdk',
    body: (calls) =>
      sse(
        { type: 'start', messageId: 'm' },
        { type: 'start-step' },
        ...calls.flatMap(({ id, name, args }) => [
          { type: 'tool-input-start', ...withId(id, 'toolCallId'), toolName: name },
          { type: 'tool-input-delta', ...withId(id, 'toolCallId'), inputTextDelta: args },
        ]),
        ...calls.map(({ id, name, args }) => ({
          type: 'tool-input-available',
          ...withId(id, 'toolCallId'),
          toolName: name,
          input: JSON.parse(args) as unknown,
        })),
        { type: 'finish-step' },
        { type: 'finish' },
        '[DONE]',
      ),
  },
  {
    protocol: 'ai-sdk-v4',
    contentType: 'text/plain; charset=utf-8',
    body: (calls) =>
      [
        ...calls.map(
          ({ id, name, args }) =>
            `9:${JSON.stringify({ ...withId(id, 'toolCallId'), toolName: name, args: JSON.parse(args) as unknown })}\n`,
        ),
        `e:${JSON.stringify({ finishReason: 'tool-calls', isContinued: false })}\n`,
        `d:${JSON.stringify({ finishReason: 'tool-calls' })}\n`,
      ].join(''),
  },
  {
    protocol: 'assistant-transport',
    body: (calls) =>
      sse(
        ...calls.flatMap(({ id, name, args }, index) => [
          { type: 'part-start', path: [], part: { type: 'tool-call', ...withId(id, 'toolCallId'), toolName: name } },
          { type: 'text-delta', path: [index], textDelta: args },
          { type: 'tool-call-args-text-finish', path: [index] },
          { type: 'part-finish', path: [index] },
        ]),
        { type: 'message-finish', path: [], finishReason: 'tool-calls' },
        '[DONE]',
      ),
  },
  {
    protocol: 'openai-assistants',
    endpoint: 'https://agent.example/v1/threads/t/runs',
    body: (calls) =>
      named(
        ['thread.run.created', { id: 'run', object: 'thread.run', thread_id: 't', status: 'created' }],
        [
          'thread.run.requires_action',
          {
            id: 'run',
            object: 'thread.run',
            thread_id: 't',
            status: 'requires_action',
            required_action: {
              type: 'submit_tool_outputs',
              submit_tool_outputs: { tool_calls: calls.map(openAiCall) },
            },
          },
        ],
      ) + 'event: done\ndata: [DONE]\n\n',
  },
  {
    protocol: 'agent-session',
    callsPage: false,
    body: (calls) =>
      sse(
        ...calls.map(({ id, name, args }) => ({
          type: 'tool_call_start',
          data: { ...withId(id, 'tool_id'), tool_name: name, arguments: JSON.parse(args) as unknown },
          metadata: { timestamp: 1_736_985_600 },
        })),
        { type: 'session_end', data: { status: 'completed' }, metadata: { timestamp: 1_736_985_600 } },
      ),
  },
  {
    protocol: 'agent-phase',
    callsPage: false,
    body: (calls) =>
      lines(
        ...calls.map(({ name, args }) => ({
          type: 'tool_start',
          phase: 'tool_calling',
          data: { toolName: name, params: JSON.parse(args) as unknown },
        })),
        { type: 'done', phase: 'completed', data: {} },
      ),
  },
  {
    protocol: 'coze',
    endpoint: 'https://agent.example/v3/chat',
    body: (calls) =>
      named(
        ['conversation.chat.created', { id: 'c', conversation_id: 'v', bot_id: 'b', status: 'created' }],
        [
          'conversation.chat.requires_action',
          {
            id: 'c',
            conversation_id: 'v',
            bot_id: 'b',
            status: 'requires_action',
            required_action: {
              type: 'submit_tool_outputs',
              submit_tool_outputs: { tool_calls: calls.map(openAiCall) },
            },
          },
        ],
      ) + 'event: done\ndata: "[DONE]"\n\n',
  },
  {
    protocol: 'mastra',
    endpoint: 'https://agent.example/api/agents/helper/stream',
    body: (calls) =>
      sse(
        { type: 'start', runId: 'r', from: 'AGENT', payload: { id: 'helper' } },
        ...calls.map(({ id, name, args }) => ({
          type: 'tool-call',
          runId: 'r',
          from: 'AGENT',
          payload: { ...withId(id, 'toolCallId'), toolName: name, args: JSON.parse(args) as unknown },
        })),
        { type: 'finish', runId: 'r', from: 'AGENT', payload: { stepResult: { reason: 'tool-calls' }, output: {} } },
      ),
  },
  {
    protocol: 'agno',
    endpoint: 'https://agent.example/agents/helper/runs',
    body: (calls) => {
      const run = { created_at: 1, agent_id: 'helper', run_id: 'r', session_id: 's' };
      const tools = calls.map(({ id, name, args }) => ({
        ...withId(id, 'tool_call_id'),
        tool_name: name,
        tool_args: JSON.parse(args) as unknown,
        external_execution_required: true,
      }));
      return named(
        ['RunStarted', { ...run, event: 'RunStarted' }],
        ['RunPaused', { ...run, event: 'RunPaused', tools }],
      );
    },
  },
  {
    protocol: 'gemini-interactions',
    endpoint: 'https://agent.example/v1beta/interactions',
    body: (calls) => {
      const interaction = { id: 'i', object: 'interaction', status: 'requires_action' };
      return sse(
        { event_type: 'interaction.created', interaction: { ...interaction, status: 'in_progress' } },
        ...calls.map(({ id, name, args }, index) => ({
          event_type: 'step.start',
          index,
          step: { type: 'function_call', ...withId(id), name, arguments: JSON.parse(args) as unknown },
        })),
        { event_type: 'interaction.completed', interaction },
      );
    },
  },
  {
    protocol: 'chatkit',
    body: (calls) =>
      sse(
        { type: 'thread.created', thread: { id: 'thr' } },
        ...calls.map(({ id, name, args }, index) => ({
          type: 'thread.item.done',
          item: {
            id: `i${String(index)}`,
            thread_id: 'thr',
            type: 'client_tool_call',
            status: 'pending',
            ...withId(id, 'call_id'),
            name,
            arguments: JSON.parse(args) as unknown,
          },
        })),
      ),
  },
];
