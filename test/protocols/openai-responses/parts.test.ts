import { adapter as openAiResponses } from '../../../src/protocols/openai-responses/openai-responses.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { call, text, thought } from '../../support/bare.ts';
import { added, begin, completed, done, events, message, note, replied, say, saying } from './streams.ts';

const { id: _id, ...nameless } = message('Hi');
const cited = { id: 'https://a.example/', url: 'https://a.example/', start: 0, end: 2 };

describe('openai-responses, reasoning, sources, files and audio', () => {
  testBodies(openAiResponses, [
    ...[
      { name: 'only the item id', at: { item_id: 'msg_0' } },
      { name: 'neither', at: {} },
    ].map(({ name, at }) => ({
      name: `a complete text with ${name}`,
      body: events(
        begin(),
        { type: 'response.output_text.done', ...at, text: 'Hi' },
        completed({ output: [message('Hi')] }),
      ),
      messages: [replied([text('Hi')], [message('Hi')])],
    })),
    {
      name: 'a complete text with only the item id, then the item with its index',
      body: events(
        begin(),
        added(0, message('')),
        { type: 'response.output_text.done', item_id: 'msg_0', text: 'Hi' },
        done(0, message('Hi')),
        completed({ output: [message('Hi')] }),
      ),
      messages: [replied([text('Hi')], [message('Hi')])],
    },
    {
      name: 'an index in the chunks and only the item id at their end',
      body: events(
        begin(),
        say(0, 'Hi'),
        { type: 'response.output_text.done', item_id: 'msg_0', text: 'Hi' },
        completed({ output: [message('Hi')] }),
      ),
      messages: [replied([text('Hi')], [message('Hi')])],
    },
    {
      name: 'no event about the start',
      body: events(
        { type: 'response.output_text.done', item_id: 'msg_0', text: 'Hi' },
        completed({ output: [message('Hi')] }),
      ),
      messages: [
        {
          ...replied([text('Hi')], []),
          metadata: { rounds: [{ protocol: 'openai-responses', items: [message('Hi')] }] },
        },
      ],
    },
    ...[
      {
        name: 'in the event at its end',
        last: [{ type: 'response.output_text.done', output_index: 0, text: 'Hello.' }],
        end: completed(),
        items: [],
      },
      { name: 'in the item', last: [done(0, message('Hello.'))], end: completed(), items: [message('Hello.')] },
      {
        name: 'in the final response',
        last: [],
        end: completed({ output: [message('Hello.')] }),
        items: [message('Hello.')],
      },
    ].map(({ name, last, end, items }) => ({
      name: `the complete text replaces other chunks, ${name}`,
      body: events(
        begin(),
        { type: 'response.reasoning_text.delta', item_id: 'rs_1', output_index: 1, content_index: 0, delta: 'Hm' },
        added(0, { ...message(''), content: [] }),
        say(0, 'Hel'),
        note(0, 0, { type: 'url_citation', url: 'https://a.example/', start_index: 0, end_index: 2 }),
        say(0, 'o'),
        ...last,
        end,
      ),
      messages: [
        replied([thought('Hm'), text('Hello.', { citations: [cited] })], items, { metadata: { messageId: 'new1' } }),
      ],
    })),
    {
      name: 'the complete text does not replace other chunks next to a call',
      body: events(
        begin(),
        added(1, { type: 'function_call', id: 'fc', call_id: 'call_a', name: 'f', arguments: '{}' }),
        say(0, 'Helo'),
        { type: 'response.output_text.done', output_index: 0, text: 'Hello.' },
        completed(),
      ),
      messages: [replied([call('call_a', 'f', {}, { status: 'loading' }), text('Helo')], [], { finish: 'tool_use' })],
    },
    {
      name: 'the older names of reasoning events',
      body: events(
        begin(),
        { type: 'response.reasoning_summary.delta', output_index: 0, summary_index: 0, delta: 'Sum' },
        { type: 'response.reasoning_summary.done', output_index: 0, summary_index: 0, text: 'Sum' },
        { type: 'response.reasoning.delta', output_index: 1, content_index: 0, delta: 'Ra' },
        { type: 'response.reasoning.done', output_index: 1, content_index: 0, text: 'Raw' },
        say(2, 'Hi'),
        completed(),
      ),
      messages: [replied([thought('Sum\n\nRaw'), text('Hi')], [])],
    },
    {
      name: 'a summary in parts, with a blank line between them, and raw reasoning',
      body: events(
        begin(),
        added(0, { type: 'reasoning', id: 'rs_0', summary: [] }),
        {
          type: 'response.reasoning_summary_part.added',
          output_index: 0,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        },
        { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'O' },
        { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'ne' },
        { type: 'response.reasoning_summary_text.done', output_index: 0, summary_index: 0, text: 'One' },
        { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 1, delta: 'Two' },
        done(0, {
          type: 'reasoning',
          id: 'rs_0',
          encrypted_content: 'AA',
          summary: [
            { type: 'summary_text', text: 'One' },
            { type: 'summary_text', text: 'Two' },
          ],
        }),
        added(1, { type: 'reasoning', id: 'rs_1', summary: [], content: [] }),
        { type: 'response.reasoning_text.delta', output_index: 1, content_index: 0, delta: 'Raw' },
        { type: 'response.reasoning_text.done', output_index: 1, content_index: 0, text: 'Raw' },
        ...saying(2, 'Hi'),
        completed(),
      ),
      messages: [
        replied(
          [thought('One\n\nTwo\n\nRaw'), text('Hi')],
          [
            {
              type: 'reasoning',
              id: 'rs_0',
              encrypted_content: 'AA',
              summary: [
                { type: 'summary_text', text: 'One' },
                { type: 'summary_text', text: 'Two' },
              ],
            },
            message('Hi'),
          ],
        ),
      ],
    },
    {
      name: 'reasoning without text is not shown; without encryption or storage it is not sent back',
      body: events(
        begin(),
        added(0, { type: 'reasoning', id: 'rs_0', summary: [] }),
        done(0, { type: 'reasoning', id: 'rs_0', summary: [] }),
        ...saying(1, 'Hi'),
        completed({ store: false }),
      ),
      messages: [replied([text('Hi')], [message('Hi')])],
    },
    {
      name: 'a server with stored responses gets their ids back',
      body: events(
        begin(),
        added(0, { type: 'reasoning', id: 'rs_0', summary: [] }),
        done(0, { type: 'reasoning', id: 'rs_0', summary: [] }),
        ...saying(1, 'Hi'),
        completed({ store: true }),
      ),
      messages: [replied([text('Hi')], [{ type: 'reasoning', id: 'rs_0', summary: [] }, message('Hi')])],
    },
    {
      name: 'ids that change with every event are ignored',
      body: events(
        begin(),
        added(0, message('', [], { id: 'x1' })),
        say(0, 'Hi'),
        done(0, message('Hi', [], { id: 'x9' })),
        completed(),
      ),
      messages: [replied([text('Hi')], [nameless])],
    },
    {
      name: 'sources before, between and after the text; repeated ones count once',
      body: events(
        begin(),
        added(0, message('')),
        note(0, 0, { type: 'url_citation', url: 'https://a.example/', title: 'A', start_index: 0, end_index: 5 }),
        say(0, '🔥 See'),
        say(0, ' here.'),
        note(0, 1, { type: 'file_citation', file_id: 'file-1', filename: 'b.pdf', index: 11 }),
        done(
          0,
          message('🔥 See here.', [
            { type: 'url_citation', url: 'https://a.example/', title: 'A', start_index: 0, end_index: 5 },
            { type: 'file_citation', file_id: 'file-1', filename: 'b.pdf', index: 11 },
            { type: 'url_citation', url: 'https://c.example/', start_index: 1, end_index: 900 },
          ]),
        ),
        completed(),
      ),
      messages: [
        {
          ...replied(
            [
              text('🔥 See here.', {
                citations: [
                  { id: 'file-1', title: 'b.pdf', end: 12 },
                  { id: 'https://a.example/', url: 'https://a.example/', title: 'A', end: 6, start: 0 },
                  { id: 'https://c.example/', url: 'https://c.example/' },
                ],
              }),
            ],
            [],
          ),
          metadata: {
            responseId: 'resp_1',
            rounds: [
              {
                protocol: 'openai-responses',
                items: [
                  message('🔥 See here.', [
                    { type: 'url_citation', url: 'https://a.example/', title: 'A', start_index: 0, end_index: 5 },
                    { type: 'file_citation', file_id: 'file-1', filename: 'b.pdf', index: 11 },
                    { type: 'url_citation', url: 'https://c.example/', start_index: 1, end_index: 900 },
                  ]),
                ],
              },
            ],
          },
        },
      ],
    },
    {
      name: 'a created file has its name, and no address that a user could open',
      body: events(
        begin(),
        say(0, 'Here.'),
        note(0, 0, {
          type: 'container_file_citation',
          container_id: 'c',
          file_id: 'f',
          filename: 'x.csv',
          start_index: 0,
          end_index: 4,
        }),
        completed(),
      ),
      messages: [replied([text('Here.'), { type: 'file', name: 'x.csv' }], [])],
    },
    {
      name: 'audio: its transcript as text, its samples as a recording',
      body: events(
        begin(),
        { type: 'response.audio.delta', delta: btoa('\u0001\u0002') },
        { type: 'response.audio.transcript.delta', delta: 'Hi' },
        { type: 'response.audio.done' },
        completed(),
      ),
      messages: [
        replied(
          [
            text('Hi'),
            {
              type: 'audio',
              data: 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAwF0AAIC7AAACABAAZGF0YQIAAAABAg==',
              mimeType: 'audio/wav',
            },
          ],
          [],
        ),
      ],
    },
  ]);
});
