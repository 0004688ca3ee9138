/** Streams of existing servers, in the shapes of their own code, with our text. */

export const WORDS = ['Hello', ' th', 'ere,\n\n', '**world** 2', ' ✅'];
/** The text of each of them. */
export const SAID = WORDS.join('');
export const SO_FAR = WORDS.map((_, index) => WORDS.slice(0, index + 1).join(''));

export interface Shape {
  /** The server whose stream has this shape. */
  readonly name: string;
  readonly body: string;
  /** It is read as plain text. */
  readonly isText?: boolean;
  readonly reasoning?: string;
  readonly tools?: readonly string[];
  readonly citations?: number;
  readonly suggestions?: readonly string[];
}

type Part = unknown;
export const data = (...values: readonly Part[]): string =>
  values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('');
export const named = (event: string, ...values: readonly Part[]): string =>
  values.map((value) => `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`).join('');
export const lines = (...values: readonly Part[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
export const each = (make: (word: string, index: number) => Part): readonly Part[] => WORDS.map(make);

export const shapes: readonly Shape[] = [
  {
    name: 'llama.cpp, /completion',
    body: data(
      ...each((content) => ({ index: 0, content, tokens: [1, 2], stop: false, id_slot: -1, tokens_predicted: 3 })),
      { index: 0, content: '', stop: true, model: 'm', prompt: 'Hi', stop_type: 'eos', generation_settings: { n: 1 } },
    ),
  },
  { name: 'KoboldCpp', body: named('message', ...each((token) => ({ token, finish_reason: null }))) },
  {
    name: 'text-generation-webui',
    body: data(...each((text, message_num) => ({ event: 'text_stream', message_num, text })), {
      event: 'stream_end',
      message_num: 9,
    }),
  },
  {
    name: 'Open Interpreter',
    body: data(
      { role: 'assistant', type: 'message', start: true },
      ...each((content) => ({ role: 'assistant', type: 'message', content })),
      { role: 'assistant', type: 'message', end: true },
    ),
  },
  {
    name: 'Quivr',
    body: data(
      ...each((assistant) => ({ chat_id: 'c', message_id: 'm', user_message: 'Hi there', assistant, metadata: {} })),
    ),
  },
  {
    name: 'AnythingLLM',
    body: data(
      ...each((textResponse) => ({
        uuid: 'u',
        type: 'textResponseChunk',
        textResponse,
        sources: [],
        close: false,
        error: false,
      })),
      { uuid: 'u', type: 'finalizeResponseStream', close: true, error: false, chatId: 4 },
    ),
  },
  {
    name: 'Onyx',
    body: lines(
      { user_message_id: 1, reserved_assistant_message_id: 2 },
      { top_documents: [{ document_id: 'd', semantic_identifier: 'Guide', link: 'https://a.example/guide' }] },
      ...each((answer_piece) => ({ answer_piece })),
      { message_id: 2, message: SAID, message_type: 'assistant' },
    ),
    citations: 1,
  },
  {
    name: 'RAGFlow',
    body: [
      ...SO_FAR.map((answer) => ({ code: 0, message: '', data: { answer, reference: {}, session_id: 's', id: 'i' } })),
      { code: 0, message: '', data: true },
    ]
      .map((value) => `data:${JSON.stringify(value)}\n\n`)
      .join(''),
  },
  {
    name: 'MaxKB',
    body: data(...each((content) => ({ chat_id: 'c', id: 'r', operate: true, is_end: false, content, node_id: 'n' })), {
      chat_id: 'c',
      id: 'r',
      operate: true,
      is_end: true,
      content: '',
      node_id: 'n',
    }),
  },
  {
    name: 'Perplexica',
    body: lines(
      {
        type: 'sources',
        data: [{ pageContent: 'A page.', metadata: { title: 'Page', url: 'https://a.example/page' } }],
        messageId: 'm',
      },
      ...each((word) => ({ type: 'message', data: word, messageId: 'm' })),
      { type: 'messageEnd', messageId: 'm' },
    ),
    citations: 1,
  },
  {
    name: 'LibreChat',
    body:
      named('message', {
        message: { messageId: 'q', text: 'Hi', sender: 'User', isCreatedByUser: true },
        created: true,
      }) +
      named('message', ...SO_FAR.map((text) => ({ text, message: true, initial: true, messageId: 'r' }))) +
      named('message', {
        final: true,
        title: 'A chat',
        requestMessage: { text: 'Hi', sender: 'User' },
        responseMessage: { text: SAID, sender: 'Agent' },
      }),
  },
  {
    name: 'chat-ui, with its padding',
    body: lines(
      { type: 'status', status: 'started' },
      ...each((token) => ({ type: 'stream', token: token.padEnd(16, '\0') })),
      { type: 'finalAnswer', text: SAID, interrupted: false },
    ),
  },
  {
    name: 'Lobe, named events with strings',
    body:
      named('reasoning', 'Let me', ' see.') +
      named('text', ...WORDS) +
      named('usage', { totalTokens: 9 }) +
      named('stop', 'stop'),
    reasoning: 'Let me see.',
  },
  {
    name: 'LangChain, the events of a chain',
    body: data(
      { event: 'on_chat_model_start', name: 'Chat', run_id: 'r', data: { input: 'Hi' } },
      ...each((content) => ({
        event: 'on_chat_model_stream',
        name: 'Chat',
        run_id: 'r',
        data: { chunk: { content, id: 'x' } },
      })),
      { event: 'on_chat_model_end', name: 'Chat', run_id: 'r', data: { output: { content: SAID } } },
    ),
  },
  {
    name: 'ASP.NET, a list of strings that grows',
    body: `[${WORDS.map((word) => JSON.stringify(word)).join(',')}]`,
  },
  {
    name: 'the AI chat protocol',
    body: lines(
      { delta: { role: 'assistant' }, context: { data_points: { text: ['a: words'] } }, session_state: null },
      ...each((content) => ({ delta: { content, role: 'assistant' }, context: null })),
    ),
  },
  {
    name: 'Workers AI',
    body: data(...each((response, index) => ({ response, p: 'abcdefgh'.slice(index) })), '[DONE]'),
  },
  {
    name: 'Poe',
    body:
      named('meta', { content_type: 'text/markdown', suggested_replies: true }) +
      named('text', ...each((text) => ({ text }))) +
      named('suggested_reply', { text: 'Tell me more' }, { text: 'Thanks' }) +
      named('done', {}),
  },
  {
    name: 'Text Generation Inference',
    body: data(
      ...each((text, index) => ({
        index,
        token: { id: index, text, logprob: -1, special: false },
        generated_text: null,
      })),
      { index: 9, token: { id: 2, text: '</s>', logprob: 0, special: true }, generated_text: SAID, details: null },
    ),
  },
  {
    name: 'Bedrock’s older models',
    body: data(...each((completion) => ({ completion, stop_reason: null })), {
      completion: '',
      stop_reason: 'stop_sequence',
      stop: '\n\nHuman:',
    }),
  },
  {
    name: 'a knowledge base of Bedrock',
    body: data({ sessionId: 's' }, ...each((text) => ({ output: { text } })), { guardrailAction: 'NONE' }),
  },
  {
    name: 'LangServe',
    body: named('metadata', { run_id: 'r' }) + named('data', ...WORDS) + 'event: end\n\n',
  },
  {
    name: 'a ReAct loop with a tool',
    body: data(
      { type: 'tool_start', tool: 'search', id: 't1', input: { q: 'x' } },
      { type: 'tool_end', tool: 'search', id: 't1', output: 'found' },
      ...each((content) => ({ type: 'token', content })),
      { type: 'done', follow_ups: ['And then?'] },
    ),
    tools: ['search'],
    suggestions: ['And then?'],
  },
  {
    name: 'parts of a content list',
    body: data(...each((text) => ({ role: 'assistant', content: [{ type: 'text', text }] })), { done: true }),
  },
  {
    name: 'two names for the same',
    body: data(...each((word) => ({ content: word, text: word })), { finished: true }),
  },
  {
    name: 'an echo of the question first',
    body: data({ role: 'user', content: 'Hi' }, ...each((content) => ({ role: 'assistant', content })), '[DONE]'),
  },
  {
    name: 'status lines before many words',
    body: data(
      { status: 'thinking', message: 'Reading' },
      { status: 'thinking', message: 'Searching' },
      { status: 'searching', message: 'Looking' },
      ...each((content) => ({ status: 'streaming', content })),
      { status: 'success', message: 'Finished', content: '' },
    ),
  },
  {
    name: 'the complete text so far, and done',
    body: lines(...SO_FAR.map((answer) => ({ answer, done: false })), {
      answer: SAID,
      done: true,
      sources: [{ title: 'Guide', url: 'https://a.example/guide' }],
    }),
    citations: 1,
  },
];
