/** What we send to OpenAI's Responses API over two turns, against the types of its own client. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  ResponseCreateParamsStreaming,
  ResponseFunctionToolCall,
  ResponseInputItem,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import { added, done, message, saying } from '../protocols/openai-responses/wire.ts';
import { replayServer, type Replay } from './support/replay-server.ts';
import { call, piece, stream, thinking, thought } from './support/responses-stream.ts';
import { CLEAR, foreignTurn, parameters, PDF, PIXEL, twoTurns, UNKNOWN } from './support/two-turns.ts';

const [lisbon, atlantis] = ['{"city": "Lisbon"}', '{"city": "Atlantis"}'];
const first = stream(
  [thought('A tower.'), call('a', 'weather', lisbon), call('b', 'weather', atlantis)],
  [
    ...thinking(0, 'A tower.'),
    added(1, { ...call('a', 'weather', ''), status: 'in_progress' }),
    added(2, { ...call('b', 'weather', ''), status: 'in_progress' }),
    piece(1, lisbon),
    piece(2, atlantis),
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
  // There is no field that says that a call has failed.
  { type: 'function_call_output', call_id: 'b', output: UNKNOWN },
];
const asked = [sealed, calling('a', lisbon), calling('b', atlantis)];
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

  it('attachments, sealed thoughts and calls as they came, and their results', async () => {
    assert.deepEqual(await twoTurns(server, '/v1/responses', [first, ...answers]), []);
    assert.deepEqual(server.sent, [
      body(question),
      body(question, ...asked, ...results),
      body(question, ...asked, ...results, ...later),
    ]);
  });

  it('a conversation that another provider has led', async () => {
    assert.deepEqual(await foreignTurn(server, '/v1/responses', answer('Home.')), []);
    const input: ResponseInputItem[] = [
      { role: 'user', content: [{ type: 'input_text', text: 'Where is this?' }] },
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'functions.a:0', name: 'weather', arguments: '{"city":"Lisbon"}' },
      { type: 'function_call', call_id: 'functions.b:1', name: 'weather', arguments: '{"city":"Atlantis"}' },
      { type: 'function_call_output', call_id: 'functions.a:0', output: CLEAR },
      { type: 'function_call_output', call_id: 'functions.b:1', output: UNKNOWN },
      { role: 'assistant', content: 'Lisbon.' },
      { role: 'user', content: [{ type: 'input_text', text: 'And then?' }] },
    ];
    assert.deepEqual(server.sent, [
      { model: 'm', stream: true, store: false, include: ['reasoning.encrypted_content'], input },
    ]);
  });
});
