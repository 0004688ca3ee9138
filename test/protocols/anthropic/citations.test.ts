import { adapter as anthropic } from '../../../src/protocols/anthropic/anthropic.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { text } from '../../support/bare.ts';
import { close, delta, done, replyMetadata, open, textBlock, doneWithRounds, stream } from './streams.ts';

describe('anthropic, sources', () => {
  const page = {
    type: 'web_search_result_location',
    url: 'https://a.example',
    title: 'A',
    cited_text: 'Cats sleep.',
    encrypted_index: 'OPAQUE',
  };
  const cited = (...citations: readonly object[]) => [
    open(1, { type: 'text', text: '', citations: [] }),
    ...citations.map((citation) => delta(1, 'citations_delta', { citation })),
    delta(1, 'text_delta', { text: 'Cats sleep. ' }),
    close(1),
  ];
  const source = { id: 'https://a.example', url: 'https://a.example', title: 'A', quote: 'Cats sleep.' };
  const kept = (...citations: readonly object[]) => [
    { type: 'text', text: 'I read: ' },
    { type: 'text', text: 'Cats sleep. ', citations },
    { type: 'text', text: 'Dogs too.' },
  ];
  testBodies(anthropic, [
    ...[
      { name: 'a page from the search', citation: page, expected: source },
      {
        name: 'a position in a document',
        citation: {
          type: 'char_location',
          document_index: 0,
          document_title: 'a.pdf',
          cited_text: 'Cats',
          file_id: null,
        },
        expected: { id: 'document 0', title: 'a.pdf', quote: 'Cats' },
      },
      {
        name: 'a document without a name',
        citation: { type: 'page_location', document_index: 2, document_title: null, cited_text: '' },
        expected: { id: 'document 2' },
      },
      {
        name: 'a result of the page’s own search',
        citation: { type: 'search_result_location', source: 'kb/7', title: 'Seven', cited_text: 'Cats' },
        expected: { id: 'kb/7', title: 'Seven', quote: 'Cats' },
      },
    ].map(({ name, citation, expected }) => ({
      name: `${name}: it comes before its text, and its marker is after it`,
      body: stream([...textBlock(0, 'I read: '), ...cited(citation), ...textBlock(2, 'Dogs too.')]),
      messages: [
        doneWithRounds(
          [text('I read: Cats sleep. Dogs too.', { citations: [{ ...expected, end: 19 }] })],
          kept(citation),
        ),
      ],
    })),
    {
      name: 'two of one source, and an invalid one',
      body: stream([
        ...textBlock(0, 'I read: '),
        ...cited(page, page, { type: 'dream' }),
        ...textBlock(2, 'Dogs too.'),
      ]),
      messages: [
        doneWithRounds(
          [
            text('I read: Cats sleep. Dogs too.', {
              citations: [
                { ...source, end: 19 },
                { ...source, end: 19 },
              ],
            }),
          ],
          kept(page, page, { type: 'dream' }),
        ),
      ],
    },
    {
      name: 'no source at all',
      body: stream(textBlock(0, 'Hi')),
      messages: [done([text('Hi')], { metadata: replyMetadata })],
    },
  ]);
});
