/** Encoders of the protocols of agent servers and hosted products. Source: the pages of `docs/protocols/`. */
import { argumentsOf, asText, SSE, sse, words, type ProtocolEncoder, type ScriptedCall } from './encoder.ts';

const a2a: ProtocolEncoder = {
  headers: SSE,
  // The server has no agent card: the endpoint itself is then the agent.
  aside: ({ method }) => (method === 'GET' ? { status: 404, json: {} } : undefined),
  open(taskId) {
    const task = { taskId, contextId: 'context' };
    const send = (result: object): string => sse({ jsonrpc: '2.0', id: 1, result });
    let append = false;
    const status = (state: string, text?: string): string =>
      send({
        statusUpdate: {
          ...task,
          status: {
            state: `TASK_STATE_${state}`,
            ...(text !== undefined && {
              message: { messageId: `${taskId}-status`, role: 'ROLE_AGENT', ...task, parts: [{ text }] },
            }),
          },
        },
      });
    return {
      start: [send({ task: { id: taskId, contextId: task.contextId, status: { state: 'TASK_STATE_SUBMITTED' } } })],
      text: (text) =>
        words(text).map((piece) => {
          const artifact = { artifactId: `${taskId}-artifact`, parts: [{ text: piece }] };
          const frame = send({ artifactUpdate: { ...task, artifact, append } });
          append = true;
          return frame;
        }),
      error: (message) => [status('FAILED', message)],
      end: (ending) => (ending === 'error' ? [] : [status('COMPLETED')]),
    };
  },
};

const agentscope: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const response = { id, session_id: 'session' };
    const output: object[] = [];
    let sequence_number = 0;
    let error: object | undefined;
    const send = (object: string, status: string, rest: object): string =>
      sse({ sequence_number: sequence_number++, object, status, error: null, ...rest });
    const message = (type: string, pieces: readonly object[], whole: object, role = 'assistant'): readonly string[] => {
      const header = { id: `${id}-${String(output.length)}`, type, role };
      const content = (status: string, fields: object): string =>
        send('content', status, { msg_id: header.id, index: 0, ...fields });
      const done = { ...header, content: [whole] };
      output.push(done);
      return [
        send('message', 'in_progress', { ...header, content: null }),
        ...pieces.map((piece) => content('in_progress', { ...piece, delta: true })),
        content('completed', { ...whole, delta: false }),
        send('message', 'completed', done),
      ];
    };
    const grow = (type: string, text: string): readonly string[] =>
      message(
        type,
        words(text).map((piece) => ({ type: 'text', text: piece })),
        { type: 'text', text },
      );
    const put = (type: string, data: object, role?: string): readonly string[] =>
      message(type, [], { type: 'data', data }, role);
    return {
      start: [
        send('response', 'created', { ...response, output: null }),
        send('response', 'in_progress', { ...response, output: null }),
      ],
      text: (text) => grow('message', text),
      reasoning: (text) => grow('reasoning', text),
      call: (call) => put('function_call', { call_id: call.id, name: call.name, arguments: argumentsOf(call) }),
      result: (call, result) => [
        ...put('plugin_call', { call_id: call.id, name: call.name, arguments: argumentsOf(call) }),
        ...put('plugin_call_output', { call_id: call.id, name: call.name, output: asText(result) }, 'tool'),
      ],
      error(text) {
        error = { code: 'error', message: text };
        return [];
      },
      end: () => [send('response', error ? 'failed' : 'completed', { ...response, output, ...(error && { error }) })],
    };
  },
};

const agentCore: ProtocolEncoder = {
  headers: SSE,
  open() {
    const event = (name: string, fields: object): string => sse({ event: { [name]: fields } });
    const delta = (fields: object, contentBlockIndex = 0): string =>
      event('contentBlockDelta', { delta: fields, contentBlockIndex });
    let isOpen = false;
    const begin = (): readonly string[] => {
      const start = isOpen ? [] : [event('messageStart', { role: 'assistant' })];
      isOpen = true;
      return start;
    };
    const own = (call: ScriptedCall, text: string, status: string): readonly string[] => {
      const toolUseId = call.id;
      const start = begin();
      isOpen = false;
      return [
        ...start,
        event('contentBlockStart', { start: { toolUse: { toolUseId, name: call.name } }, contentBlockIndex: 1 }),
        delta({ toolUse: { input: argumentsOf(call) } }, 1),
        event('messageStop', { stopReason: 'tool_use' }),
        sse({ message: { role: 'user', content: [{ toolResult: { toolUseId, status, content: [{ text }] } }] } }),
      ];
    };
    return {
      start: [sse({ init_event_loop: true })],
      text: (text) => [...begin(), ...words(text).map((piece) => delta({ text: piece }))],
      reasoning: (text) => [...begin(), ...words(text).map((piece) => delta({ reasoningContent: { text: piece } }))],
      result: (call, result) => own(call, asText(result), 'success'),
      failure: (call, message) => own(call, message, 'error'),
      error: (error) => [sse({ error, error_type: 'Error', message: 'An error occurred during streaming' })],
      end: (ending) => (ending === 'error' ? [] : [...begin(), event('messageStop', { stopReason: 'end_turn' })]),
    };
  },
};

