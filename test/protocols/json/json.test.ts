import { adapter as json } from '../../../src/protocols/json.ts';
import { testBodies, testNeverThrows, testRequests } from '../../support/adapter-tests.ts';
import { failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { assistant, user } from '../../support/messages.ts';

const complete = (...blocks: readonly ExpectedFields[]): readonly ExpectedFields[] => [
  { status: 'complete', finish: 'complete', blocks },
];
const failed = (words: string): readonly ExpectedFields[] => [
  { status: 'error', finish: 'error', blocks: [failure(words)] },
];

/** Every field that may contain the text, in the order of precedence. */
const places: readonly { readonly place: string; readonly document: object }[] = [
  { place: 'choices[0].message.content', document: { choices: [{ message: { content: 'Hi' } }] } },
  { place: 'content[0].text', document: { content: [{ type: 'text', text: 'Hi' }] } },
  { place: 'message.content', document: { message: { content: 'Hi' } } },
  { place: 'output', document: { output: 'Hi' } },
  { place: 'answer', document: { answer: 'Hi' } },
  { place: 'text', document: { text: 'Hi' } },
  { place: 'response', document: { response: 'Hi' } },
  { place: 'message', document: { message: 'Hi' } },
  { place: 'result', document: { result: 'Hi' } },
  ...['reply', 'completion', 'generated_text', 'outputText', 'generation'].map((place) => ({
    place,
    document: { [place]: 'Hi' },
  })),
];
const custom = (document: unknown): ExpectedFields => ({ type: 'data', data: { data_type: 'custom', data: document } });

describe('json', () => {
  testBodies(json, [
    ...places.map(({ place, document }) => ({
      name: place,
      body: JSON.stringify(document),
      messages: complete(text('Hi')),
    })),
    ...places.slice(0, -1).map(({ place, document }, index) => ({
      name: `${place} before ${places[index + 1]!.place}`,
      body: JSON.stringify({ ...later(index), ...document }),
      messages: complete(text('Hi')),
    })),
    {
      name: 'reasoning in tags',
      body: '{"answer":"<think>\\nHm\\n</think>\\n\\nHi <think>"}',
      messages: complete(thought('Hm'), text('Hi <think>')),
    },
    {
      name: 'only a closing tag',
      body: '{"answer":"Hm\\n</think>\\nHi"}',
      messages: complete(thought('Hm'), text('Hi')),
    },
    {
      name: 'a document on several lines',
      body: JSON.stringify({ status: 'ok', answer: 'Grüße 🌍' }, null, 2),
      messages: complete(text('Grüße 🌍')),
    },
    { name: 'an error object', body: '{"error":{"message":"Boom"}}', messages: failed('Boom') },
    { name: 'an error string', body: '{"error":"Boom"}', messages: failed('Boom') },
    { name: 'a detail', body: '{"detail":"Boom"}', messages: failed('Boom') },
    { name: 'an event of the type error', body: '{"type":"error","error_message":"Boom"}', messages: failed('Boom') },
    { name: 'an error beside a message', body: '{"error":true,"message":"Boom"}', messages: failed('Boom') },
    ...[
      { ok: true, sessionId: 's1' },
      { status: 'accepted', task_id: 't', created_at: '2026-11-23' },
      { conversationId: 'c', token: 't', expires_in: 1800 },
    ].map((document) => ({
      name: `an acknowledgement: ${Object.keys(document).join(', ')}`,
      body: JSON.stringify(document),
      messages: failed(
        `The endpoint only confirmed the request: ${JSON.stringify(document)}. It may start a session or a job whose answer comes ` +
          'from another address. Set "endpoint" to the address that streams the answer, or "poll" to the one that has it later.',
      ),
    })),
    {
      name: 'flags beside data are no acknowledgement',
      body: '{"success":true,"rows":[1]}',
      messages: complete(custom({ success: true, rows: [1] })),
    },
    ...[
      { success: false, message: 'Quota exceeded' },
      { ok: false, message: 'Quota exceeded' },
      { status: 'error', message: 'Quota exceeded' },
      { status: 'failed', result: 'Quota exceeded' },
    ].map((document) => ({
      name: `a failure with its reason: ${JSON.stringify(document)}`,
      body: JSON.stringify(document),
      messages: failed('Quota exceeded'),
    })),
    {
      name: 'flags of success beside the answer',
      body: '{"success":true,"status":"completed","message":"Hi"}',
      messages: complete(text('Hi')),
    },
    {
      name: 'the answer with its sources, suggestions, usage and the ids of the conversation',
      body: JSON.stringify({
        answer: 'Hi',
        conversation_id: 'c1',
        sources: [{ title: 'A', url: 'https://a.example/' }, 'https://b.example/'],
        suggestions: ['More'],
        usage: { input_tokens: 1, output_tokens: 2 },
      }),
      messages: [
        {
          ...complete(
            text('Hi', {
              citations: [
                { id: 'https://a.example/', title: 'A', url: 'https://a.example/' },
                { id: 'https://b.example/', url: 'https://b.example/' },
              ],
            }),
          )[0],
          usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
          suggestions: [{ label: 'More', prompt: 'More' }],
          metadata: { 'json-stream': { conversation_id: 'c1' } },
        },
      ],
    },
    ...[
      [{ generated_text: 'Hi' }],
      { results: [{ outputText: 'Hi' }] },
      { data: { reply: 'Hi' } },
      { result: { completion: 'Hi', model: 'm' } },
      { output: { text: 'Hi' } },
    ].map((document) => ({
      name: `text inside of another object: ${JSON.stringify(document)}`,
      body: JSON.stringify(document),
      messages: complete(text('Hi')),
    })),
    { name: 'no text', body: '{"a":{"b":1}}', messages: complete(custom({ a: { b: 1 } })) },
    { name: 'empty text', body: '{"answer":"","text":"Hi"}', messages: complete(text('Hi')) },
    {
      name: 'a truncated document',
      body: '{"answer":"Hi',
      messages: [{ status: 'interrupted', finish: 'error', blocks: [] }],
      problem: 'empty',
    },
    {
      name: 'names in Object.prototype',
      body: '{"__proto__":{"text":"no"},"constructor":"no"}',
      messages: complete(custom(JSON.parse('{"__proto__":{"text":"no"},"constructor":"no"}'))),
    },
  ]);

  testNeverThrows(json, [
    ...places.map(({ document }) => document),
    { error: { message: 'm' } },
    { detail: 'd' },
    [1],
    null,
    'x',
  ]);

  const said = (id: string, role: string, content: string) => ({
    ...{ id, role, content },
    parts: [{ type: 'text', text: content, content }],
  });
  testRequests(json, [
    {
      name: 'the ids of the conversation',
      messages: [
        user('hi'),
        { ...assistant('Hello'), metadata: { 'json-stream': { conversation_id: 'c1', threadId: 't1' } } },
        user('more'),
      ],
      turn: { text: 'more' },
      body: {
        stream: false,
        messages: [said('m1', 'user', 'hi'), said('m2', 'assistant', 'Hello'), said('m3', 'user', 'more')],
        message: 'more',
        ...{ id: 'thread', threadId: 't1', runId: 'm3', conversation_id: 'c1' },
        ...{ state: {}, tools: [], context: [], forwardedProps: {} },
      },
    },
    {
      name: 'the fields of the first request with auto',
      messages: [user('hi'), assistant('Hello'), user('more')],
      turn: { text: 'more' },
      body: {
        stream: false,
        messages: [said('m1', 'user', 'hi'), said('m2', 'assistant', 'Hello'), said('m3', 'user', 'more')],
        message: 'more',
        ...{ id: 'thread', threadId: 'thread', runId: 'm3' },
        ...{ state: {}, tools: [], context: [], forwardedProps: {} },
      },
    },
  ]);
});

/** The documents of the later fields, with other text, unless they share a key with it. */
function later(index: number): object {
  return Object.assign(
    {},
    ...places
      .slice(index + 1)
      .map(({ document }) => JSON.parse(JSON.stringify(document).replace('Hi', 'no')) as object),
  ) as object;
}
