import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { createForStoring } from '../../../src/runtime/keeping/for-storing.ts';
import { maskKeys } from '../../../src/safety/secrets.ts';

const message = (blocks: readonly object[], more: object = {}): ChatMessage =>
  ({ id: 'm', role: 'assistant', status: 'complete', timestamp: 1, blocks, ...more }) as unknown as ChatMessage;
const content = (text: string) => ({ id: 'b', type: 'content', status: 'success', timestamp: 1, content: text });

describe('what is stored of a message', () => {
  const plain = createForStoring({ redact: () => undefined, sent: () => ['Bearer my-own-token'] });

  it('has no credential that was sent, and no key', () => {
    const key = ['sk', 'a1B2c3D4e5F6g7H8'].join('-');
    const stored = plain.message(message([content(`You sent my-own-token and ${key}.`)], { metadata: { echo: key } }));
    expect(JSON.stringify(stored)).not.to.match(/my-own-token|a1B2c3D4/);
    expect(stored.blocks[0]).to.have.property('content', 'You sent *** and ***.');
  });

  it('has been the page’s to redact: text wherever it stands, and nothing that is none', () => {
    const asked: string[] = [];
    const own = createForStoring({
      redact: () => (text, purpose) => {
        asked.push(purpose);
        return text.replaceAll('Ann', 'A.');
      },
      sent: () => [],
    });
    const call = {
      id: 'Ann',
      type: 'tool_call',
      status: 'success',
      timestamp: 1,
      tool_call: { id: 'Ann', name: 'find', params: '{"name":"Ann"}', response: 'Ann' },
    };
    const stored = own.message(message([content('Ann asks'), call]));
    expect(stored.blocks[0]).to.have.property('content', 'A. asks');
    expect(stored.blocks[1]).to.deep.equal({
      ...call,
      tool_call: { id: 'Ann', name: 'find', params: '{"name":"A."}', response: 'A.' },
    });
    expect(new Set(asked)).to.deep.equal(new Set(['store']));
  });

  it('is the same object for what has not changed, so that it is written once', () => {
    const block = content('One');
    const first = plain.message(message([block]));
    expect(plain.message(message([block, content('Two')])).blocks[0]).to.equal(first.blocks[0]);
  });

  it('is JSON: no functions, no cycles without end, and the bytes of a picture as they are', () => {
    const odd: Record<string, unknown> = { act: () => 1, nan: Number.NaN, date: new Date(0) };
    odd['self'] = odd;
    const image = {
      id: 'i',
      type: 'image',
      status: 'success',
      timestamp: 1,
      image_data: { data: 'AAAA', mimeType: 'image/png' },
    };
    const stored = plain.message(message([image], { metadata: odd }));
    expect(JSON.parse(JSON.stringify(stored))).to.deep.equal(stored);
    expect(stored.blocks[0]).to.deep.equal(image);
    expect(stored.metadata).to.have.property('date', '1970-01-01T00:00:00.000Z');
  });
});

describe('maskKeys', () => {
  const rows: readonly { text: string; expected: string }[] = [
    { text: 'A basic understanding of Bearer certificates', expected: 'A basic understanding of Bearer certificates' },
    { text: 'Authorization: Bearer abc123def456', expected: 'Authorization: Bearer ***' },
    { text: 'Basic dXNlcjpwYXNz and basic knowledge', expected: 'Basic *** and basic knowledge' },
  ];
  for (const { text, expected } of rows) it(text, () => expect(maskKeys(text)).to.equal(expected));
});
