/** Encoders of the protocols that web frameworks and agent frameworks define. Source: the pages of `docs/protocols/`. */
import {
  argumentsOf,
  asText,
  DONE,
  line,
  SSE,
  sse,
  words,
  type ProtocolEncoder,
  type ScriptedCall,
} from './encoder.ts';

const aiSdk: ProtocolEncoder = {
  headers: { ...SSE, 'x-vercel-ai-ui-message-stream': 'v1' },
  open(messageId) {
    let parts = 0;
    const grow = (type: string, text: string): readonly string[] => {
      const id = `part-${String(parts++)}`;
      const deltas = words(text).map((delta) => sse({ type: `${type}-delta`, id, delta }));
      return [sse({ type: `${type}-start`, id }), ...deltas, sse({ type: `${type}-end`, id })];
    };
    const call = ({ id: toolCallId, name: toolName, arguments: input }: ScriptedCall): string =>
      sse({ type: 'tool-input-available', toolCallId, toolName, input });
    return {
      start: [sse({ type: 'start', messageId })],
      text: (text) => grow('text', text),
      reasoning: (text) => grow('reasoning', text),
      call: (asked) => [call(asked)],
      result: (asked, output) => [call(asked), sse({ type: 'tool-output-available', toolCallId: asked.id, output })],
      failure: (asked, errorText) => [call(asked), sse({ type: 'tool-output-error', toolCallId: asked.id, errorText })],
      error: (errorText) => [sse({ type: 'error', errorText })],
      end: () => [sse({ type: 'finish' }), DONE],
    };
  },
};

const aiSdkV4: ProtocolEncoder = {
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-vercel-ai-data-stream': 'v1' },
  open(messageId) {
    const put = (code: string, value: unknown): string => `${code}:${JSON.stringify(value)}\n`;
    const call = ({ id: toolCallId, name: toolName, arguments: args }: ScriptedCall): string =>
      put('9', { toolCallId, toolName, args });
    return {
      start: [put('f', { messageId })],
      text: (text) => words(text).map((piece) => put('0', piece)),
      reasoning: (text) => words(text).map((piece) => put('g', piece)),
      call: (asked) => [call(asked)],
      result: (asked, result) => [call(asked), put('a', { toolCallId: asked.id, result })],
      error: (message) => [put('3', message)],
      end(ending) {
        if (ending === 'error') return [];
        const finishReason = ending === 'calls' ? 'tool-calls' : 'stop';
        return [put('e', { finishReason, isContinued: false }), put('d', { finishReason })];
      },
    };
  },
};

const assistantTransport: ProtocolEncoder = {
  headers: SSE,
  open(messageId) {
    const send = (type: string, rest: object = {}): string => sse({ type, ...rest });
    let parts = 0;
    const part = (value: object, inside: (at: object) => readonly string[]): readonly string[] => {
      const at = { path: [parts++] };
      return [send('part-start', { part: value, path: [] }), ...inside(at), send('part-finish', at)];
    };
    const grow = (type: string, text: string): readonly string[] =>
      part({ type }, (at) => words(text).map((textDelta) => send('text-delta', { textDelta, ...at })));
    const call = (asked: ScriptedCall, outcome?: object): readonly string[] =>
      part({ type: 'tool-call', toolCallId: asked.id, toolName: asked.name }, (at) => [
        send('text-delta', { textDelta: argumentsOf(asked), ...at }),
        send('tool-call-args-text-finish', at),
        ...(outcome ? [send('result', { ...outcome, ...at })] : []),
      ]);
    return {
      start: [send('step-start', { messageId })],
      text: (text) => grow('text', text),
      reasoning: (text) => grow('reasoning', text),
      call: (asked) => call(asked),
      result: (asked, result) => call(asked, { result, isError: false }),
      failure: (asked, result) => call(asked, { result, isError: true }),
      error: (error) => [send('error', { error })],
      end(ending) {
        const finishReason = ending === 'calls' ? 'tool-calls' : 'stop';
        const finish = [
          send('step-finish', { finishReason, isContinued: false }),
          send('message-finish', { finishReason }),
        ];
        return [...(ending === 'error' ? [] : finish), DONE];
      },
    };
  },
};

const agUi: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const run = { threadId: 'thread', runId: id };
    const send = (type: string, rest: object = {}): string => sse({ type, ...rest });
    let messages = 0;
    const call = (asked: ScriptedCall): readonly string[] => {
      const toolCallId = asked.id;
      return [
        send('TOOL_CALL_START', { toolCallId, toolCallName: asked.name }),
        send('TOOL_CALL_ARGS', { toolCallId, delta: argumentsOf(asked) }),
        send('TOOL_CALL_END', { toolCallId }),
      ];
    };
    return {
      start: [send('RUN_STARTED', run)],
      text(text) {
        const messageId = `${id}-${String(messages++)}`;
        return [
          send('TEXT_MESSAGE_START', { messageId, role: 'assistant' }),
          ...words(text).map((delta) => send('TEXT_MESSAGE_CONTENT', { messageId, delta })),
          send('TEXT_MESSAGE_END', { messageId }),
        ];
      },
      reasoning(text) {
        const messageId = `${id}-${String(messages++)}`;
        return [
          send('REASONING_START', { messageId }),
          send('REASONING_MESSAGE_START', { messageId, role: 'reasoning' }),
          ...words(text).map((delta) => send('REASONING_MESSAGE_CONTENT', { messageId, delta })),
          send('REASONING_MESSAGE_END', { messageId }),
          send('REASONING_END', { messageId }),
        ];
      },
      call,
      result: (asked, result) => [
        ...call(asked),
        send('TOOL_CALL_RESULT', {
          messageId: `${id}-${String(messages++)}`,
          toolCallId: asked.id,
          role: 'tool',
          content: asText(result),
        }),
      ],
      error: (message) => [send('RUN_ERROR', { message })],
      end: (ending) => (ending === 'error' ? [] : [send('RUN_FINISHED', run)]),
    };
  },
};

