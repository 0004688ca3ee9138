/** Compares how Anthropic's own client and our adapter read the same message streams. */
import { readFile } from 'node:fs/promises';
import { after, before, describe } from 'node:test';
import {
  toolUseBlock,
  close,
  delta,
  end,
  open,
  textBlock,
  stop,
  completeBlock,
} from '../protocols/anthropic/streams.ts';
import { readMessage } from './support/anthropic-reading.ts';
import { testReadings } from './support/reading.ts';
import { replayServer, type Replay } from './support/replay-server.ts';
import { messageStart, named, reply, thinking } from './support/anthropic-stream.ts';

const recording = (name: string): Promise<string> =>
  readFile(new URL(`../protocols/anthropic/${name}`, import.meta.url), 'utf8');

const web = (url: string) => ({
  type: 'web_search_result_location',
  url,
  title: url,
  cited_text: 'x',
  encrypted_index: 'OPAQUE',
});

describe('Anthropic’s client and ours', async () => {
  let server: Replay;
  before(async () => {
    server = await replayServer();
  });
  after(() => server.close());

  testReadings(
    [
      {
        name: 'text in chunks, with a ping between them',
        body: reply([
          open(0, { type: 'text', text: '' }),
          delta(0, 'text_delta', { text: 'Grüße ' }),
          { type: 'ping' },
          delta(0, 'text_delta', { text: '👋🏽' }),
          close(0),
        ]),
        has: { text: 'Grüße 👋🏽', stop: 'complete', tokens: [3, 4] },
      },
      {
        name: 'signed reasoning, redacted reasoning, and text',
        body: reply([
          ...thinking(0, 'Let me ', 'see.'),
          ...completeBlock(1, { type: 'redacted_thinking', data: 'OPAQUE' }),
          ...textBlock(2, 'Yes'),
        ]),
        has: { reasoning: 'Let me see.', text: 'Yes', stop: 'complete' },
      },
      {
        name: 'two calls with arguments in chunks, and one without arguments',
        body: reply(
          [
            ...textBlock(0, 'I look.'),
            open(1, { type: 'tool_use', id: 'a', name: 'f', input: {} }),
            delta(1, 'input_json_delta', { partial_json: '' }),
            delta(1, 'input_json_delta', { partial_json: '{"x": "1' }),
            delta(1, 'input_json_delta', { partial_json: '", "y": [2]}' }),
            close(1),
            ...toolUseBlock(2, 'b', '', { name: 'g' }),
          ],
          'tool_use',
        ),
        has: {
          text: 'I look.',
          calls: [
            { id: 'a', name: 'f', input: { x: '1', y: [2] } },
            { id: 'b', name: 'g', input: {} },
          ],
          stop: 'tool_use',
        },
      },
      {
        name: 'a search on the server, and text with its sources',
        body: reply([
          ...toolUseBlock(0, 's', '{"query":"cats"}', { type: 'server_tool_use', name: 'web_search' }),
          ...completeBlock(1, {
            type: 'web_search_tool_result',
            tool_use_id: 's',
            content: [{ type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'OPAQUE' }],
          }),
          open(2, { type: 'text', text: '', citations: [] }),
          delta(2, 'citations_delta', { citation: web('https://a.example') }),
          delta(2, 'text_delta', { text: 'Cats.' }),
          delta(2, 'citations_delta', { citation: web('https://b.example') }),
          close(2),
        ]),
        has: {
          text: 'Cats.',
          calls: [{ id: 's', name: 'web_search', input: { query: 'cats' } }],
          sources: ['https://a.example', 'https://b.example'],
        },
      },
      {
        name: 'text that cites a document of the user',
        body: reply([
          open(0, { type: 'text', text: '' }),
          delta(0, 'text_delta', { text: 'Blue.' }),
          delta(0, 'citations_delta', {
            citation: {
              type: 'char_location',
              cited_text: 'The sky is blue.',
              document_index: 0,
              document_title: 'Sky',
              start_char_index: 0,
              end_char_index: 16,
            },
          }),
          close(0),
        ]),
        has: { text: 'Blue.', sources: ['The sky is blue.'] },
      },
      {
        name: 'token counts that are updated at the end, including those of a cache',
        body: named(
          messageStart,
          ...textBlock(0, 'Yes'),
          end(
            'end_turn',
            {},
            {
              usage: {
                input_tokens: 5,
                cache_read_input_tokens: 100,
                cache_creation_input_tokens: 20,
                output_tokens: 9,
              },
            },
          ),
          stop,
        ),
        has: { tokens: [125, 9] },
      },
      {
        name: 'a stop sequence',
        body: reply(textBlock(0, 'One'), 'stop_sequence', { stop_sequence: 'Two' }),
        has: { text: 'One', stop: 'stop_sequence' },
      },
      {
        name: 'an answer truncated by its maximum length',
        body: reply(textBlock(0, 'Once upon'), 'max_tokens'),
        has: { text: 'Once upon', stop: 'max_tokens' },
      },
      {
        name: 'a refusal with a reason',
        body: reply(textBlock(0, 'I'), 'refusal', {
          stop_details: { type: 'refusal', category: 'cyber', explanation: 'Not this.' },
        }),
        has: { text: 'I', stop: 'error', error: 'Not this.' },
      },
      {
        name: 'a stream that breaks off',
        body: named(messageStart, open(0, { type: 'text', text: '' }), delta(0, 'text_delta', { text: 'Half' })),
        has: { text: 'Half', stop: 'error', tokens: [3, 1] },
        differs: {
          error: {
            theirs: 'stream ended without producing a Message with role=assistant',
            ours: 'The reply was cut off: the stream ended without an end event.',
            why: 'Words for readers, not for programmers.',
          },
        },
      },
      {
        name: 'recording max-tokens-cuts-tool-json.sse',
        body: await recording('max-tokens-cuts-tool-json.sse'),
        has: { text: 'Writing the file.', stop: 'max_tokens', tokens: [1400, 64] },
        differs: {
          calls: {
            theirs: [{ id: 'toolu_hw1', name: 'write_file', input: { path: 'a.txt' } }],
            ours: [{ id: 'toolu_hw1', name: 'write_file', input: '{"path":"a.txt","body":"once upon' }],
            why: 'Half of the arguments are no arguments: they are shown as they came, and never run.',
          },
        },
      },
      {
        name: 'recording overloaded-error-mid-stream.sse',
        body: await recording('overloaded-error-mid-stream.sse'),
        has: { text: 'I was about to', stop: 'error', error: 'Overloaded', tokens: [21, 1] },
      },
    ],
    { path: '/v1/messages', server: () => server, theirs: readMessage },
  );
});
