import { expect } from '@open-wc/testing';
import type { Frame, Framing } from '../../src/transport/frame.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { writeFrames } from '../../src/transport/write-frames.ts';
import { chunksOf } from '../support/cuts.ts';

const rows: readonly { readonly name: string; readonly framing: Framing; readonly frames: readonly Frame[] }[] = [
  { name: 'events of one line', framing: 'sse', frames: [{ data: '{"a":1}' }, { data: '[DONE]' }] },
  { name: 'events with a name and an id', framing: 'sse', frames: [{ event: 'delta', id: '7', data: '{"a":1}' }] },
  { name: 'an event of several lines', framing: 'sse', frames: [{ data: 'one\n\ntwo' }, { data: 'three' }] },
  {
    name: 'an event that was cut short',
    framing: 'sse',
    frames: [{ data: '{"a":1}' }, { data: '{"a":', unfinished: true }],
  },
  { name: 'lines', framing: 'lines', frames: [{ data: '{"a":1}' }, { data: '0:"word"' }] },
  {
    name: 'a line that was cut short',
    framing: 'lines',
    frames: [{ data: '{"a":1}' }, { data: '{"a', unfinished: true }],
  },
  { name: 'one document', framing: 'json', frames: [{ data: '{"a":{"b":[1,2]}}' }] },
  { name: 'the elements of an array', framing: 'json', frames: [{ data: '{"a":"]"}' }, { data: '{"b":2}' }] },
  {
    name: 'an element that was cut short',
    framing: 'json',
    frames: [{ data: '{"a":1}' }, { data: '{"b":[1,', unfinished: true }],
  },
];

describe('writeFrames', () => {
  for (const { name, framing, frames } of rows) {
    it(`${name} are read again as they were`, async () => {
      const opened = await openFrames(chunksOf([writeFrames(frames, framing).join('')]));
      const read: Frame[] = [];
      for await (const batch of opened.batches) {
        read.push(...batch.map((frame) => JSON.parse(JSON.stringify(frame)) as Frame));
      }
      expect(opened.framing).to.equal(framing);
      expect(read).to.deep.equal(frames);
    });
  }

  it('values become one array', () => {
    const values = [{ data: '{"a":1}' }, { data: '{"b":2}' }, { data: '3' }];
    expect(writeFrames(values, 'json').join('')).to.equal('[{"a":1},\n{"b":2},\n3]');
  });

  it('the array of a truncated value is not closed', () => {
    const values = [{ data: '{"a":1}' }, { data: '{"b":', unfinished: true }] as const;
    expect(writeFrames(values, 'json').join('')).to.equal('[{"a":1},\n{"b":');
  });

  it('a text is what it was', () => {
    expect(writeFrames([{ data: 'Hel' }, { data: 'lo\n' }], 'text').join('')).to.equal('Hello\n');
  });

  it('the messages of a socket become events', () => {
    expect(writeFrames([{ data: '{\n"a": 1}' }], 'messages').join('')).to.equal('data: {\ndata: "a": 1}\n\n');
  });
});