const langgraph: ProtocolEncoder = {
  headers: SSE,
  aside: ({ url, method }) =>
    method === 'POST' && /\/threads\/?$/.test(new URL(url, 'http://localhost').pathname)
      ? { status: 200, json: { thread_id: 'thread' } }
      : undefined,
  open(id) {
    let sequence = 0;
    let messages = 0;
    const send = (event: string, data: unknown): string => `id: ${String(sequence++)}\n${sse(data, event)}`;
    const chunk = (fields: object): string =>
      send('messages', [
        { type: 'AIMessageChunk', id: `${id}-${String(messages)}`, content: '', ...fields },
        { langgraph_node: 'agent', langgraph_step: 1 },
      ]);
    const own = (call: ScriptedCall, content: string, status: string): readonly string[] => {
      const called = chunk({ tool_call_chunks: [{ index: 0, id: call.id, name: call.name, args: argumentsOf(call) }] });
      messages++;
      const result = {
        type: 'tool',
        id: `${id}-of-${call.id}`,
        tool_call_id: call.id,
        name: call.name,
        content,
        status,
      };
      return [called, send('messages', [result, { langgraph_node: 'tools' }])];
    };
    return {
      start: [send('metadata', { run_id: id })],
      text: (text) => words(text).map((content) => chunk({ content })),
      reasoning: (text) =>
        words(text).map((thinking) => chunk({ content: [{ type: 'thinking', thinking, index: 0 }] })),
      result: (call, result) => own(call, asText(result), 'success'),
      failure: (call, message) => own(call, message, 'error'),
      error: (message) => [send('error', { error: 'Error', message })],
    };
  },
};

const mastra: ProtocolEncoder = {
  headers: SSE,
  open(runId) {
    const send = (type: string, payload: object = {}): string => sse({ type, runId, from: 'AGENT', payload });
    let parts = 0;
    const grow = (kind: 'text' | 'reasoning', text: string): readonly string[] => {
      const id = `part-${String(parts++)}`;
      const deltas = words(text).map((piece) => send(`${kind}-delta`, { id, text: piece }));
      return [send(`${kind}-start`, { id }), ...deltas, send(`${kind}-end`, { id })];
    };
    const own = ({ id: toolCallId, name: toolName, arguments: args }: ScriptedCall, type: string, rest: object) => [
      send('tool-call', { toolCallId, toolName, args }),
      send(type, { toolCallId, toolName, ...rest }),
    ];
    return {
      start: [send('start', { id: 'scripted' }), send('step-start', { request: {} })],
      text: (text) => grow('text', text),
      reasoning: (text) => grow('reasoning', text),
      result: (call, result) => own(call, 'tool-result', { result }),
      failure: (call, message) => own(call, 'tool-error', { error: { name: 'Error', message } }),
      error: (message) => [send('error', { error: { name: 'Error', message } })],
      end(ending) {
        const stepResult = { stepResult: { reason: 'stop' } };
        return ending === 'error' ? [] : [send('step-finish', stepResult), send('finish', stepResult)];
      },
    };
  },
};

const agno: ProtocolEncoder = {
  headers: SSE,
  open(run_id) {
    const send = (event: string, rest: object = {}): string =>
      sse({ event, agent_id: 'scripted', run_id, session_id: 'session', ...rest }, event);
    let said = '';
    const toolOf = ({ id: tool_call_id, name: tool_name, arguments: tool_args }: ScriptedCall): object => ({
      ...{ tool_call_id, tool_name, tool_args },
    });
    return {
      start: [send('RunStarted', { model: 'scripted' })],
      text(text) {
        said += text;
        return words(text).map((content) => send('RunContent', { content, content_type: 'str' }));
      },
      reasoning: (text) => [
        send('ReasoningStarted'),
        ...words(text).map((reasoning_content) => send('ReasoningContentDelta', { reasoning_content })),
        send('ReasoningCompleted'),
      ],
      result: (call, result) => [
        send('ToolCallStarted', { tool: toolOf(call) }),
        send('ToolCallCompleted', { tool: { ...toolOf(call), result: asText(result) } }),
      ],
      failure: (call, error) => [
        send('ToolCallStarted', { tool: toolOf(call) }),
        send('ToolCallError', { tool: { ...toolOf(call), tool_call_error: true }, error }),
      ],
      error: (content) => [send('RunError', { content })],
      end: (ending) => (ending === 'error' ? [] : [send('RunCompleted', { content: said, content_type: 'str' })]),
    };
  },
};

/** Each event is one line of JSON. */
const n8n: ProtocolEncoder = {
  headers: { 'content-type': 'application/json; charset=utf-8' },
  open() {
    const send = (type: string, rest: object = {}): string =>
      line({ type, ...rest, metadata: { nodeId: 'agent', nodeName: 'Agent', itemIndex: 0, runIndex: 0 } });
    return {
      start: [send('begin')],
      text: (text) => words(text).map((content) => send('item', { content })),
      error: (content) => [send('error', { content })],
      end: (ending) => (ending === 'error' ? [] : [send('end')]),
    };
  },
};

export const frameworks = {
  'ai-sdk': aiSdk,
  'ai-sdk-v4': aiSdkV4,
  'assistant-transport': assistantTransport,
  'ag-ui': agUi,
  langgraph,
  mastra,
  agno,
  n8n,
} as const;
