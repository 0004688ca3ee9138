import { adapter as gemini } from '../../../src/protocols/gemini/gemini.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { text, type ExpectedFields } from '../../support/bare.ts';
import { chunk, say, stop, stream } from './streams.ts';

const cited = (
  items: readonly object[],
  blocks: readonly ExpectedFields[],
  facts: ExpectedFields = {},
): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: { rounds: [{ protocol: 'gemini', items }], ...facts },
  blocks,
});
const web = (name: string) => ({ web: { uri: `https://${name}.example/`, title: name } });
const source = (name: string, more: ExpectedFields = {}): ExpectedFields => {
  const url = `https://${name}.example/`;
  return { id: url, url, title: name, ...more };
};
const grounded = (groundingMetadata: object) => stop('STOP', { groundingMetadata });
const support = (startIndex: number, endIndex: number, words: string, ...groundingChunkIndices: number[]) => ({
  segment: { startIndex, endIndex, text: words },
  groundingChunkIndices,
});

describe('gemini, sources', () => {
  testBodies(gemini, [
    {
      name: 'each chunk has its own grounding',
      body: stream(
        chunk(
          [{ text: 'One. ' }],
          {},
          {
            groundingMetadata: {
              webSearchQueries: ['one'],
              groundingChunks: [web('a')],
              groundingSupports: [support(0, 4, 'One.', 0)],
            },
          },
        ),
        chunk([{ text: 'Two.' }]),
        grounded({
          webSearchQueries: ['one', 'two'],
          groundingChunks: [web('b')],
          groundingSupports: [support(5, 9, 'Two.', 0)],
        }),
      ),
      messages: [
        cited(
          [{ part: { text: 'One. Two.' } }],
          [text('One. Two.', { citations: [source('a', { start: 0, end: 4 }), source('b', { start: 5, end: 9 })] })],
          { searchQueries: ['one', 'two'] },
        ),
      ],
    },
    {
      name: 'each chunk repeats the grounding so far',
      body: stream(
        chunk(
          [{ text: 'One. ' }],
          {},
          { groundingMetadata: { groundingChunks: [web('a')], groundingSupports: [support(0, 4, 'One.', 0)] } },
        ),
        chunk([{ text: 'Two.' }]),
        grounded({
          groundingChunks: [web('a'), web('b')],
          groundingSupports: [support(0, 4, 'One.', 0), support(5, 9, 'Two.', 1)],
        }),
      ),
      messages: [
        cited(
          [{ part: { text: 'One. Two.' } }],
          [text('One. Two.', { citations: [source('a', { start: 0, end: 4 }), source('b', { start: 5, end: 9 })] })],
        ),
      ],
    },
    {
      name: 'each chunk names its citations',
      body: stream(
        chunk(
          [{ text: 'One. ' }],
          {},
          { citationMetadata: { citationSources: [{ uri: 'https://a.example/', endIndex: 4 }] } },
        ),
        chunk(
          [{ text: 'Two.' }],
          {},
          { citationMetadata: { citationSources: [{ uri: 'https://b.example/', startIndex: 5, endIndex: 9 }] } },
        ),
        stop(),
      ),
      messages: [
        cited(
          [{ part: { text: 'One. Two.' } }],
          [
            text('One. Two.', {
              citations: [
                { id: 'https://a.example/', url: 'https://a.example/', start: 0, end: 4 },
                { id: 'https://b.example/', url: 'https://b.example/', start: 5, end: 9 },
              ],
            }),
          ],
        ),
      ],
    },
    {
      name: 'indexes are bytes; a source without a position belongs to the complete text; earlier sources stay',
      body: stream(
        chunk([{ text: 'Größe 😀. Wirklich.' }], {}, { groundingMetadata: { groundingChunks: [web('old')] } }),
        grounded({
          groundingChunks: [web('a'), web('b'), web('a')],
          groundingSupports: [support(0, 13, 'Größe 😀.', 0), support(14, 23, 'Wirklich.', 0, 2)],
        }),
      ),
      messages: [
        cited(
          [{ part: { text: 'Größe 😀. Wirklich.' } }],
          [
            text('Größe 😀. Wirklich.', {
              citations: [
                source('a', { start: 0, end: 9 }),
                source('a', { start: 10, end: 19 }),
                source('old'),
                source('b'),
              ],
            }),
          ],
        ),
      ],
    },
    {
      name: 'text wins over indexes; text that is not found has no position',
      body: stream(
        say('One. Two.'),
        grounded({
          groundingChunks: [web('a'), web('b')],
          groundingSupports: [support(0, 3, 'Two.', 0), support(0, 3, 'Three.', 1), support(0, 900, '', 7)],
        }),
      ),
      messages: [
        cited(
          [{ part: { text: 'One. Two.' } }],
          [text('One. Two.', { citations: [source('a', { start: 5, end: 9 }), source('b')] })],
        ),
      ],
    },
    {
      name: 'in the last of several blocks, and in an earlier one',
      body: stream(
        say('One.'),
        chunk([{ inlineData: { mimeType: 'image/png', data: 'AA==' } }]),
        say('Two. One.'),
        grounded({
          groundingChunks: [web('a'), web('b')],
          groundingSupports: [support(4, 8, 'Two.', 0), support(0, 4, 'One.', 1)],
        }),
      ),
      messages: [
        cited(
          [
            { part: { text: 'One.' } },
            { part: { inlineData: { mimeType: 'image/png' } }, media: true },
            { part: { text: 'Two. One.' } },
          ],
          [
            text('One.'),
            { type: 'image', image_data: { mimeType: 'image/png', data: 'AA==' } },
            text('Two. One.', {
              citations: [source('a', { start: 0, end: 4 }), source('b', { quote: 'One.', start: 5, end: 9 })],
            }),
          ],
        ),
      ],
    },
    {
      name: 'files, places and images as sources; the fetched pages; the searches as metadata',
      body: stream(
        say('x'),
        stop('STOP', {
          groundingMetadata: {
            webSearchQueries: ['q'],
            searchEntryPoint: { renderedContent: '<style>' },
            groundingChunks: [
              { retrievedContext: { uri: 'gs://b/x.pdf', title: 'x.pdf', text: 'It says.' } },
              { maps: { uri: 'https://maps.example/', title: 'Café', placeId: 'p' } },
              { image: { sourceUri: 'https://page.example/', imageUri: 'https://i.example/i.png' } },
              { retrievedContext: { title: 'Store' } },
              {},
            ],
          },
          urlContextMetadata: {
            urlMetadata: [
              { retrievedUrl: 'https://page.example/', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
              { retrievedUrl: 'https://read.example/', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
              { retrievedUrl: 'https://gone.example/', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' },
            ],
          },
        }),
      ),
      messages: [
        cited(
          [{ part: { text: 'x' } }],
          [
            text('x', {
              citations: [
                { id: 'gs://b/x.pdf', title: 'x.pdf', quote: 'It says.' },
                { id: 'https://maps.example/', url: 'https://maps.example/', title: 'Café' },
                { id: 'https://page.example/', url: 'https://page.example/' },
                { id: 'Store', title: 'Store' },
                { id: 'https://read.example/', url: 'https://read.example/' },
              ],
            }),
          ],
          { searchQueries: ['q'], searchEntryPoint: '<style>' },
        ),
      ],
    },
    ...['citationSources', 'citations'].map((name) => ({
      name: `its citation, as ${name}`,
      body: stream(
        say('int x;'),
        stop('STOP', {
          citationMetadata: {
            [name]: [{ startIndex: 0, endIndex: 6, uri: 'https://code.example/', license: 'mit' }, { endIndex: 2 }],
          },
        }),
      ),
      messages: [
        cited(
          [{ part: { text: 'int x;' } }],
          [
            text('int x;', {
              citations: [
                {
                  id: 'https://code.example/',
                  url: 'https://code.example/',
                  extra: { license: 'mit' },
                  start: 0,
                  end: 6,
                },
              ],
            }),
          ],
        ),
      ],
    })),
  ]);
});
