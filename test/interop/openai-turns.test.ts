/** Compares our requests to OpenAI's chat completions over two turns with the types of its own client. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { call, chunk, say, stop, stream } from '../protocols/openai-chat/streams.ts';
import { replayServer, type Replay } from './support/replay-server.ts';
import { CLEAR, turnAfterImport, parameters, PDF, PIXEL, twoTurns, UNKNOWN_CITY } from './support/two-turns.ts';

const PATH = '/v1/chat/completions';

const calling = (...before: readonly unknown[]): string =>
  stream(
    ...before,
    call({ index: 0, id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city": ' } }),
    call({ index: 1, id: 'call_b', type: 'function', function: { name: 'weather', arguments: '' } }),
    call({ index: 0, function: { arguments: '"Lisbon"}' } }),
    call({ index: 1, function: { arguments: '{"city": "Atlantis"}' } }),
    stop('tool_calls'),
  );
const answers = [stream(say('Lisbon.'), stop()), stream(say('Home.'), stop())];

const question: readonly ChatCompletionMessageParam[] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Where is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
      { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
    ],
  },
];
const callMessage = {
  role: 'assistant',
  content: 'I look.',
  // Exactly as the model has sent them.
  tool_calls: [
    { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city": "Lisbon"}' } },
    { id: 'call_b', type: 'function', function: { name: 'weather', arguments: '{"city": "Atlantis"}' } },
  ],
} satisfies ChatCompletionAssistantMessageParam;
const results: readonly ChatCompletionMessageParam[] = [
  { role: 'tool', tool_call_id: 'call_a', content: CLEAR },
  // The API has no field for a failed call.
  { role: 'tool', tool_call_id: 'call_b', content: UNKNOWN_CITY },
];
const later: readonly ChatCompletionMessageParam[] = [
  { role: 'assistant', content: 'Lisbon.' },
  { role: 'user', content: 'And then?' },
];

const body = (...messages: readonly ChatCompletionMessageParam[]) =>
  ({
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    messages: [...messages],
    tools: [{ type: 'function', function: { name: 'weather', description: 'The weather of a city', parameters } }],
  }) satisfies ChatCompletionCreateParamsStreaming;

describe('two turns with OpenAI’s chat completions', () => {
  let server: Replay;
  before(async () => {
    server = await replayServer();
  });
  after(() => server.close());

  it('attachments, unchanged calls, and their results', async () => {
    assert.deepEqual(await twoTurns(server, PATH, [calling(say('I look.')), ...answers]), []);
    assert.deepEqual(server.sent, [
      body(...question),
      body(...question, callMessage, ...results),
      body(...question, callMessage, ...results, ...later),
    ]);
  });

  it('reasoning is sent between the calls of a turn, and not later, in a field that the types lack', async () => {
    const reasoning = chunk({ reasoning_content: 'A tower.' });
    await twoTurns(server, PATH, [calling(reasoning, say('I look.')), ...answers]);
    const thinking: ChatCompletionAssistantMessageParam & { readonly reasoning_content: string } = {
      ...callMessage,
      reasoning_content: 'A tower.',
    };
    assert.deepEqual(server.sent, [
      body(...question),
      body(...question, thinking, ...results),
      body(...question, callMessage, ...results, ...later),
    ]);
  });

  it('a conversation from another provider', async () => {
    assert.deepEqual(await turnAfterImport(server, PATH, stream(say('Home.'), stop())), []);
    const calls = [
      { id: 'functions.a:0', type: 'function', function: { name: 'weather', arguments: '{"city":"Lisbon"}' } },
      { id: 'functions.b:1', type: 'function', function: { name: 'weather', arguments: '{"city":"Atlantis"}' } },
    ] satisfies ChatCompletionAssistantMessageParam['tool_calls'];
    const messages: ChatCompletionMessageParam[] = [
      { role: 'user', content: 'Where is this?' },
      { role: 'assistant', content: 'I look.', tool_calls: calls },
      { role: 'tool', tool_call_id: 'functions.a:0', content: CLEAR },
      { role: 'tool', tool_call_id: 'functions.b:1', content: UNKNOWN_CITY },
      ...later,
    ];
    assert.deepEqual(server.sent, [{ model: 'm', stream: true, stream_options: { include_usage: true }, messages }]);
  });
});
