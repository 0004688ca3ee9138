import { expect } from '@open-wc/testing';
import { snapshotEvents, type Part } from '../../src/protocols/shared/snapshot.ts';

const text = (words: string): Part => ({ kind: 'text', text: words });
const thought = (words: string): Part => ({ kind: 'reasoning', text: words });
const tool = (more: object = {}): Part => ({ kind: 'tool', id: 't', name: 'f', params: '{}', ...more });
const picture = (url: string): Part => ({ kind: 'media', media: { kind: 'image', url } });
const message = { id: 'm' };
const replace = { message: { id: 'm', replace: true } };
const called = { message, tool_call_id: 't', tool_call_name: 'f' };

interface Row {
  readonly name: string;
  readonly before: readonly Part[];
  readonly after: readonly Part[];
  readonly events: readonly object[];
}

const rows: readonly Row[] = [
  { name: 'the first state is emitted', before: [], after: [text('a')], events: [{ message, content: 'a' }] },
  { name: 'an equal state is not', before: [text('a')], after: [text('a')], events: [] },
  { name: 'growth is emitted', before: [text('a')], after: [text('ab')], events: [{ message, content: 'b' }] },
  {
    name: 'an appended part is emitted',
    before: [thought('a')],
    after: [thought('ab'), text('c')],
    events: [
      { message, reasoning_content: 'b' },
      { message, content: 'c' },
    ],
  },
  {
    name: 'changed text is replaced',
    before: [text('ab')],
    after: [text('ac')],
    events: [replace, { message, content: 'ac' }],
  },
  {
    name: 'growth that is not at the end is replaced',
    before: [text('a'), tool()],
    after: [text('ab'), tool()],
    events: [replace, { message, content: 'ab' }, { ...called, tool_call: 'start', tool_call_params: '{}' }],
  },
  {
    name: 'a part of another kind is replaced',
    before: [text('a')],
    after: [thought('a')],
    events: [replace, { message, reasoning_content: 'a' }],
  },
  {
    name: 'a removed part is replaced',
    before: [text('a'), text('b')],
    after: [text('a')],
    events: [replace, { message, content: 'a' }],
  },
  { name: 'everything is removed', before: [text('a')], after: [], events: [replace] },
  {
    name: 'a call begins',
    before: [],
    after: [tool()],
    events: [{ ...called, tool_call: 'start', tool_call_params: '{}' }],
  },
  {
    name: 'its arguments change',
    before: [tool()],
    after: [tool({ params: '{"a":1}' })],
    events: [{ ...called, tool_call: 'update', tool_call_params_complete: '{"a":1}' }],
  },
  {
    name: 'it ends',
    before: [tool()],
    after: [tool({ response: 'x' })],
    events: [{ ...called, tool_call: 'end', tool_call_response: 'x' }],
  },
  {
    name: 'its result changes',
    before: [tool({ response: 'x' })],
    after: [tool({ response: 'xy', failed: true })],
    events: [
      replace,
      { ...called, tool_call: 'start', tool_call_params: '{}' },
      { ...called, tool_call: 'error', tool_call_response: 'xy' },
    ],
  },
  {
    name: 'a state without its result changes nothing',
    before: [tool({ response: 'x', failed: false })],
    after: [tool()],
    events: [],
  },
  {
    name: 'it fails',
    before: [tool()],
    after: [tool({ response: 'x', failed: true })],
    events: [{ ...called, tool_call: 'error', tool_call_response: 'x' }],
  },
  {
    name: 'it is replaced with its result',
    before: [text('a'), tool({ response: 'x' })],
    after: [text('b'), tool({ response: 'x' })],
    events: [
      replace,
      { message, content: 'b' },
      { ...called, tool_call: 'start', tool_call_params: '{}' },
      { ...called, tool_call: 'end', tool_call_response: 'x' },
    ],
  },
  {
    name: 'another call in its place is replaced',
    before: [tool()],
    after: [tool({ id: 'u' })],
    events: [replace, { ...called, tool_call_id: 'u', tool_call: 'start', tool_call_params: '{}' }],
  },
  {
    name: 'an image is emitted once',
    before: [picture('https://a.example/1')],
    after: [picture('https://a.example/1'), picture('https://a.example/2')],
    events: [{ message, media: { kind: 'image', url: 'https://a.example/2' } }],
  },
  {
    name: 'another image in its place is replaced',
    before: [picture('https://a.example/1')],
    after: [picture('https://a.example/2')],
    events: [replace, { message, media: { kind: 'image', url: 'https://a.example/2' } }],
  },
];

describe('snapshotEvents', () => {
  for (const { name, before, after, events } of rows) {
    it(name, () => {
      expect(snapshotEvents(message, before, after)).to.deep.equal(events);
    });
  }
});

it('rule 95: parts that have not changed are not read again', () => {
  const parts = [picture('a'), { kind: 'data', id: 'd', data: { data_type: 'custom', data: 1 } }] as const;
  const stringify = JSON.stringify.bind(JSON);
  let count = 0;
  JSON.stringify = ((...values: Parameters<typeof stringify>) => (count++, stringify(...values))) as typeof stringify;
  try {
    expect(snapshotEvents(message, [...parts, text('a')], [...parts, text('ab')])).to.deep.equal([
      { message, content: 'b' },
    ]);
  } finally {
    JSON.stringify = stringify;
  }
  expect(count).to.equal(0);
});
