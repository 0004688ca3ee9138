import { adapter as openAiChat } from '../../../src/protocols/openai-chat/openai-chat.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { text, thought, type ExpectedFields } from '../../support/bare.ts';
import { chunk, say, stop, stream } from './streams.ts';

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});
const source = (name: string, more: ExpectedFields = {}): ExpectedFields => {
  const url = `https://${name}.example/`;
  return { id: url, url, ...more };
};
const cites = (name: string, more: object = {}) => ({
  type: 'url_citation',
  url_citation: { url: `https://${name}.example/`, ...more },
});

/** A header for two bytes of audio, and the two bytes. */
const wav = btoa(
  String.fromCharCode(
    ...[82, 73, 70, 70, 38, 0, 0, 0, 87, 65, 86, 69, 102, 109, 116, 32, 16, 0, 0, 0, 1, 0, 1, 0],
    ...[192, 93, 0, 0, 128, 187, 0, 0, 2, 0, 16, 0, 100, 97, 116, 97, 2, 0, 0, 0, 1, 2],
  ),
);

describe('openai-chat, sources, images, audio and history', () => {
  testBodies(openAiChat, [
    {
      name: 'annotations with a position, without one, and with an invalid one',
      body: stream(
        say('See here.'),
        chunk({
          annotations: [
            cites('a', { title: 'A', start_index: 4, end_index: 8, content: 'quoted' }),
            cites('b', { title: null }),
            cites('c', { start_index: 0, end_index: 900 }),
            { type: 'file', file: { hash: 'h', name: 'x.pdf' } },
          ],
        }),
        stop(),
      ),
      messages: [
        done([
          text('See here.', {
            citations: [source('a', { title: 'A', quote: 'quoted', end: 8, start: 4 }), source('b'), source('c')],
          }),
        ]),
      ],
    },
    {
      name: 'lists of sources that repeat with every chunk',
      body: stream(
        chunk({ content: 'One [1]' }, { citations: ['https://a.example/'] }),
        chunk(
          { content: ' two [2]' },
          {
            citations: ['https://a.example/', 'https://b.example/'],
            search_results: [{ url: 'https://b.example/', title: 'B', date: null }],
          },
        ),
        stop('stop', { citations: ['https://a.example/', 'https://b.example/'] }),
      ),
      messages: [done([text('One [1] two [2]', { citations: [source('a'), source('b', { title: 'B' })] })])],
    },
    {
      name: 'steps of reasoning, repeated at their end',
      body: stream(
        chunk({ content: '', reasoning_steps: [{ thought: 'I search.', type: 'web_search' }] }),
        chunk({ content: '', reasoning_steps: [{ thought: 'I read.', type: 'fetch_url_content' }, { type: 'other' }] }),
        chunk({ content: '', reasoning_steps: [{ thought: 'I search.' }, { thought: 'I read.' }] }),
        say('Hi'),
        stop(),
      ),
      messages: [done([thought('I search.\n\nI read.'), text('Hi')])],
    },
    {
      name: 'search results beside an empty list of sources',
      body: stream(
        chunk({ content: 'x' }, { citations: [], search_results: [{ url: 'https://a.example/', title: 'A' }] }),
        stop(),
      ),
      messages: [done([text('x', { citations: [source('a', { title: 'A' })] })])],
    },
    {
      name: 'only search results, and follow-up questions',
      body: stream(
        chunk(
          { content: 'x' },
          { search_results: [{ url: 'https://a.example/', title: 'A' }], related_questions: ['Why?'] },
        ),
        stop(),
      ),
      messages: [
        done([text('x', { citations: [source('a', { title: 'A' })] })], {
          suggestions: [{ label: 'Why?', prompt: 'Why?' }],
        }),
      ],
    },
    {
      name: 'images inline and by address, and those that repeat with every chunk',
      body: stream(
        chunk({
          images: [
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
            { type: 'image_url', image_url: { url: 'https://a.example/p.png' } },
          ],
        }),
        chunk({}, { images: [{ image_url: 'https://b.example/q.png', height: 1 }] }),
        chunk({}, { images: [{ image_url: 'https://b.example/q.png', height: 1 }, 'https://c.example/r.png'] }),
        stop(),
      ),
      messages: [
        done([
          { type: 'image', image_data: { data: 'AA==', mimeType: 'image/png' } },
          { type: 'image', url: 'https://a.example/p.png' },
          { type: 'image', url: 'https://b.example/q.png' },
          { type: 'image', url: 'https://c.example/r.png' },
        ]),
      ],
    },
    {
      name: 'images among the parts of the text',
      body: stream(
        chunk({ content: [{ type: 'image_url', image_url: { url: 'https://a.example/p.png' } }] }),
        chunk({
          content: [
            { type: 'text', text: 'Here' },
            { type: 'image_url', image_url: 'data:image/png;base64,AA==' },
          ],
        }),
        stop(),
      ),
      messages: [
        done([
          { type: 'image', url: 'https://a.example/p.png' },
          text('Here'),
          { type: 'image', image_data: { data: 'AA==', mimeType: 'image/png' } },
        ]),
      ],
    },
    {
      name: 'audio: its transcript as text, its samples as a recording',
      body: stream(
        chunk({ audio: { id: 'a', transcript: 'Hel' } }),
        chunk({ audio: { data: btoa('\u0001'), transcript: 'lo' } }),
        chunk({ audio: { data: btoa('\u0002'), expires_at: 1 } }),
        stop(),
      ),
      messages: [done([text('Hello'), { type: 'audio', data: wav, mimeType: 'audio/wav' }])],
    },
    {
      name: 'invalid audio',
      body: stream(chunk({ audio: { data: '%', transcript: 'Hi' } }), stop()),
      messages: [done([text('Hi')])],
    },
    {
      name: 'reasoning_details are shown if they come alone, and stored unchanged',
      body: stream(
        chunk({ reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0, format: 'x' }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.text', text: ' so', index: 0 }] }),
        say('Yes'),
        chunk({ reasoning_details: [{ type: 'reasoning.text', text: '', signature: 's', index: 0 }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm so', index: 2 }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'AA', index: 1 }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'BB', index: 1 }] }),
        stop(),
      ),
      messages: [
        done([thought('Hm so'), text('Yes')], {
          metadata: {
            rounds: [
              {
                protocol: 'openai-chat',
                items: [
                  {
                    calls: [],
                    reasoning_details: [
                      { type: 'reasoning.text', text: 'Hm so', index: 0, format: 'x', signature: 's' },
                      { type: 'reasoning.summary', summary: 'Hm so', index: 2 },
                      { type: 'reasoning.encrypted', data: 'AA', index: 1 },
                      { type: 'reasoning.encrypted', data: 'BB', index: 1 },
                    ],
                  },
                ],
              },
            ],
          },
        }),
      ],
    },
  ]);
});