const chatKit: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const created_at = '2026-01-01T00:00:00Z';
    const thread_id = 'thread';
    const send = (type: string, rest: object = {}): string => sse({ type, ...rest });
    let items = 0;
    const item = (type: string, rest: object, itemId = `${id}-${String(items++)}`) => ({
      ...{ id: itemId, thread_id, created_at, type },
      ...rest,
    });
    const thread = { id: thread_id, created_at, status: { type: 'active' }, items: { data: [] } };
    return {
      start: [
        send('thread.created', { thread }),
        send('thread.item.done', { item: item('user_message', { content: [], inference_options: {} }) }),
      ],
      text(text) {
        const begun = item('assistant_message', { content: [] });
        const update = { type: 'assistant_message.content_part.text_delta', content_index: 0 };
        const content = [{ type: 'output_text', text, annotations: [] }];
        return [
          send('thread.item.added', { item: begun }),
          ...words(text).map((delta) =>
            send('thread.item.updated', { item_id: begun.id, update: { ...update, delta } }),
          ),
          send('thread.item.done', { item: item('assistant_message', { content }, begun.id) }),
        ];
      },
      error: (message) => [send('error', { code: 'custom', message, allow_retry: false })],
      end: (ending) => (ending === 'error' ? [] : [send('thread.item.done', { item: item('end_of_turn', {}) })]),
    };
  },
};

const adk: ProtocolEncoder = {
  headers: SSE,
  path: '/run_sse',
  aside({ url, method }) {
    const { pathname } = new URL(url, 'http://localhost');
    if (pathname.endsWith('/list-apps')) return { status: 200, json: ['scripted'] };
    const isSession = method === 'POST' && /\/sessions(?:\/[^/]+)?$/.test(pathname);
    return isSession ? { status: 200, json: { id: 'session', appName: 'scripted', state: {}, events: [] } } : undefined;
  },
  open(invocationId) {
    let events = 0;
    /** The model's answer so far, which its last event repeats. */
    let whole: readonly object[] = [];
    const send = (parts: readonly object[], more: object = {}): string => {
      const id = `${invocationId}-${String(events++)}`;
      const actions = { stateDelta: {}, artifactDelta: {} };
      const content = { role: 'model', parts };
      return sse({ content, invocationId, author: 'scripted', actions, id, timestamp: events, ...more });
    };
    const grow = (text: string, kind: object): readonly string[] => {
      whole = [...whole, { text, ...kind }];
      return words(text).map((piece) => send([{ text: piece, ...kind }], { partial: true }));
    };
    const flush = (parts: readonly object[] = []): readonly string[] => {
      const said = [...whole, ...parts];
      whole = [];
      return said.length > 0 ? [send(said, { partial: false, finishReason: 'STOP' })] : [];
    };
    const own = ({ id, name, arguments: args }: ScriptedCall, response: object): readonly string[] => [
      ...flush([{ functionCall: { id, name, args } }]),
      send([{ functionResponse: { id, name, response } }]),
    ];
    return {
      text: (text) => grow(text, {}),
      reasoning: (text) => grow(text, { thought: true }),
      result: (call, result) => own(call, { result }),
      failure: (call, error) => own(call, { error }),
      error: (error) => [sse({ error })],
      end: (ending) => (ending === 'error' ? [] : flush()),
    };
  },
};

const openAiAssistants: ProtocolEncoder = {
  headers: SSE,
  path: '/v1/threads/runs',
  open(id) {
    const thread_id = 'thread';
    const run = { id, object: 'thread.run', thread_id };
    const message = { id: `${id}-message`, object: 'thread.message', thread_id, role: 'assistant' };
    const sendRun = (status: string, rest: object = {}): string =>
      sse({ ...run, status, ...rest }, `thread.run.${status}`);
    const calls: object[] = [];
    let said = '';
    return {
      start: [
        sse({ id: thread_id, object: 'thread' }, 'thread.created'),
        sse({ ...run, status: 'queued' }, 'thread.run.created'),
        sendRun('in_progress'),
      ],
      text(text) {
        said += text;
        return words(text).map((value) => {
          const delta = { content: [{ index: 0, type: 'text', text: { value, annotations: [] } }] };
          return sse({ id: message.id, object: 'thread.message.delta', delta }, 'thread.message.delta');
        });
      },
      call(call) {
        calls.push({ id: call.id, type: 'function', function: { name: call.name, arguments: argumentsOf(call) } });
        return [];
      },
      error: (text) => [sendRun('failed', { last_error: { code: 'server_error', message: text } })],
      end(ending) {
        const done = sse('[DONE]', 'done');
        if (ending === 'error') return [done];
        if (calls.length > 0) {
          const submit_tool_outputs = { tool_calls: calls };
          return [
            sendRun('requires_action', { required_action: { type: 'submit_tool_outputs', submit_tool_outputs } }),
            done,
          ];
        }
        const content = [{ type: 'text', text: { value: said, annotations: [] } }];
        return [
          sse({ ...message, status: 'completed', content }, 'thread.message.completed'),
          sendRun('completed'),
          done,
        ];
      },
    };
  },
};

export const servers = {
  a2a,
  agentscope,
  agentcore: agentCore,
  chatkit: chatKit,
  adk,
  'openai-assistants': openAiAssistants,
} as const;
