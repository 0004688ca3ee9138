/** Encoders of the protocols of products with an agent builder. Source: the pages of `docs/protocols/`. */
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

const dify: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const send = (event: string, rest: object): string =>
      sse({ event, task_id: id, message_id: id, conversation_id: 'conversation', ...rest });
    let position = 0;
    return {
      text: (text) => words(text).map((answer) => send('agent_message', { id, answer })),
      reasoning: (text) => words(text).map((reasoning) => send('reasoning_chunk', { data: { reasoning } })),
      result(call, result) {
        position++;
        const { name: tool } = call;
        const thought = { id: call.id, position, thought: '', tool, tool_input: argumentsOf(call) };
        return [
          send('agent_thought', { ...thought, observation: '' }),
          send('agent_thought', { ...thought, observation: asText(result) }),
        ];
      },
      error: (message) => [send('error', { status: 400, code: 'error', message })],
      end: (ending) => (ending === 'error' ? [] : [send('message_end', { id, metadata: {} })]),
    };
  },
};

const flowise: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const send = (event: string, data: unknown): string => `message:\n${sse({ event, data })}`;
    const used: object[] = [];
    const own = (call: ScriptedCall, outcome: object): readonly string[] => {
      const tool = { tool: call.name, toolInput: call.arguments };
      used.push({ ...tool, ...outcome });
      return [send('calledTools', [tool]), send('usedTools', used)];
    };
    return {
      start: [send('start', '')],
      text: (text) => words(text).map((piece) => send('token', piece)),
      reasoning: (text) => words(text).map((piece) => send('thinking', piece)),
      result: (call, result) => own(call, { toolOutput: asText(result) }),
      failure: (call, error) => own(call, { toolOutput: error, error }),
      error: (message) => [send('error', message)],
      end: () => [send('metadata', { chatId: 'chat', chatMessageId: id, sessionId: 'chat' }), send('end', '[DONE]')],
    };
  },
};

const langflow: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const send = (event: string, data: object): string => `${JSON.stringify({ event, data })}\n\n`;
    const contents: object[] = [];
    let text = '';
    const sendMessage = (state: string): string =>
      send('add_message', {
        ...{ id, text, sender: 'Machine', sender_name: 'Agent', session_id: 'session', error: false },
        content_blocks: contents.length > 0 ? [{ title: 'Agent Steps', contents }] : [],
        properties: { state },
      });
    const own = (call: ScriptedCall, outcome: object): readonly string[] => {
      const use = { type: 'tool_use', name: call.name, tool_input: call.arguments };
      contents.push(use);
      const begun = sendMessage('partial');
      contents[contents.length - 1] = { ...use, ...outcome };
      return [begun, sendMessage('partial')];
    };
    return {
      text: (said) =>
        words(said).map((chunk) => {
          text += chunk;
          return send('token', { chunk, id });
        }),
      result: (call, result) => own(call, { output: asText(result) }),
      failure: (call, error) => own(call, { error }),
      error: (message) => [send('error', { text: message })],
      end(ending) {
        const outputs = [{ outputs: [{ results: { message: { text } } }] }];
        const end = send('end', { result: { session_id: 'session', outputs } });
        return ending === 'error' ? [end] : [sendMessage('complete'), end];
      },
    };
  },
};

const coze: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const conversation_id = 'conversation';
    const chat = (status: string, rest: object = {}): string =>
      sse({ id, conversation_id, status, ...rest }, `conversation.chat.${status}`);
    let messages = 0;
    const message = (event: 'delta' | 'completed', type: string, rest: object, own?: string): string => {
      const fields = {
        id: own ?? `${id}-${String(messages++)}`,
        conversation_id,
        chat_id: id,
        role: 'assistant',
        type,
      };
      return sse({ ...fields, content_type: 'text', content: '', ...rest }, `conversation.message.${event}`);
    };
    const said = { content: '', reasoning_content: '' };
    const grow = (field: keyof typeof said, text: string): readonly string[] => {
      said[field] += text;
      return words(text).map((piece) => message('delta', 'answer', { [field]: piece }, `${id}-answer`));
    };
    return {
      start: [chat('created'), chat('in_progress')],
      text: (text) => grow('content', text),
      reasoning: (text) => grow('reasoning_content', text),
      result: ({ name, arguments: args }, result) => [
        message('completed', 'function_call', { content: JSON.stringify({ name, arguments: args }) }),
        message('completed', 'tool_response', { content: asText(result) }),
      ],
      error: (msg) => [chat('failed', { last_error: { code: 5000, msg } })],
      end(ending) {
        const done = sse('"[DONE]"', 'done');
        const answer = message('completed', 'answer', said, `${id}-answer`);
        return ending === 'error' ? [done] : [answer, chat('completed'), done];
      },
    };
  },
};

/** One list of messages at the end. */
const rasa: ProtocolEncoder = {
  headers: { 'content-type': 'application/json' },
  open() {
    const messages: object[] = [];
    return {
      text(text) {
        messages.push({ recipient_id: 'user', text });
        return [];
      },
      end: () => [JSON.stringify(messages)],
    };
  },
};

/** The message is posted to a session, whose events come by a second request. */
const eve: ProtocolEncoder = {
  headers: LINES,
  path: '/eve/v1/session',
  aside: ({ url, method }) =>
    method === 'POST' && /\/session(?:\/[^/]+)?$/.test(new URL(url, 'http://localhost').pathname)
      ? { status: 202, json: { ok: true, sessionId: 'session', deliveryId: 'delivery' }, isMessage: true }
      : undefined,
  open(id) {
    let sequence = 0;
    const send = (type: string, data: object = {}): string =>
      line({
        type,
        data: { sequence, stepIndex: 0, ...data },
        meta: { id: `${id}-${String(sequence++)}`, at: '2026-01-01T00:00:00Z', deliveryIds: ['delivery'] },
      });
    const own = (call: ScriptedCall, output: string, error?: object): readonly string[] => {
      const action = { callId: call.id, kind: 'tool-call', toolName: call.name, input: call.arguments };
      const result = { ...action, kind: 'tool-result', output, ...(error && { isError: true }) };
      const status = error ? 'failed' : 'completed';
      return [
        send('actions.requested', { actions: [action] }),
        send('action.result', { result, status, ...(error && { error }) }),
      ];
    };
    return {
      start: [send('session.started'), send('turn.started')],
      text: (text) => [
        ...words(text).map((messageDelta) => send('message.appended', { messageDelta })),
        send('message.completed', { message: text, finishReason: 'stop' }),
      ],
      reasoning: (text) => [
        ...words(text).map((reasoningDelta) => send('reasoning.appended', { reasoningDelta })),
        send('reasoning.completed', { reasoning: text }),
      ],
      result: (call, result) => own(call, asText(result)),
      failure: (call, message) => own(call, message, { message, code: 'error' }),
      error: (message) => [send('turn.failed', { message, code: 'error' })],
      end: (ending) =>
        ending === 'error' ? [] : [send('turn.completed'), send('session.waiting', { wait: 'next-user-message' })],
    };
  },
};

export const products = { dify, flowise, langflow, coze, rasa, eve } as const;
