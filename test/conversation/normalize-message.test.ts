import { expect } from '@open-wc/testing';
import { normalizeMessage, type MessageInput } from '../../src/conversation/normalize-message.ts';
import { NOW } from '../support/play-body.ts';

function fill(input: MessageInput) {
  let count = 0;
  return normalizeMessage(input, { now: NOW, newId: () => `id${String(++count)}` });
}
const block = { id: 'id1', status: 'success', timestamp: NOW };

const besideContent: readonly Partial<MessageInput>[] = [
  { text: 'hi' },
  { blocks: [{ type: 'content', content: 'hi' }] },
];

const rows: readonly { readonly name: string; readonly input: MessageInput; readonly expected: object }[] = [
  {
    name: 'a user’s text is plain text',
    input: { role: 'user', text: 'hi' },
    expected: {
      id: 'id1',
      role: 'user',
      status: 'complete',
      timestamp: NOW,
      blocks: [{ ...block, id: 'id2', type: 'content', content: 'hi', format: 'text' }],
    },
  },
  {
    name: 'an agent’s text is Markdown, and its message is complete',
    input: { role: 'assistant', text: 'hi' },
    expected: {
      id: 'id1',
      role: 'assistant',
      status: 'complete',
      finish: 'complete',
      timestamp: NOW,
      blocks: [{ ...block, id: 'id2', type: 'content', content: 'hi' }],
    },
  },
  {
    name: '`content` is the text, as in the formats of models',
    input: { id: 'm', role: 'user', content: 'hi' },
    expected: {
      id: 'm',
      role: 'user',
      status: 'complete',
      timestamp: NOW,
      blocks: [{ ...block, type: 'content', content: 'hi', format: 'text' }],
    },
  },
  ...(
    [
      [{ type: 'content' }, { content: '' }],
      [{ type: 'reasoning_content' }, { content: '' }],
      [{ type: 'tool_call' }, { tool_call: {} }],
      [{ type: 'status' }, { phase: '' }],
      [{ type: 'action', content: 'Do it?' }, { action_type: 'confirmation' }],
    ] as const
  ).map(([draft, own]) => ({
    name: `a block with nothing but its type: ${draft.type}`,
    input: { id: 'm', role: 'assistant' as const, blocks: [{ ...block, ...draft } as never] },
    expected: {
      id: 'm',
      role: 'assistant',
      status: 'complete',
      finish: 'complete',
      timestamp: NOW,
      blocks: [{ ...block, ...draft, ...own }],
    },
  })),
  ...besideContent.map((more) => ({
    name: `\`content\` is left out beside ${Object.keys(more).join()}`,
    input: { id: 'm', role: 'assistant' as const, content: 'no', ...more },
    expected: {
      id: 'm',
      role: 'assistant',
      status: 'complete',
      finish: 'complete',
      timestamp: NOW,
      blocks: [{ ...block, type: 'content', content: 'hi' }],
    },
  })),
  {
    name: 'existing fields stay',
    input: {
      id: 'm',
      role: 'assistant',
      status: 'error',
      finish: 'error',
      timestamp: 5,
      name: 'Ann',
      metadata: { a: 1 },
    },
    expected: {
      id: 'm',
      role: 'assistant',
      status: 'error',
      finish: 'error',
      timestamp: 5,
      name: 'Ann',
      metadata: { a: 1 },
      blocks: [],
    },
  },
  {
    name: 'blocks get their missing fields',
    input: {
      id: 'm',
      role: 'assistant',
      timestamp: 5,
      blocks: [
        { type: 'content', content: 'a' },
        { id: 'own', type: 'error', status: 'error', timestamp: 6, content: 'b' },
      ],
    },
    expected: {
      id: 'm',
      role: 'assistant',
      status: 'complete',
      finish: 'complete',
      timestamp: 5,
      blocks: [
        { ...block, timestamp: 5, type: 'content', content: 'a' },
        { id: 'own', status: 'error', timestamp: 6, type: 'error', content: 'b' },
      ],
    },
  },
  {
    name: 'attachments are blocks after the text',
    input: {
      id: 'm',
      role: 'user',
      text: 'look',
      attachments: [
        { kind: 'image', data: 'AA', mimeType: 'image/png', name: 'x.png', size: 1 },
        { kind: 'image', url: 'https://a.example/x.png' },
        { kind: 'file', data: 'BB', mimeType: 'text/plain', name: 'x.txt' },
        { kind: 'audio', url: 'https://a.example/x.mp3' },
      ],
    },
    expected: {
      id: 'm',
      role: 'user',
      status: 'complete',
      timestamp: NOW,
      blocks: [
        { ...block, type: 'content', content: 'look', format: 'text' },
        {
          ...block,
          id: 'id2',
          type: 'image',
          name: 'x.png',
          size: 1,
          image_data: { data: 'AA', mimeType: 'image/png' },
        },
        { ...block, id: 'id3', type: 'image', url: 'https://a.example/x.png' },
        { ...block, id: 'id4', type: 'file', name: 'x.txt', data: 'BB', mimeType: 'text/plain' },
        { ...block, id: 'id5', type: 'audio', url: 'https://a.example/x.mp3' },
      ],
    },
  },
];

describe('normalizeMessage()', () => {
  for (const { name, input, expected } of rows) {
    it(name, () => {
      expect(fill(input)).to.deep.equal(expected);
    });
  }

  it('leaves out fields that are null, as servers send what they do not have', () => {
    const empty = { metadata: null, suggestions: null, name: null, timestamp: null, status: null, blocks: null };
    expect(fill({ role: 'assistant', id: 'm', text: 'hi', ...empty } as never)).to.deep.equal(
      fill({ role: 'assistant', id: 'm', text: 'hi' }),
    );
    expect(fill({ role: 'assistant', id: 'm', content: 'hi', text: null } as never)).to.deep.equal(
      fill({ role: 'assistant', id: 'm', content: 'hi' }),
    );
  });

  it('leaves a normalized message unchanged', () => {
    const whole = fill({ role: 'assistant', text: 'hi' });
    expect(fill(whole)).to.deep.equal(whole);
  });
});

describe('normalizeMessage() with a time that is none', () => {
  for (const time of [1e300, -1e300, 8_640_000_000_000_001, Number.NaN]) {
    it(`${String(time)}: uses the current time`, () => {
      expect(fill({ role: 'assistant', timestamp: time, blocks: [] }).timestamp).to.equal(NOW);
    });
  }
});
