/** More of them: search engines, assistants of data platforms, and chat servers. */
import { data, each, lines, named, SAID, SO_FAR, WORDS, type Shape } from './shapes.ts';

export const agentShapes: readonly Shape[] = [
  {
    name: 'R2R',
    body:
      named('search_results', { id: 'run', object: 'rag.search_results', data: { chunk_search_results: [] } }) +
      named(
        'message',
        ...each((value) => ({
          id: 'msg',
          object: 'agent.message.delta',
          delta: { content: [{ type: 'text', payload: { value, annotations: [] } }] },
        })),
      ) +
      named('final_answer', { id: 'msg', object: 'agent.final_answer', generated_answer: SAID, citations: [] }) +
      'event: done\ndata: [DONE]\n\n',
  },
  {
    name: 'Verba',
    body: lines(...each((message) => ({ message, finish_reason: '' })), {
      message: '',
      finish_reason: 'stop',
      full_text: SAID,
    }),
  },
  {
    name: 'Cheshire Cat',
    body: lines(...each((content) => ({ type: 'chat_token', content })), {
      type: 'chat',
      user_id: 'u',
      who: 'AI',
      text: SAID,
      content: SAID,
      why: { input: 'Hi', intermediate_steps: [], memory: {} },
    }),
  },
  {
    name: 'sample-app-aoai-chatGPT',
    body: lines(
      {
        id: 'i',
        model: 'm',
        created: 1,
        object: 'extensions.chat.completion.chunk',
        choices: [{ messages: [{ role: 'tool', content: '{"citations":[],"intent":"[]"}' }] }],
        history_metadata: {},
      },
      ...each((content) => ({
        id: 'i',
        model: 'm',
        created: 1,
        object: 'extensions.chat.completion.chunk',
        choices: [{ messages: [{ role: 'assistant', content }] }],
        history_metadata: {},
      })),
    ),
  },
  {
    name: 'Cortex Agents',
    body:
      named('response.status', { message: 'Planning the next steps', status: 'planning', sequence_number: 1 }) +
      named('response.thinking.delta', { content_index: 0, text: 'Let me', sequence_number: 2 }) +
      named('response.thinking.delta', { content_index: 0, text: ' see.', sequence_number: 3 }) +
      named('response.thinking', { content_index: 0, text: 'Let me see.', sequence_number: 4 }) +
      named('response.status', { message: 'Forming the answer', status: 'proceeding_to_answer', sequence_number: 5 }) +
      named('response.text.delta', ...each((text, index) => ({ content_index: 1, text, sequence_number: 6 + index }))) +
      named('response.text', { content_index: 1, text: SAID, sequence_number: 20 }) +
      named('response', {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: { text: 'Let me see.' } },
          { type: 'text', text: SAID },
        ],
        sequence_number: 21,
      }) +
      'event: done\ndata: [DONE]\n\n',
    reasoning: 'Let me see.',
  },
  {
    name: 'watsonx.ai',
    body: each((generated_text, index) => ({
      model_id: 'm',
      created_at: '2026-01-01T00:00:00Z',
      results: [
        {
          generated_text,
          generated_token_count: index,
          input_token_count: 0,
          stop_reason: index === WORDS.length - 1 ? 'eos_token' : 'not_finished',
        },
      ],
    }))
      .map((value, index) => `id: ${String(index)}\nevent: message\ndata: ${JSON.stringify(value)}\n\n`)
      .join(''),
  },
  {
    name: 'watsonx Orchestrate',
    body: lines(
      { id: '1', event: 'run.started', data: { run_id: 'r', thread_id: 't' } },
      { id: '2', event: 'message.started', data: { message_id: 'm', role: 'assistant' } },
      ...each((text, index) => ({
        id: String(index + 3),
        event: 'message.delta',
        data: { delta: { role: 'assistant', content: [{ response_type: 'text', text }] } },
      })),
      {
        id: '20',
        event: 'message.created',
        data: { message: { role: 'assistant', content: [{ response_type: 'text', text: SAID }] } },
      },
      { id: '21', event: 'run.completed', data: { run_id: 'r' } },
      { id: '22', event: 'done', data: {} },
    ),
  },
  {
    name: 'Agentforce',
    body:
      named('PROGRESS_INDICATOR', {
        timestamp: 1,
        originEventId: 'e',
        offset: 0,
        message: { type: 'ProgressIndicator', id: 'p', indicatorType: 'ACTION', message: 'Working on it' },
      }) +
      named(
        'TEXT_CHUNK',
        ...each((message, offset) => ({
          timestamp: 1,
          originEventId: 'e',
          offset,
          message: { type: 'TextChunk', id: 'c', message },
        })),
      ) +
      named('INFORM', {
        timestamp: 1,
        originEventId: 'e',
        offset: 0,
        message: { type: 'Inform', id: 'i', feedbackId: 'f', planId: 'p', isContentSafe: true, message: SAID },
      }) +
      named('END_OF_TURN', { timestamp: 1, originEventId: 'e', offset: 0, message: { type: 'EndOfTurn', id: 't' } }),
  },
  {
    name: 'Farfalle',
    body: data(
      { event: 'begin-stream', data: { event_type: 'begin-stream', query: 'Hi' } },
      {
        event: 'search-results',
        data: {
          event_type: 'search-results',
          results: [{ title: 'Page', url: 'https://a.example/page', content: 'A page.' }],
          images: [],
        },
      },
      ...each((text) => ({ event: 'text-chunk', data: { event_type: 'text-chunk', text } })),
      { event: 'related-queries', data: { event_type: 'related-queries', related_queries: ['And then?'] } },
      { event: 'final-response', data: { event_type: 'final-response', message: SAID } },
      { event: 'stream-end', data: { event_type: 'stream-end', thread_id: 7 } },
    ),
    citations: 1,
    suggestions: ['And then?'],
  },
  {
    name: 'OpenGPTs',
    body:
      named('metadata', { run_id: 'r' }) +
      named('data', [{ content: 'Hi', type: 'human', id: 'h', example: false }]) +
      named(
        'data',
        ...SO_FAR.map((content) => [
          { content: 'Hi', type: 'human', id: 'h', example: false },
          { content, type: 'AIMessageChunk', id: 'a', example: false },
        ]),
      ) +
      'event: end\n\n',
  },
  {
    name: 'LangServe, its log',
    body:
      named('data', {
        ops: [{ op: 'replace', path: '', value: { id: 'r', streamed_output: [], final_output: null, logs: {} } }],
      }) +
      named('data', ...each((value) => ({ ops: [{ op: 'add', path: '/streamed_output/-', value }] }))) +
      named('data', { ops: [{ op: 'replace', path: '/final_output', value: { output: SAID } }] }) +
      'event: end\n\n',
  },
  {
    name: 'AstrBot',
    body:
      data(...each((word) => ({ type: 'plain', data: word, streaming: true, chain_type: null })), {
        type: 'complete',
        data: SAID,
        streaming: true,
        chain_type: null,
      }) + data({ type: 'end', data: '', streaming: false }),
  },
  {
    name: 'Mistral, conversations',
    body:
      named('conversation.response.started', {
        type: 'conversation.response.started',
        created_at: '2026-01-01',
        conversation_id: 'conv',
      }) +
      named('tool.execution.started', {
        type: 'tool.execution.started',
        id: 't1',
        name: 'web_search',
        arguments: '{"query":"x"}',
        output_index: 0,
      }) +
      named('tool.execution.done', { type: 'tool.execution.done', id: 't1', name: 'web_search', output_index: 0 }) +
      named(
        'message.output.delta',
        ...each((content) => ({
          type: 'message.output.delta',
          created_at: '2026-01-01',
          output_index: 1,
          id: 'm',
          content_index: 0,
          model: 'm',
          role: 'assistant',
          content,
        })),
      ) +
      named('conversation.response.done', {
        type: 'conversation.response.done',
        created_at: '2026-01-01',
        usage: { prompt_tokens: 2, completion_tokens: 7, total_tokens: 9 },
      }),
    tools: ['web_search'],
  },
  {
    name: 'Pinecone Assistant',
    body: data(
      { type: 'message_start', id: 'm', model: 'm', role: 'assistant' },
      ...each((content) => ({ type: 'content_chunk', id: 'm', model: 'm', delta: { content } })),
      {
        type: 'citation',
        id: 'm',
        model: 'm',
        citation: {
          position: 3,
          references: [{ pages: [1], file: { name: 'guide.pdf', id: 'f', signed_url: 'https://a.example/guide.pdf' } }],
        },
      },
      { type: 'message_end', id: 'm', model: 'm', finish_reason: 'stop', usage: { total_tokens: 9 } },
    ),
  },
  {
    name: 'YouChat',
    body:
      named('youChatSerpResults', { youChatSerpResults: [] }) +
      named('youChatToken', ...each((youChatToken) => ({ youChatToken }))) +
      'event: done\ndata: I am finished. Look at me.\n\n',
  },
  {
    name: 'GPT Researcher',
    body: lines(
      { type: 'logs', content: 'starting_research', output: 'Starting the research', metadata: null },
      { type: 'logs', content: 'agent_generated', output: 'Reader', metadata: null },
      ...each((output) => ({ type: 'report', output })),
      { type: 'path', output: { pdf: 'outputs/report.pdf' } },
    ),
  },
  {
    name: 'Vanna',
    body: data(
      ...each((text) => ({
        rich: { id: 'c', type: 'text', lifecycle: 'create', data: { content: text } },
        simple: { type: 'text', semantic_type: null, text },
        conversation_id: 'c1',
        request_id: 'r',
        timestamp: 1,
      })),
      '[DONE]',
    ),
  },
  {
    name: 'a React template with an action',
    body: data(
      { action: 'start', payload: { id: 'm' } },
      ...each((text) => ({ action: 'append', payload: { text } })),
      { action: 'finish', payload: { id: 'm' } },
    ),
  },
  {
    name: 'event, then an envelope of success',
    body: data(...each((content) => ({ success: true, code: 0, message: 'ok', data: { type: 'answer', content } })), {
      success: true,
      code: 0,
      message: 'ok',
      data: { type: 'finish' },
    }),
  },
  {
    name: 'a chain of nodes',
    body: lines(
      { node: 'router', status: 'running', output: null },
      { node: 'router', status: 'done', output: 'billing' },
      ...each((chunk) => ({ node: 'answer', status: 'streaming', chunk })),
      { node: 'answer', status: 'done', output: SAID },
    ),
  },
];
