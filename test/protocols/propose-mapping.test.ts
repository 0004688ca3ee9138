import { expect } from '@open-wc/testing';
import { mapProtocol } from '../../src/protocols/mapping/map-protocol.ts';
import { proposeMapping } from '../../src/protocols/propose-mapping.ts';
import type { Frame } from '../../src/transport/frame.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import type { ExpectedFields } from '../support/bare.ts';
import { framesOf, playBody, sse } from '../support/play-body.ts';
import { SAID, shapes } from './json-stream/shapes.ts';

async function readFrames(body: string): Promise<readonly Frame[]> {
  const chunks = async function* (): AsyncGenerator<string> {
    yield await Promise.resolve(body);
  };
  const frames: Frame[] = [];
  for await (const batch of (await openFrames(chunks())).batches) frames.push(...batch);
  return frames;
}

/** The text of the reply that the proposed mapping reads. */
async function read(body: string): Promise<string> {
  const proposed = proposeMapping(await readFrames(body));
  if (!proposed) return '';
  const [message] = (await playBody(mapProtocol(proposed), body)).seen;
  const blocks = (message?.['blocks'] ?? []) as readonly ExpectedFields[];
  const text = blocks.map((block) => (block['type'] === 'content' ? String(block['content']) : '')).join('');
  return `${String(message?.['finish'])}: ${text}`;
}

/** The server pads each token, which a mapping can't remove. */
const PADDED = 'chat-ui, with its padding';

describe('proposeMapping', () => {
  for (const { name, body } of shapes.filter((shape) => shape.name !== PADDED)) {
    it(`reads ${name}`, async () => {
      expect(await read(body)).to.equal(`complete: ${SAID}`);
    });
  }

  it('reads unknown field names', async () => {
    expect(await read(sse({ k: 'w', zzy: 'One ' }, { k: 'w', zzy: 'two' }, { k: 'x' }))).to.equal('complete: One two');
  });

  it('ends at the field that only the last frame has, not at one that the text before it has too', () => {
    const mapping = proposeMapping(
      framesOf({ type: 'chunk', text: 'Hel' }, { type: 'chunk', text: 'lo' }, { type: 'chunk', text: '', done: true }),
    );
    expect(mapping?.events).to.deep.equal([{ text: 'text' }, { when: { done: true }, finish: 'complete' }]);
  });

  it('distinguishes the answer from other text in the same field by the kind of the frame', () => {
    const mapping = proposeMapping(
      framesOf(
        { type: 'log', content: 'Looking' },
        { type: 'token', content: 'Hel' },
        { type: 'token', content: 'lo' },
        { type: 'done' },
      ),
    );
    expect(mapping?.events).to.deep.equal([
      { when: { type: 'token' }, text: 'content' },
      { when: { type: 'done' }, finish: 'complete' },
    ]);
    expect(mapping?.detect).to.deep.equal({ content: null, type: 'token' });
  });

  it('has rules for reasoning and errors that occurred', () => {
    const mapping = proposeMapping(
      framesOf(
        { type: 'thinking', content: 'Hm' },
        { type: 'token', content: 'Hel' },
        { type: 'token', content: 'lo' },
        { type: 'error', message: 'Overloaded' },
      ),
    );
    expect(mapping?.events).to.deep.equal([
      { when: { type: 'thinking' }, reasoning: 'content' },
      { when: { type: 'error' }, error: 'message' },
      { when: { type: 'token' }, text: 'content' },
    ]);
  });

  it('has a rule for reasoning in the frames of the answer', () => {
    const mapping = proposeMapping(
      framesOf(
        { reasoning: 'Let me ', content: null, step: 1 },
        { reasoning: 'see.', content: 'Hel', step: 2 },
        { reasoning: null, content: 'lo', step: 3 },
      ),
    );
    expect(mapping?.events).to.deep.include({ reasoning: 'reasoning' }).and.deep.include({ text: 'content' });
  });

  it('proposes nothing for a stream without text', () => {
    expect(proposeMapping([])).to.equal(undefined);
    expect(proposeMapping(framesOf({ id: 1 }, { id: 2 }))).to.equal(undefined);
    expect(proposeMapping([{ data: 'no JSON' }])).to.equal(undefined);
  });

  it('has no path through the prototype', () => {
    const mapping = proposeMapping([{ data: '{"__proto__":{"text":"a"},"text":"b"}' }, { data: '{"text":"c"}' }]);
    expect(mapping?.events).to.deep.equal([{ text: 'text' }]);
  });
});
