/** Encoders of the reference event formats and of formats without a protocol. Source: the pages of `docs/protocols/`. */
import {
  argumentsOf,
  asText,
  line,
  LINES,
  SSE,
  sse,
  words,
  type ProtocolEncoder,
  type ScriptedCall,
} from './encoder.ts';

const deepchatEvents: ProtocolEncoder = {
  headers: LINES,
  open(eventId) {
    const send = (data: object): string => line({ type: 'response', data: { eventId, ...data } });
    const call = (asked: ScriptedCall): object => ({ tool_call_id: asked.id, tool_call_name: asked.name });
    const start = (asked: ScriptedCall): string =>
      send({ ...call(asked), tool_call: 'start', tool_call_params: argumentsOf(asked) });
    return {
      text: (text) => words(text).map((content) => send({ content })),
      reasoning: (text) => words(text).map((reasoning_content) => send({ reasoning_content })),
      call: (asked) => [start(asked)],
      result: (asked, result) => [
        start(asked),
        send({ ...call(asked), tool_call: 'end', tool_call_response: asText(result) }),
      ],
      failure: (asked, message) => [
        start(asked),
        send({ ...call(asked), tool_call: 'error', tool_call_response: message }),
      ],
      error: (error) => [line({ type: 'error', data: { eventId, error } })],
      event: (data) => [send(data)],
      // An end event would close the calls that wait for the page.
      end: (ending) => [
        ending === 'calls' ? send({ finish: 'tool_use' }) : line({ type: 'end', data: { eventId, userStop: false } }),
      ],
    };
  },
};

const messageField: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    let messages = 0;
    const send = (event: object): string => sse({ ...event, project_id: 'project' });
    const message = (
      role: string,
      more: object,
      content: string,
      fields: readonly object[] = [],
    ): readonly string[] => {
      const whole = { id: `${id}-${String(messages++)}`, role, thinking: false, content, ...more };
      const message_id = whole.id;
      return [
        send({ message_id, tool_call_id: null, role, ...more, type: 'message_start' }),
        ...fields.map((field) => send({ message_id, ...field })),
        ...words(content)
          .filter((delta) => delta !== '')
          .map((delta) => send({ message_id, field_name: 'content', delta, type: 'message_field_delta' })),
        send({ message_id, message: whole, type: 'message_result' }),
      ];
    };
    const call = (asked: ScriptedCall): readonly string[] => {
      const called = { function: { name: asked.name, arguments: argumentsOf(asked) }, type: 'function', id: asked.id };
      return message('assistant', { tool_calls: [called] }, '', [
        { field_name: 'tool_calls[0]', field_value: called, type: 'message_field' },
      ]);
    };
    return {
      text: (text) => message('assistant', {}, text),
      reasoning: (text) =>
        message('assistant', { thinking: true }, text, [
          { field_name: 'thinking', field_value: true, type: 'message_field' },
        ]),
      call,
      result: (asked, result) => [...call(asked), ...message('tool', { tool_call_id: asked.id }, asText(result))],
    };
  },
};

/** Lines of JSON with the type of server-sent events, as its specification has them. */
const agentPhase: ProtocolEncoder = {
  headers: SSE,
  open() {
    const send = (type: string, phase: string, data: object): string => line({ type, phase, data });
    const own = ({ name: toolName, arguments: params }: ScriptedCall, outcome: object): readonly string[] => [
      send('tool_start', 'tool_calling', { toolName, toolDescription: toolName, params }),
      send('tool_end', 'tool_calling', { toolName, ...outcome }),
    ];
    return {
      text: (text) => words(text).map((content) => send('text', 'generating', { content })),
      reasoning: (text) => words(text).map((content) => send('thinking', 'thinking', { content })),
      result: (call, result) => own(call, { success: true, summary: asText(result) }),
      failure: (call, error) => own(call, { success: false, summary: '', error }),
      error: (message) => [send('error', 'error', { code: 'error', message, recoverable: false })],
      end: (ending) => (ending === 'error' ? [] : [send('done', 'completed', { finishReason: 'stop' })]),
    };
  },
};

