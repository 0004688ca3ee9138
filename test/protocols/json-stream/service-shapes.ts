/** Streams of further products and services, in the shapes of their own code or documentation, with our text. */
import { data, each, lines, named, SAID, SO_FAR, WORDS, type Shape } from './shapes.ts';

export const serviceShapes: readonly Shape[] = [
  {
    name: 'Gradio, a call',
    body:
      'event: heartbeat\ndata: null\n\n' +
      named('generating', ...SO_FAR.map((text) => [text])) +
      named('complete', [SAID]),
  },
  {
    name: 'Langchain-Chatchat',
    body: data(...each((answer) => ({ answer })), {
      docs: ['Source [1] [guide.md](https://a.example/guide)\n\nA line.'],
    }),
  },
  {
    name: 'ChatGLM',
    body:
      named('message', ...SO_FAR.map((response) => ({ response, history: [['Hi', response]], finished: false }))) +
      named('message', { response: SAID, history: [['Hi', SAID]], finished: true }),
  },
  {
    name: 'Qianfan',
    body: data(
      ...each((result, sentence_id) => ({
        id: 'as-1',
        object: 'chat.completion',
        created: 1_700_000_000,
        sentence_id,
        is_end: sentence_id === WORDS.length - 1,
        is_truncated: false,
        result,
        need_clear_history: false,
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      })),
    ),
  },
  {
    name: 'DashScope',
    body: SO_FAR.map(
      (text, index) =>
        `id:${String(index)}\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify({
          output: { finish_reason: index === WORDS.length - 1 ? 'stop' : 'null', text },
          usage: { total_tokens: 9, input_tokens: 2, output_tokens: 7 },
          request_id: 'r',
        })}\n\n`,
    ).join(''),
  },
  {
    name: 'Spark',
    body: lines(
      ...each((content, seq) => ({
        header: { code: 0, message: 'Success', sid: 'cht', status: seq === 0 ? 0 : seq === WORDS.length - 1 ? 2 : 1 },
        payload: { choices: { status: 1, seq, text: [{ content, role: 'assistant', index: 0 }] } },
      })),
    ),
  },
  {
    name: 'MiniMax',
    body: data(
      ...each((text) => ({
        created: 1_700_000_000,
        model: 'abab',
        reply: '',
        choices: [{ messages: [{ sender_type: 'BOT', sender_name: 'Bot', text }] }],
        output_sensitive: false,
      })),
      {
        created: 1_700_000_000,
        model: 'abab',
        reply: SAID,
        choices: [{ finish_reason: 'stop', messages: [{ sender_type: 'BOT', sender_name: 'Bot', text: SAID }] }],
        usage: { total_tokens: 9 },
        id: 'i',
      },
    ),
  },
  {
    name: 'Replicate',
    isText: true,
    body:
      WORDS.map(
        (word) =>
          `event: output\nid: 1:0\n${word
            .split('\n')
            .map((line) => `data: ${line}\n`)
            .join('')}\n`,
      ).join('') + 'event: done\nid: 2:0\ndata: {}\n\n',
  },
  {
    name: 'Cohere, version 1',
    body: lines(
      { is_finished: false, event_type: 'stream-start', generation_id: 'g' },
      ...each((text) => ({ is_finished: false, event_type: 'text-generation', text })),
      {
        is_finished: true,
        event_type: 'stream-end',
        finish_reason: 'COMPLETE',
        response: {
          response_id: 'r',
          text: SAID,
          generation_id: 'g',
          chat_history: [
            { role: 'USER', message: 'Hi' },
            { role: 'CHATBOT', message: SAID },
          ],
          finish_reason: 'COMPLETE',
        },
      },
    ),
  },
  {
    name: 'Vectara',
    body:
      named('message', {
        type: 'search_results',
        search_results: [{ text: 'A page.', score: 0.9, document_metadata: { title: 'Page' }, document_id: 'd' }],
      }) +
      named('message', ...each((generation_chunk) => ({ type: 'generation_chunk', generation_chunk }))) +
      named('message', { type: 'generation_end' }, { type: 'end' }),
  },
  {
    name: 'Voiceflow',
    body:
      named('trace', { type: 'completion', payload: { state: 'start' }, time: 1 }) +
      named('trace', ...each((content) => ({ type: 'completion', payload: { state: 'content', content }, time: 2 }))) +
      named('trace', { type: 'completion', payload: { state: 'end' }, time: 3 }) +
      named('end', {}),
  },
  {
    name: 'Letta',
    body: data(
      { id: 'm1', date: '2026-01-01', message_type: 'reasoning_message', reasoning: 'Let me see.', source: 'model' },
      {
        id: 'm2',
        date: '2026-01-01',
        message_type: 'tool_call_message',
        tool_call: { name: 'search', arguments: '{"q":"x"}', tool_call_id: 't1' },
      },
      {
        id: 'm3',
        date: '2026-01-01',
        message_type: 'tool_return_message',
        tool_return: 'found',
        status: 'success',
        tool_call_id: 't1',
      },
      ...each((content) => ({ id: 'm4', date: '2026-01-01', message_type: 'assistant_message', content })),
      { message_type: 'stop_reason', stop_reason: 'end_turn' },
      { message_type: 'usage_statistics', completion_tokens: 7, prompt_tokens: 2, total_tokens: 9, step_count: 1 },
      '[DONE]',
    ),
    reasoning: 'Let me see.',
    tools: ['search'],
  },
  {
    name: 'Pydantic AI, its chat example',
    body: lines(
      { role: 'user', timestamp: '2026-01-01T00:00:00Z', content: 'Hi' },
      ...SO_FAR.map((content) => ({ role: 'model', timestamp: '2026-01-01T00:00:01Z', content })),
    ),
  },
  {
    name: 'OpenAI Agents, its events',
    body: data(
      { type: 'agent_updated_stream_event', new_agent: { name: 'Assistant' } },
      {
        type: 'raw_response_event',
        data: { type: 'response.created', response: { id: 'r', instructions: 'Be kind' } },
      },
      ...each((delta, sequence_number) => ({
        type: 'raw_response_event',
        data: { type: 'response.output_text.delta', delta, item_id: 'i', output_index: 0, sequence_number },
      })),
      { type: 'raw_response_event', data: { type: 'response.output_text.done', text: SAID, item_id: 'i' } },
      { type: 'run_item_stream_event', name: 'message_output_created', item: { type: 'message_output_item' } },
    ),
  },
  {
    name: 'LlamaIndex, events of a workflow',
    body: lines(
      { value: { input: [{ role: 'user', blocks: [{ text: 'Hi' }] }] }, qualified_name: 'workflow_events.AgentInput' },
      ...each((delta, index) => ({
        value: { delta, response: SO_FAR[index], current_agent_name: 'Agent', tool_calls: [], raw: {} },
        qualified_name: 'workflow_events.AgentStream',
      })),
      {
        value: { response: { role: 'assistant', blocks: [{ block_type: 'text', text: SAID }] }, tool_calls: [] },
        qualified_name: 'workflow_events.AgentOutput',
      },
    ),
  },
  {
    name: 'CrewAI',
    body: data(
      ...each((content) => ({
        content,
        chunk_type: 'text',
        agent_role: 'Researcher',
        task_name: 'Answer',
        task_index: 0,
      })),
    ),
  },
  {
    name: 'AutoGen',
    body: data(
      { id: 'a', source: 'user', models_usage: null, metadata: {}, content: 'Hi', type: 'TextMessage' },
      ...each((content) => ({
        id: 'b',
        source: 'assistant',
        models_usage: null,
        metadata: {},
        content,
        type: 'ModelClientStreamingChunkEvent',
      })),
      { id: 'c', source: 'assistant', models_usage: null, metadata: {}, content: SAID, type: 'TextMessage' },
      { messages: [{ source: 'user', content: 'Hi' }], stop_reason: 'Text TERMINATE mentioned' },
    ),
  },
  {
    name: 'Haystack',
    body: data(
      ...each((content, index) => ({
        content,
        meta: { model: 'm', index: 0, finish_reason: index === WORDS.length - 1 ? 'stop' : null },
        component_info: { type: 'haystack.components.OpenAIChatGenerator', name: 'llm' },
        index: 0,
        start: index === 0,
      })),
    ),
  },
  {
    name: 'Rivet',
    body:
      named('nodeStart', { nodeId: 'n', nodeTitle: 'Chat', inputs: {} }) +
      named('partialOutput', ...each((delta) => ({ nodeId: 'n', nodeTitle: 'Chat', delta }))) +
      named('nodeFinish', { nodeId: 'n', nodeTitle: 'Chat', outputs: { response: { type: 'string', value: SAID } } }) +
      named('done', { graphOutput: { output: { type: 'string', value: SAID } } }),
  },
  {
    name: 'Cody',
    body: named('completion', ...SO_FAR.map((completion) => ({ completion, stopReason: '' }))) + named('done', {}),
  },
  {
    name: 'Cody, deltas',
    body:
      named('completion', ...each((deltaText) => ({ deltaText }))) +
      named('completion', { deltaText: '', stopReason: 'stop_sequence' }) +
      named('done', {}),
  },
  {
    name: 'Prism',
    body:
      named('stream_start', { id: 'e', timestamp: 1, type: 'stream_start', model: 'm', provider: 'openai' }) +
      named('text_start', { id: 'e', timestamp: 1, type: 'text_start', message_id: 'm' }) +
      named('text_delta', ...each((delta) => ({ id: 'e', timestamp: 1, type: 'text_delta', delta, message_id: 'm' }))) +
      named('text_complete', { id: 'e', timestamp: 1, type: 'text_complete', message_id: 'm' }) +
      named('stream_end', { id: 'e', timestamp: 1, type: 'stream_end', finish_reason: 'Stop', usage: null }),
  },
  {
    name: 'QAnything',
    body: data(
      ...each((response) => ({ code: 200, msg: 'success', question: '', response, history: [], source_documents: [] })),
      {
        code: 200,
        msg: 'success stream chat',
        question: 'Hi',
        response: '',
        history: [['Hi', SAID]],
        source_documents: [{ file_name: 'guide.md', content: 'A line.', score: '0.9' }],
      },
    ),
    citations: 1,
  },
  {
    name: 'Onyx, its packets',
    body: lines(
      { user_message_id: 1, reserved_assistant_message_id: 2 },
      { ind: 0, obj: { type: 'reasoning_start' } },
      { ind: 0, obj: { type: 'reasoning_delta', reasoning: 'Let me see.' } },
      { ind: 0, obj: { type: 'section_end' } },
      { ind: 1, obj: { type: 'message_start', content: '', final_documents: null } },
      ...each((content) => ({ ind: 1, obj: { type: 'message_delta', content } })),
      { ind: 1, obj: { type: 'section_end' } },
      { ind: 2, obj: { type: 'stop' } },
    ),
    reasoning: 'Let me see.',
  },
];
