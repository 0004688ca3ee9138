/**
 * Compares our requests to Anthropic over two turns with the types of its own client, and with its reading of the same
 * bytes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type {
  ContentBlock,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
} from '@anthropic-ai/sdk/resources/messages';
import { toolUseBlock, close, delta, open, textBlock, completeBlock } from '../protocols/anthropic/streams.ts';
import { streamMessage } from './support/anthropic-reading.ts';
import { reply, thinking } from './support/anthropic-stream.ts';
import { replayServer, type Replay } from './support/replay-server.ts';
import { CLEAR, turnAfterImport, parameters, PDF, PIXEL, twoTurns, UNKNOWN_CITY } from './support/two-turns.ts';

const PATH = '/v1/messages';

const calls = (index: number) => [
  ...toolUseBlock(index, 'toolu_a', '{"city": "Lisbon"}', { name: 'weather' }),
  ...toolUseBlock(index + 1, 'toolu_b', '{"city": "Atlantis"}', { name: 'weather' }),
];
const answers = [reply(textBlock(0, 'Lisbon.')), reply(textBlock(0, 'Home.'))];

const question: MessageParam = {
  role: 'user',
  content: [
    { type: 'text', text: 'Where is this?' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
    {
      type: 'document',
      title: 'a.pdf',
      citations: { enabled: true },
      source: { type: 'base64', media_type: 'application/pdf', data: PDF },
    },
  ],
};
const results: MessageParam = {
  role: 'user',
  content: [
    { type: 'tool_result', tool_use_id: 'toolu_a', content: CLEAR },
    { type: 'tool_result', tool_use_id: 'toolu_b', content: UNKNOWN_CITY, is_error: true },
  ],
};
const textMessage = (role: MessageParam['role'], text: string): MessageParam => ({
  role,
  content: [{ type: 'text', text }],
});
const later = [textMessage('assistant', 'Lisbon.'), textMessage('user', 'And then?')];

const body = (...messages: MessageParam[]) =>
  ({
    model: 'm',
    max_tokens: 4096,
    stream: true,
    system: 'Be brief.',
    messages,
    tools: [{ name: 'weather', description: 'The weather of a city', input_schema: parameters }],
  }) satisfies MessageCreateParamsStreaming;

describe('two turns with Anthropic', () => {
  let server: Replay;
  before(async () => {
    server = await replayServer();
  });
  after(() => server.close());

  /** The blocks of a reply, as the client returns them for the next request. */
  async function theirBlocks(stream: string): Promise<ContentBlock[]> {
    server.serve(stream);
    return (await streamMessage(server.origin).finalMessage()).content;
  }

  const search = { type: 'server_tool_use', id: 'srv', name: 'web_search' };
  const searchResult = {
    type: 'web_search_tool_result',
    tool_use_id: 'srv',
    content: [{ type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'OPAQUE' }],
  };
  const source = {
    type: 'web_search_result_location',
    url: 'https://a.example',
    title: 'A',
    cited_text: 'tower',
    encrypted_index: 'OPAQUE',
  };
  const firsts: readonly (readonly [name: string, stream: string])[] = [
    ['words and calls', reply([...textBlock(0, 'I look.'), ...calls(1)], 'tool_use')],
    [
      'signed thoughts and hidden ones, which go back as they came',
      reply(
        [
          ...thinking(0, 'A ', 'tower.'),
          ...completeBlock(1, { type: 'redacted_thinking', data: 'OPAQUE' }),
          ...calls(2),
        ],
        'tool_use',
      ),
    ],
    [
      'a search on the server, with all that only the server can read',
      reply(
        [
          ...toolUseBlock(0, 'srv', '{"query": "tower"}', search),
          ...completeBlock(1, searchResult),
          open(2, { type: 'text', text: '', citations: [] }),
          delta(2, 'text_delta', { text: 'A tower.' }),
          delta(2, 'citations_delta', { citation: source }),
          close(2),
          ...calls(3),
        ],
        'tool_use',
      ),
    ],
  ];
  for (const [name, first] of firsts) {
    it(name, async () => {
      const content: readonly ContentBlockParam[] = await theirBlocks(first);
      const callMessage: MessageParam = { role: 'assistant', content: [...content] };
      assert.deepEqual(await twoTurns(server, PATH, [first, ...answers]), []);
      assert.deepEqual(server.sent, [
        body(question),
        body(question, callMessage, results),
        body(question, callMessage, results, ...later),
      ]);
    });
  }

  it('a conversation from another provider: no reasoning, and ids with only allowed characters', async () => {
    assert.deepEqual(await turnAfterImport(server, PATH, reply(textBlock(0, 'Home.'))), []);
    const messages: MessageParam[] = [
      textMessage('user', 'Where is this?'),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'functions_a_0', name: 'weather', input: { city: 'Lisbon' } },
          { type: 'tool_use', id: 'functions_b_1', name: 'weather', input: { city: 'Atlantis' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'functions_a_0', content: CLEAR },
          { type: 'tool_result', tool_use_id: 'functions_b_1', content: UNKNOWN_CITY, is_error: true },
        ],
      },
      ...later,
    ];
    assert.deepEqual(server.sent, [{ model: 'm', max_tokens: 4096, stream: true, messages }]);
  });
});
