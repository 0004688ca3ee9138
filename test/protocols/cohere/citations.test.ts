import { adapter as cohere } from '../../../src/protocols/cohere/cohere.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { call, text } from '../../support/bare.ts';
import { callEnd, callStart, cite, close, done, end, open, contentDelta, textBlock, stream } from './streams.ts';

const source = { type: 'document', id: 'd1', document: { title: 'A', url: 'https://a.example', snippet: 'They do.' } };
const expected = { id: 'https://a.example', url: 'https://a.example', title: 'A', quote: 'They do.' };
const sleep = { start: 5, end: 10, text: 'sleep', sources: [source] };

describe('cohere, sources', () => {
  testBodies(cohere, [
    {
      name: 'after their text, between its chunks',
      body: stream(
        open(0),
        contentDelta(0, { text: 'Cats sleep' }),
        cite(sleep),
        contentDelta(0, { text: ' well.' }),
        close(0),
        end(),
      ),
      messages: [done([text('Cats sleep well.', { citations: [{ ...expected, start: 5, end: 10 }] })])],
    },
    {
      name: 'before their text',
      body: stream(
        open(0),
        cite(sleep),
        contentDelta(0, { text: 'Cats ' }),
        contentDelta(0, { text: 'sleep.' }),
        close(0),
        end(),
      ),
      messages: [done([text('Cats sleep.', { citations: [{ ...expected, start: 5, end: 10 }] })])],
    },
    {
      name: 'offsets count characters, some of which are two UTF-16 units',
      body: stream(...textBlock('😀😀 Cats.'), cite({ start: 3, end: 7, text: 'Cats', sources: [source] }), end()),
      messages: [done([text('😀😀 Cats.', { citations: [{ ...expected, start: 5, end: 9 }] })])],
    },
    {
      name: 'offsets in a second text, which is shown as one with the first',
      body: stream(...textBlock('Well. '), ...textBlock('Cats sleep.', 1), cite(sleep), end()),
      messages: [done([text('Well. Cats sleep.', { citations: [{ ...expected, start: 11, end: 16 }] })])],
    },
    {
      name: 'an offset with other text: found by its text',
      body: stream(...textBlock('So: Cats sleep.'), cite(sleep), end()),
      messages: [done([text('So: Cats sleep.', { citations: [{ ...expected, quote: 'sleep', start: 9, end: 14 }] })])],
    },
    {
      name: 'several sources at one offset, and a tool result',
      body: stream(
        ...textBlock('Cats sleep.'),
        cite({
          ...sleep,
          sources: [source, { type: 'tool', id: 'call:0', tool_output: { title: 'B' } }, { type: 'tool' }],
        }),
        end(),
      ),
      messages: [
        done([
          text('Cats sleep.', {
            citations: [
              { ...expected, start: 5, end: 10 },
              { id: 'call:0', title: 'B', start: 5, end: 10 },
              { id: 'document', start: 5, end: 10 },
            ],
          }),
        ]),
      ],
    },
    {
      name: 'those of the plan are not the answer’s',
      body: stream(
        ...textBlock('Cats sleep.'),
        cite({ ...sleep, type: 'PLAN' }),
        cite({ ...sleep, type: 'TEXT_CONTENT' }, 1),
        end(),
      ),
      messages: [done([text('Cats sleep.', { citations: [{ ...expected, start: 5, end: 10 }] })])],
    },
    {
      name: 'offsets restart after a call',
      body: stream(
        ...textBlock('Wait. '),
        callStart(0, 'a', '{}'),
        callEnd(0),
        ...textBlock('Cats sleep.', 1),
        cite(sleep),
        end('TOOL_CALL'),
      ),
      messages: [
        done(
          [
            text('Wait. '),
            call('a', 'f', { params: '{}' }, { status: 'loading' }),
            text('Cats sleep.', { citations: [{ ...expected, start: 5, end: 10 }] }),
          ],
          { finish: 'tool_use' },
        ),
      ],
    },
  ]);
});
