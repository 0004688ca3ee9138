/** Compares our requests to OpenAI's Responses API over two turns with the types of its own client. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  ResponseCreateParamsStreaming,
  ResponseFunctionToolCall,
  ResponseInputItem,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import { added, done, message, saying } from '../protocols/openai-responses/streams.ts';
import { replayServer, type Replay } from './support/replay-server.ts';
import { call, textDelta, stream, thinking, reasoningItem } from './support/responses-stream.ts';
import { CLEAR, turnAfterImport, parameters, PDF, PIXEL, twoTurns, UNKNOWN_CITY } from './support/two-turns.ts';

const [lisbon, atlantis] = ['{"city": "Lisbon"}', '{"city": "Atlantis"}'];
const first = stream(
  [reasoningItem('A tower.'), call('a', 'weather', lisbon), call('b', 'weather', atlantis)],
  [
    ...thinking(0, 'A tower.'),
    added(1, { ...call('a', 'weather', ''), status: 'in_progress' }),
    added(2, { ...call('b', 'weather', ''), status: 'in_progress' }),
    textDelta(1, lisbon),
    textDelta(2, atlantis),
    done(1, call('a', 'weather', lisbon)),
    done(2, call('b', 'weather', atlantis)),
  ],
);
const answer = (text: string): string => stream([message(text)], saying(0, text));
const answers = [answer('Lisbon.'), answer('Home.')];

const question: ResponseInputItem = {
  role: 'user',
  content: [
    { type: 'input_text', text: 'Where is this?' },
    { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' },
    { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
  ],
};
const sealed: ResponseReasoningItem = {
  id: 'rs_0',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'A tower.' }],
  encrypted_content: 'SEALED',
};
const calling = (id: string, args: string): ResponseFunctionToolCall => ({
  id: `fc_${id}`,
  type: 'function_call',
  status: 'completed',
  call_id: id,
  name: 'weather',
  arguments: args,
});
const results: readonly ResponseInputItem[] = [
  { type: 'function_call_output', call_id: 'a', output: CLEAR },
  // The API has no field for a failed call.
  { type: 'function_call_output', call_id: 'b', output: UNKNOWN_CITY },
];
const callItems = [sealed, calling('a', lisbon), calling('b', atlantis)];
const later: readonly ResponseInputItem[] = [
  {
    id: 'msg_0',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Lisbon.', annotations: [] }],
  },
  { role: 'user', content: [{ type: 'input_text', text: 'And then?' }] },
];

const body = (...input: ResponseInputItem[]) =>
  ({
    model: 'm',
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    instructions: 'Be brief.',
    input,
    tools: [{ type: 'function', name: 'weather', description: 'The weather of a city', parameters, strict: false }],
  }) satisfies ResponseCreateParamsStreaming;

describe('two turns with OpenAI’s responses', () => {
  let server: Replay;
  before(async () => {
    server = await replayServer();
  });
  after(() => server.close());

  it('attachments, encrypted reasoning and calls unchanged, and their results', async () => {
    assert.deepEqual(await twoTurns(server, '/v1/responses', [first, ...answers]), []);
    assert.deepEqual(server.sent, [
      body(question),
      body(question, ...callItems, ...results),
      body(question, ...callItems, ...results, ...later),
    ]);
  });

  it('a conversation from another provider', async () => {
    assert.deepEqual(await turnAfterImport(server, '/v1/responses', answer('Home.')), []);
    const input: ResponseInputItem[] = [
      { role: 'user', content: [{ type: 'input_text', text: 'Where is this?' }] },
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'functions.a:0', name: 'weather', arguments: '{"city":"Lisbon"}' },
      { type: 'function_call', call_id: 'functions.b:1', name: 'weather', arguments: '{"city":"Atlantis"}' },
      { type: 'function_call_output', call_id: 'functions.a:0', output: CLEAR },
      { type: 'function_call_output', call_id: 'functions.b:1', output: UNKNOWN_CITY },
      { role: 'assistant', content: 'Lisbon.' },
      { role: 'user', content: [{ type: 'input_text', text: 'And then?' }] },
    ];
    assert.deepEqual(server.sent, [
      { model: 'm', stream: true, store: false, include: ['reasoning.encrypted_content'], input },
    ]);
  });
});