const agentSession: ProtocolEncoder = {
  headers: SSE,
  open(request_id) {
    let sequence = 0;
    const send = (type: string, data: object): string =>
      sse({ type, data, metadata: { request_id, timestamp: 1, sequence: sequence++ } });
    const own = (call: ScriptedCall, outcome: object): readonly string[] => [
      send('tool_call_start', {
        ...{ tool_id: call.id, tool_name: call.name, description: call.name },
        arguments: call.arguments,
      }),
      send('tool_call_end', { tool_id: call.id, ...outcome }),
    ];
    return {
      start: [send('session_start', { session_id: 'session', request_id })],
      text: (text) =>
        words(text).map((content, index, all) =>
          send('content', { content, format: 'markdown', is_complete: index === all.length - 1 }),
        ),
      reasoning: (text) => words(text).map((content) => send('thinking', { content })),
      result: (call, result) => own(call, { status: 'success', result }),
      failure: (call, message) => own(call, { status: 'failed', error: { message, code: 'error' } }),
      error: (message) => [send('error', { error_type: 'execution', message, recoverable: false })],
      end: (ending) => [send('session_end', { status: ending === 'error' ? 'error' : 'completed' })],
    };
  },
};

/** Each frame is the whole message so far. */
const agentscopeMsg: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    let messages = 0;
    let content: readonly object[] = [];
    const send = (role: string, name: string, blocks: readonly object[], last: boolean): string => {
      const msg = {
        name,
        role,
        content: blocks,
        metadata: {},
        id: `${id}-${String(messages)}`,
        timestamp: '2026-01-01',
      };
      return sse({ msg, last });
    };
    const show = (last = false): string => send('ASSISTANT', 'Agent', content, last);
    const grow = (text: string, block: (said: string) => object): readonly string[] => {
      const before = content;
      let said = '';
      return words(text).map((piece) => {
        said += piece;
        content = [...before, block(said)];
        return show();
      });
    };
    const own = (call: ScriptedCall, text: string): readonly string[] => {
      content = [...content, { type: 'tool_use', id: call.id, name: call.name, input: call.arguments }];
      const called = show(true);
      messages++;
      content = [];
      const output = [{ type: 'text', text }];
      const result = { type: 'tool_result', toolUseId: call.id, name: call.name, output };
      const answered = send('TOOL', 'system', [result], true);
      messages++;
      return [called, answered];
    };
    return {
      text: (text) => grow(text, (said) => ({ type: 'text', text: said })),
      reasoning: (text) => grow(text, (thinking) => ({ type: 'thinking', thinking })),
      result: (call, result) => own(call, asText(result)),
      failure: (call, message) => own(call, `[ERROR] ${message}`),
      end: () => [show(true)],
    };
  },
};

const text: ProtocolEncoder = {
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  open: () => ({ text: words }),
};

/** One document at the end. */
const json: ProtocolEncoder = {
  headers: { 'content-type': 'application/json' },
  open() {
    const document: { answer?: string; error?: object } = {};
    return {
      text(said) {
        document.answer = (document.answer ?? '') + said;
        return [];
      },
      error(message) {
        document.error = { message };
        return [];
      },
      end: () => [JSON.stringify(document)],
    };
  },
};

/** A stream as many write it themselves. */
const jsonStream: ProtocolEncoder = {
  headers: LINES,
  open: () => ({
    text: (said) => words(said).map((token) => line({ token })),
    error: (error) => [line({ error })],
    end: (ending) => (ending === 'error' ? [] : [line({ done: true })]),
  }),
};

export const eventFormats = {
  'deepchat-events': deepchatEvents,
  'message-field': messageField,
  'agent-phase': agentPhase,
  'agent-session': agentSession,
  'agentscope-msg': agentscopeMsg,
  text,
  json,
  'json-stream': jsonStream,
} as const;
