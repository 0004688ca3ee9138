/** Encoders of the protocols of model providers. Source: the pages of `docs/protocols/`. */
import { isRecord } from '../../../model/json.ts';
import { argumentsOf, asText, DONE, LINES, line, SSE, sse, words, type ProtocolEncoder } from './encoder.ts';

const openAiChat: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const chunk = (delta: object, finish_reason: string | null = null): string =>
      sse({ id, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
    let calls = 0;
    return {
      text: (text) => words(text).map((content) => chunk({ content })),
      reasoning: (text) => words(text).map((reasoning_content) => chunk({ reasoning_content })),
      call(call) {
        const { id: callId, name } = call;
        const fn = { name, arguments: argumentsOf(call) };
        return [chunk({ tool_calls: [{ index: calls++, id: callId, type: 'function', function: fn }] })];
      },
      error: (message) => [sse({ error: { message } })],
      end: (ending) => [...(ending === 'error' ? [] : [chunk({}, ending === 'calls' ? 'tool_calls' : 'stop')]), DONE],
    };
  },
};

const openAiResponses: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const response = { id, object: 'response', model: 'scripted' };
    const output: object[] = [];
    let sequence_number = 0;
    let error: object | undefined;
    const send = (name: string, rest: object): string => {
      const type = `response.${name}`;
      return sse({ type, sequence_number: sequence_number++, ...rest }, type);
    };
    const item = (added: object, deltas: (place: object) => readonly string[], done: object): readonly string[] => {
      const output_index = output.length;
      const item_id = `${id}-item-${String(output_index)}`;
      output.push({ ...done, id: item_id });
      return [
        send('output_item.added', { output_index, item: { ...added, id: item_id } }),
        ...deltas({ item_id, output_index }),
        send('output_item.done', { output_index, item: { ...done, id: item_id } }),
      ];
    };
    const callItem = (call: object, args: string, event: string, done: object = {}): readonly string[] =>
      item(
        { ...call, arguments: '' },
        (place) => [
          send(`${event}.delta`, { ...place, delta: args }),
          send(`${event}.done`, { ...place, arguments: args }),
        ],
        { ...call, arguments: args, ...done },
      );
    const ownCall = (name: string, args: string, done: object): readonly string[] =>
      callItem({ type: 'mcp_call', name, server_label: 'scripted' }, args, 'mcp_call_arguments', done);
    return {
      start: [send('created', { response: { ...response, status: 'in_progress', output: [] } })],
      text(text) {
        const message = (content: readonly object[]): object => ({ type: 'message', role: 'assistant', content });
        const part = (said: string): object => ({ type: 'output_text', text: said, annotations: [] });
        return item(
          message([]),
          (place) => {
            const at = { ...place, content_index: 0 };
            return [
              send('content_part.added', { ...at, part: part('') }),
              ...words(text).map((delta) => send('output_text.delta', { ...at, delta })),
              send('output_text.done', { ...at, text }),
              send('content_part.done', { ...at, part: part(text) }),
            ];
          },
          message([part(text)]),
        );
      },
      reasoning: (text) =>
        item(
          { type: 'reasoning', summary: [] },
          (place) =>
            words(text).map((delta) => send('reasoning_summary_text.delta', { ...place, summary_index: 0, delta })),
          { type: 'reasoning', summary: [{ type: 'summary_text', text }] },
        ),
      call: (call) =>
        callItem(
          { type: 'function_call', call_id: call.id, name: call.name },
          argumentsOf(call),
          'function_call_arguments',
        ),
      result: (call, result) => ownCall(call.name, argumentsOf(call), { output: asText(result) }),
      failure: (call, message) => ownCall(call.name, argumentsOf(call), { error: message }),
      error(message) {
        error = { code: 'server_error', message };
        return [];
      },
      end() {
        const status = error ? 'failed' : 'completed';
        return [send(status, { response: { ...response, status, output, ...(error && { error }) } })];
      },
    };
  },
};

const anthropic: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const send = (type: string, rest: object = {}): string => sse({ type, ...rest }, type);
    let index = -1;
    const block = (content_block: object, deltas: readonly object[]): readonly string[] => {
      index++;
      return [
        send('content_block_start', { index, content_block }),
        ...deltas.map((delta) => send('content_block_delta', { index, delta })),
        send('content_block_stop', { index }),
      ];
    };
    const use = (content_block: object, args: string): readonly string[] =>
      block({ ...content_block, input: {} }, [{ type: 'input_json_delta', partial_json: args }]);
    const own = (call: Parameters<typeof argumentsOf>[0], text: string, is_error: boolean): readonly string[] => [
      ...use({ type: 'mcp_tool_use', id: call.id, name: call.name, server_name: 'scripted' }, argumentsOf(call)),
      ...block({ type: 'mcp_tool_result', tool_use_id: call.id, is_error, content: [{ type: 'text', text }] }, []),
    ];
    const message = { id, type: 'message', role: 'assistant', model: 'scripted', content: [], stop_reason: null };
    return {
      start: [send('message_start', { message })],
      text: (text) =>
        block(
          { type: 'text', text: '' },
          words(text).map((piece) => ({ type: 'text_delta', text: piece })),
        ),
      reasoning: (text) =>
        block(
          { type: 'thinking', thinking: '', signature: '' },
          words(text).map((thinking) => ({ type: 'thinking_delta', thinking })),
        ),
      call: (call) => use({ type: 'tool_use', id: call.id, name: call.name }, argumentsOf(call)),
      result: (call, result) => own(call, asText(result), false),
      failure: (call, text) => own(call, text, true),
      error: (text) => [send('error', { error: { type: 'api_error', message: text } })],
      end: (ending) =>
        ending === 'error'
          ? []
          : [
              send('message_delta', { delta: { stop_reason: ending === 'calls' ? 'tool_use' : 'end_turn' } }),
              send('message_stop'),
            ],
    };
  },
};

