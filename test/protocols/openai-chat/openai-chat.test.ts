import { adapter as openAiChat } from '../../../src/protocols/openai-chat/openai-chat.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import { call, chunk, say, stop, stream } from './streams.ts';

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});
const failed = (...blocks: readonly ExpectedFields[]): ExpectedFields =>
  done(blocks, { status: 'error', finish: 'error' });
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const wanted = { metadata: { thoughtsAs: 'reasoning_content' } };

describe('openai-chat', () => {
  testRecordings(openAiChat, 'openai-chat');

  testBodies(openAiChat, [
    {
      name: 'an empty first chunk, a role with every delta, fields that are null or empty',
      body: stream(
        { id: '', object: '', choices: [], prompt_filter_results: [], usage: null },
        chunk({ role: 'assistant', content: '', refusal: null, tool_calls: null }),
        chunk({ role: null, content: 'Hi', obfuscation: 'xxx' }, { system_fingerprint: null }),
        chunk({ role: '', content: null }),
        stop(),
      ),
      messages: [done([text('Hi')])],
    },
    {
      name: 'only the first choice',
      body: stream(
        { object: 'chat.completion.chunk', choices: [{ index: 1, delta: { content: 'other' } }] },
        {
          choices: [
            { index: 1, delta: { content: 'other' } },
            { index: 0, delta: { content: 'mine' } },
          ],
        },
        { choices: [{ delta: { content: '.' } }] },
        stop(),
      ),
      messages: [done([text('mine.')])],
    },
    {
      name: 'CRLF, no space behind the colon, comments',
      body: `: ping\r\n\r\ndata:${JSON.stringify(say('Hi'))}\r\n\r\n: keep-alive\r\n\r\ndata:${JSON.stringify(stop())}\r\n\r\ndata: [DONE]\r\n\r\n`,
      messages: [done([text('Hi')])],
    },
    {
      name: 'no end marker, but a reason',
      body: sse(say('Hi'), stop()),
      messages: [done([text('Hi')])],
    },
    {
      name: 'an end marker, but no reason',
      body: stream(say('Hi')),
      messages: [done([text('Hi')])],
    },
    {
      name: 'neither: interrupted',
      body: sse(say('Hi')),
      messages: [done([text('Hi')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'chunks after the end marker are ignored',
      body: stream(say('Hi'), stop()) + sse(say(' late')),
      messages: [done([text('Hi')])],
    },
    ...[
      { reason: 'stop', finish: 'complete' },
      { reason: 'length', finish: 'max_tokens' },
      { reason: 'model_length', finish: 'max_tokens' },
      { reason: 'eos', finish: 'complete' },
      { reason: 'end_turn', finish: 'complete' },
      { reason: 'insufficient_system_resource', finish: 'complete' },
      { reason: 'constructor', finish: 'complete' },
    ].map(({ reason, finish }) => ({
      name: `finish_reason ${reason}`,
      body: stream(say('a'), stop(reason)),
      messages: [done([text('a')], { finish })],
    })),
    {
      name: 'ended by a content filter',
      body: stream(say('a'), stop('content_filter')),
      messages: [{ ...failed(text('a')), metadata: { filtered: true } }],
    },
    {
      name: 'ended by an error without a message',
      body: stream(say('a'), stop('error')),
      messages: [failed(text('a'))],
    },
    {
      name: 'usage after the finish, the last one counts',
      body: stream(say('a'), chunk({}, { usage: { ...usage, total_tokens: 5 } }), stop(), { choices: [], usage }),
      messages: [done([text('a')], { usage })],
    },
    {
      name: 'usage without a total, and Groq’s field for it',
      body: stream(say('a'), stop(), { choices: [], x_groq: { usage: { prompt_tokens: 1, completion_tokens: 2 } } }),
      messages: [done([text('a')], { usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })],
    },
    {
      name: 'a total that exceeds its parts is kept',
      body: stream(say('a'), stop('stop', { usage: { ...usage, total_tokens: 90 } })),
      messages: [done([text('a')], { usage: { ...usage, total_tokens: 90 } })],
    },
    {
      name: 'reasoning as reasoning_content, empty text between its chunks',
      body: stream(
        chunk({ reasoning_content: 'Hm', content: null }),
        chunk({ reasoning_content: ' so', content: '' }),
        chunk({ reasoning_content: '', content: 'Yes' }),
        stop(),
      ),
      messages: [done([thought('Hm so'), text('Yes')], wanted)],
    },
    {
      name: 'reasoning as reasoning; of two fields with the same text one counts',
      body: stream(
        chunk({ reasoning: 'Hm' }),
        chunk({ reasoning: ' so', reasoning_content: ' so' }),
        say('Yes'),
        stop(),
      ),
      messages: [done([thought('Hm so'), text('Yes')], wanted)],
    },
    {
      name: 'content in parts: text, reasoning in parts, and parts without text',
      body: stream(
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }),
        chunk({
          content: [
            { type: 'thinking', thinking: '.' },
            { type: 'text', text: 'Yes' },
          ],
        }),
        chunk({
          content: [
            { type: 'reference', reference_ids: [1] },
            { type: 'text', text: '!' },
          ],
        }),
        stop(),
      ),
      messages: [done([thought('Hm.'), text('Yes!')])],
    },
    {
      name: 'only a closing tag: the text before it was reasoning',
      body: stream(say('Hm, well'), say('\n</think>\n\nYes'), stop()),
      messages: [done([thought('Hm, well'), text('Yes')])],
    },
    {
      name: 'a refusal is shown, and is no success',
      body: stream(chunk({ refusal: 'I can’t ' }), chunk({ refusal: 'do that.' }), stop()),
      messages: [{ ...failed(text('I can’t do that.')), metadata: { filtered: true } }],
    },
    {
      name: 'a reply that was not streamed',
      body: JSON.stringify({
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        usage,
      }),
      messages: [done([text('Hi')], { usage })],
    },
    {
      name: 'chunks with the complete message so far beside the delta',
      body: sse(
        chunk({ content: 'H' }, { object: 'chat.completion' }, { message: { content: 'H' } }),
        chunk(
          { content: 'i' },
          { object: 'chat.completion.done' },
          { message: { content: 'Hi' }, finish_reason: 'stop' },
        ),
      ),
      messages: [done([text('Hi')])],
    },
    {
      name: 'legacy completions',
      body: stream(
        { object: 'text_completion', choices: [{ index: 0, text: 'H', finish_reason: null }] },
        { object: 'text_completion', choices: [{ index: 0, text: 'i', finish_reason: 'stop' }] },
      ),
      messages: [done([text('Hi')])],
    },
    ...[
      { name: 'an object', error: { error: { message: 'Boom', type: 't', code: 500 } }, code: '500' },
      { name: 'an object without a code', error: { error: { message: 'Boom', type: 't' } }, code: 't' },
      { name: 'a string beside its code', error: { error: 'Boom', code: 'c' }, code: 'c' },
      { name: 'as vLLM has it', error: { object: 'error', message: 'Boom', code: 400 }, code: '400' },
      { name: 'what Groq adds', error: { choices: [], x_groq: { error: 'Boom' } }, code: undefined },
      {
        name: 'a router’s, with its cause',
        error: {
          error: { message: 'Provider returned error', code: 502, metadata: { raw: 'Boom', provider_name: 'p' } },
        },
        code: '502',
      },
      {
        name: 'a router’s, with its cause as JSON',
        error: {
          error: { message: 'Provider returned error', code: 502, metadata: { raw: '{"error":{"message":"Boom"}}' } },
        },
        code: '502',
      },
    ].map(({ name, error, code }) => ({
      name: `an error in the stream: ${name}`,
      body: stream(say('Half'), error),
      messages: [failed(text('Half'), failure('Boom', code === undefined ? {} : { code }))],
    })),
    {
      name: 'an error after text that might have become a tag',
      body: stream(say('1 <'), { error: { message: 'Boom', code: 'c' } }),
      messages: [failed(text('1 <'), failure('Boom', { code: 'c' }))],
    },
    {
      name: 'an error whose message is an object',
      body: sse({ object: 'error', message: { detail: [{ msg: 'Boom' }] } }),
      messages: [failed(failure('{"detail":[{"msg":"Boom"}]}'))],
    },
    {
      name: 'a frame named error',
      body: `${sse(say('Half'))}event: error\ndata: {"message":"Boom","code":"c"}\n\n`,
      messages: [failed(text('Half'), failure('Boom', { code: 'c' }))],
    },
    {
      name: 'an error in its choice',
      body: stream(
        say('Half'),
        chunk({ content: '' }, {}, { finish_reason: 'error', error: { code: 502, message: 'Upstream idle timeout' } }),
      ),
      messages: [failed(text('Half'), failure('Upstream idle timeout', { code: '502' }))],
    },
    ...[
      'event: error\ndata: Boom\n\n',
      'event: error\ndata: "Boom"\n\n',
      `event: error\ndata: ${JSON.stringify('{"error":{"message":"Boom"}}')}\n\n`,
      sse({ error: { message: { detail: 'Boom' } } }),
      sse({ error: [{ message: 'Boom' }] }),
    ].map((frame) => ({
      name: `an unexpected form: ${frame}`,
      body: sse(say('Half')) + frame,
      messages: [failed(text('Half'), failure('Boom'))],
    })),
    {
      name: 'a web page in a frame named error',
      body: `${sse(say('Half'))}event: error\ndata: <html>502</html>\n\n`,
      messages: [failed(text('Half'), failure('The provider reported an error.'))],
    },
    {
      name: 'each invalid field is one warning, and the rest is read',
      body: stream(say('a'), '{"choices":', 7, chunk({ content: {}, tool_calls: 'x' }), say('b'), stop()),
      messages: [done([text('ab')])],
      warnings: ['malformed', 'malformed'],
    },
  ]);

  testNeverThrows(openAiChat, [
    chunk({
      role: 'assistant',
      content: [
        { type: 'text', text: 'x' },
        { type: 'thinking', thinking: [{ text: 'y' }] },
      ],
      refusal: 'r',
      reasoning_details: [{ type: 'reasoning.text', text: 'x', signature: 's', index: 0 }],
      annotations: [{ type: 'url_citation', url_citation: { url: 'u', title: 't', start_index: 0, end_index: 1 } }],
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }],
      audio: { id: 'a', data: 'AAAA', transcript: 't' },
    }),
    chunk({ content: '<think>x' }),
    chunk({ reasoning_content: 'x', reasoning: 'y' }),
    call({ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{' }, extra_content: { a: 1 } }),
    call({ id: '', custom: { name: 'f', input: 'x' } }),
    chunk({ function_call: { name: 'f', arguments: '{}' } }),
    stop('tool_calls', { usage, x_groq: { usage, error: 'e' } }),
    {
      choices: [],
      citations: ['u'],
      search_results: [{ url: 'u', title: 't' }],
      related_questions: ['q'],
      images: ['i'],
    },
    { error: { message: 'm', code: 1, metadata: { raw: 'r' } } },
    { object: 'error', message: 'm', code: 'c' },
    { object: 'text_completion', choices: [{ text: 'x' }] },
  ]);
});