const gemini: ProtocolEncoder = {
  headers: SSE,
  open(responseId) {
    const chunk = (parts: readonly object[], rest: object = {}): string =>
      sse({ candidates: [{ content: { role: 'model', parts }, index: 0, ...rest }], responseId });
    const own = ({ id, name, arguments: args }: { id: string; name: string; arguments: object }, response: object) => [
      chunk([{ toolCall: { id, toolType: name, args } }]),
      chunk([{ toolResponse: { id, toolType: name, response } }]),
    ];
    return {
      text: (text) => words(text).map((piece) => chunk([{ text: piece }])),
      reasoning: (text) => words(text).map((piece) => chunk([{ text: piece, thought: true }])),
      call: ({ id, name, arguments: args }) => [chunk([{ functionCall: { id, name, args } }])],
      // A response is an object.
      result: (call, result) => own(call, isRecord(result) ? result : { result }),
      error: (message) => [sse({ error: { code: 503, message, status: 'UNAVAILABLE' } })],
      end: (ending) => (ending === 'error' ? [] : [chunk([{ text: '' }], { finishReason: 'STOP' })]),
    };
  },
};

const geminiInteractions: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const interaction = { id, object: 'interaction', model: 'scripted' };
    const send = (event_type: string, rest: object): string => sse({ ...rest, event_type }, event_type);
    let index = -1;
    const step = (value: object, deltas: readonly object[] = []): readonly string[] => {
      index++;
      return [
        send('step.start', { index, step: value }),
        ...deltas.map((delta) => send('step.delta', { index, delta })),
        send('step.stop', { index }),
      ];
    };
    const own = (call: { id: string; name: string; arguments: object }, result: string, is_error: boolean) => {
      const named = { name: call.name, server_name: 'scripted' };
      return [
        ...step({ type: 'mcp_server_tool_call', id: call.id, ...named, arguments: call.arguments }),
        ...step({ type: 'mcp_server_tool_result', call_id: call.id, ...named }, [
          { type: 'mcp_server_tool_result', result, is_error },
        ]),
      ];
    };
    return {
      start: [send('interaction.created', { interaction: { ...interaction, status: 'in_progress' } })],
      text: (text) =>
        step(
          { type: 'model_output' },
          words(text).map((piece) => ({ type: 'text', text: piece })),
        ),
      reasoning: (text) =>
        step(
          { type: 'thought' },
          words(text).map((piece) => ({ type: 'thought_summary', content: { type: 'text', text: piece } })),
        ),
      call: (call) =>
        step({ type: 'function_call', id: call.id, name: call.name, arguments: {} }, [
          { type: 'arguments_delta', arguments: argumentsOf(call) },
        ]),
      result: (call, result) => own(call, asText(result), false),
      failure: (call, message) => own(call, message, true),
      error: (message) => [send('error', { error: { code: 'internal', message } })],
      end(ending) {
        if (ending === 'error') return [];
        const status = ending === 'calls' ? 'requires_action' : 'completed';
        return [send('interaction.completed', { interaction: { ...interaction, status } }), sse('[DONE]', 'done')];
      },
    };
  },
};

const ollama: ProtocolEncoder = {
  headers: LINES,
  open() {
    const model = 'scripted';
    const chunk = (message: object, rest: object = { done: false }): string =>
      line({ model, message: { role: 'assistant', content: '', ...message }, ...rest });
    return {
      text: (text) => words(text).map((content) => chunk({ content })),
      reasoning: (text) => words(text).map((thinking) => chunk({ thinking })),
      call: ({ name, arguments: args }) => [chunk({ tool_calls: [{ function: { index: 0, name, arguments: args } }] })],
      error: (error) => [line({ error })],
      end: (ending) => (ending === 'error' ? [] : [chunk({}, { done: true, done_reason: 'stop' })]),
    };
  },
};

const cohere: ProtocolEncoder = {
  headers: SSE,
  open(id) {
    const send = (type: string, rest: object = {}): string => sse({ type, ...rest }, type);
    const sendMessage = (type: string, at: number, message: object): string =>
      send(type, { index: at, delta: { message } });
    let index = -1;
    let calls = -1;
    let error: string | undefined;
    const content = (type: 'text' | 'thinking', text: string): readonly string[] => {
      index++;
      return [
        sendMessage('content-start', index, { content: { type, [type]: '' } }),
        ...words(text).map((piece) => sendMessage('content-delta', index, { content: { [type]: piece } })),
        send('content-end', { index }),
      ];
    };
    const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
    return {
      start: [send('message-start', { id, delta: { message } })],
      text: (text) => content('text', text),
      reasoning: (text) => content('thinking', text),
      call(call) {
        calls++;
        const started = { id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
        return [
          sendMessage('tool-call-start', calls, { tool_calls: started }),
          sendMessage('tool-call-delta', calls, { tool_calls: { function: { arguments: argumentsOf(call) } } }),
          send('tool-call-end', { index: calls }),
        ];
      },
      error(text) {
        error = text;
        return [];
      },
      end(ending) {
        const finish_reason = { complete: 'COMPLETE', calls: 'TOOL_CALL', error: 'ERROR' }[ending];
        return [send('message-end', { delta: { finish_reason, ...(error !== undefined && { error }) } }), DONE];
      },
    };
  },
};

export const modelProviders = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
  'gemini-interactions': geminiInteractions,
  ollama,
  cohere,
} as const;
