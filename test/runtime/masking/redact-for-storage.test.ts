import { expect } from '@open-wc/testing';
import { chatMessage, type ChatMessage } from '../../../src/model/message.ts';
import { createStorageSerializer } from '../../../src/runtime/masking/redact-for-storage.ts';
import { maskKeysInProse } from '../../../src/safety/mask-secrets.ts';

const message = (blocks: readonly object[], more: object = {}): ChatMessage =>
  ({ id: 'm', role: 'assistant', status: 'complete', timestamp: 1, blocks, ...more }) as unknown as ChatMessage;
const content = (text: string) => ({ id: 'b', type: 'content', status: 'success', timestamp: 1, content: text });

describe('serialized messages', () => {
  const plain = createStorageSerializer({ redact: () => undefined, sent: () => ['Bearer my-own-token'] });

  it('contain no sent credential, and no key', () => {
    const key = ['sk', 'a1B2c3D4e5F6g7H8'].join('-');
    const stored = plain.message(message([content(`You sent my-own-token and ${key}.`)], { metadata: { echo: key } }));
    expect(JSON.stringify(stored)).not.to.match(/my-own-token|a1B2c3D4/);
    expect(stored.blocks[0]).to.have.property('content', 'You sent *** and ***.');
  });

  it('pass the page’s redaction: every text, and nothing else', () => {
    const asked: string[] = [];
    const own = createStorageSerializer({
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

  it('keep the bytes of a file: a redaction would break them', () => {
    const own = createStorageSerializer({ redact: () => (text) => text.replaceAll('AA', ''), sent: () => [] });
    const image = {
      ...{ id: 'i', type: 'image', status: 'success', timestamp: 1 },
      image_data: { data: 'iVBORAAAA', mimeType: 'image/png' },
    };
    expect(own.message(message([image])).blocks[0]).to.deep.equal(image);
  });

  describe('with a page that redacts card numbers', () => {
    const CARD = '4111 1111 1111 1111';
    const own = createStorageSerializer({
      redact: () => (text) => text.replace(/\d{4}( \d{4}){3}/g, '[card]'),
      sent: () => [],
    });
    const table = (data: unknown) => ({
      id: 'd',
      type: 'data',
      status: 'success',
      timestamp: 1,
      data: { data_type: 'dataframe', data, metadata: { id: CARD, status: [CARD] } },
    });
    const odd = Object.fromEntries(
      ['id', 'type', 'role', 'status', 'finish', 'format', 'parentId', 'agentId', 'action_type', 'data_type'].map(
        (name) => [name, CARD],
      ),
    );
    const cases: readonly { name: string; given: ChatMessage }[] = [
      { name: 'table cells with the names of our fields', given: message([table({ rows: [odd, [odd]] })]) },
      { name: 'field names', given: message([table({ rows: [{ [CARD]: 1, nested: { [CARD]: true } }] })]) },
      { name: 'data beside a type', given: message([table({ data: CARD, mimeType: CARD })]) },
      {
        name: 'text instead of bytes',
        given: message([
          { id: 'f', type: 'file', status: 'success', timestamp: 1, data: CARD, mimeType: 'text/plain' },
        ]),
      },
      { name: 'metadata', given: message([], { metadata: { hidden: true, [CARD]: 1, facts: { id: CARD, ...odd } } }) },
      { name: 'metadata of a block', given: message([{ ...content('x'), extra: { id: CARD, steps: [odd] } }]) },
      {
        name: 'an agent UI surface',
        given: message([{ id: 'u', type: 'ui', status: 'success', timestamp: 1, ui: odd }]),
      },
      {
        name: 'a citation',
        given: message([{ ...content('x'), citations: [{ id: 'c', title: CARD, extra: { id: CARD } }] }]),
      },
    ];
    for (const { name, given } of cases) {
      it(`contain none of them: ${name}`, () => {
        expect(JSON.stringify(own.message(given))).not.to.include('4111');
      });
    }
    it('contain none of them in an agent’s state', () => {
      expect(JSON.stringify(own.value({ id: CARD, status: { [CARD]: [odd] } }))).not.to.include('4111');
    });
    describe('as numbers', () => {
      const NUMBER = 4111111111111111;
      const masked = createStorageSerializer({
        redact: () => (text) => text.replace(/\d{12,}/g, '[card]').replace(/^999$/, '100'),
        sent: () => [],
      });
      const rows = [[NUMBER, 2], { card: NUMBER, cents: 999 }];
      const cases: readonly { name: string; blocks: readonly object[]; more?: object }[] = [
        { name: 'a table', blocks: [{ ...table({ rows }), data: { data_type: 'dataframe', data: { rows } } }] },
        { name: 'a chart', blocks: [{ ...table({}), data: { data_type: 'chart', data: { series: rows } } }] },
        { name: 'a surface', blocks: [{ id: 'u', type: 'ui', status: 'success', timestamp: 1, ui: { rows } }] },
        {
          name: 'the values of a form',
          blocks: [],
          more: { metadata: { data: { surfaceId: 's', context: { rows } } } },
        },
        { name: 'options of a question', blocks: [{ ...content('x'), extra: { options: [{ value: NUMBER }] } }] },
      ];
      for (const { name, blocks, more } of cases) {
        it(`contain none of them, and can be restored: ${name}`, () => {
          const stored = masked.message(message(blocks, more));
          expect(JSON.stringify(stored)).to.include('[card]').and.not.to.include('4111');
          expect(chatMessage.safeParse(stored).success).to.equal(true);
        });
      }

      it('are numbers again where the page replaces them by another number', () => {
        expect(masked.value({ rows })).to.deep.equal({ rows: [['[card]', 2], { card: '[card]', cents: 100 }] });
      });

      it('are not looked for in the times and counts of the widget', () => {
        const TIME = 1764500000000;
        const given = message(
          [
            { ...content('x'), timestamp: TIME, extra: { decided: TIME, steps: [{ phase: 'a', start: TIME }] } },
            {
              ...{ id: 'r', type: 'reasoning_content', status: 'success', timestamp: TIME, content: 'x' },
              reasoning_time: { start: TIME, end: TIME },
            },
            { ...content('y'), citations: [{ id: 'c', start: 999, extra: { timestamp: TIME } }] },
          ],
          { timestamp: TIME, metadata: { rounds: 999, startTime: TIME, summary: { duration_ms: TIME } } },
        );
        expect(masked.message(given)).to.deep.equal(given);
      });
    });

    it('keep both of two field names that are redacted to the same text', () => {
      expect(own.value({ [CARD]: 1, '5111 1111 1111 1111': 2 })).to.deep.equal({ '[card]': 1, '[card] 2': 2 });
    });
  });

  for (const [name, none] of [
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['a promise', Promise.resolve('later')],
  ] as const) {
    it(`are empty but valid if the page’s function returns ${name} instead of text`, () => {
      const own = createStorageSerializer({ redact: () => () => none as never, sent: () => [] });
      const given = message(
        [content('Secret'), { ...content('x'), type: 'plan', plan: [{ title: 'Secret', state: 'done' }] }],
        {
          metadata: { hidden: true, note: 'Secret' },
          finish: 'complete',
        },
      );
      const stored = own.message(given);
      expect(JSON.stringify(stored)).not.to.match(/Secret/);
      expect(own.text('Secret')).to.equal('');
      expect(chatMessage.safeParse(stored).success).to.equal(true);
      expect(stored.metadata).to.have.property('hidden', true);
    });
  }

  it('keep unchanged objects identical, so that they are written once', () => {
    const block = content('One');
    const first = plain.message(message([block]));
    expect(plain.message(message([block, content('Two')])).blocks[0]).to.equal(first.blocks[0]);
  });

  it('rule 95: number names that are masked to the same text, each in one step', () => {
    const names = Array.from({ length: 500 }, (_none, index) => ['sk', `a1B2c3D4e5F6g7H8${String(index)}`].join('-'));
    const block = { id: 'b', type: 'data', status: 'success', timestamp: 1 };
    const data = { data_type: 'custom', data: Object.fromEntries(names.map((name, index) => [name, index])) };
    const has = Map.prototype.has;
    let asked = 0;
    Map.prototype.has = function (this: Map<unknown, unknown>, key) {
      asked++;
      return has.call(this, key);
    };
    let stored: ChatMessage;
    try {
      stored = plain.message(message([{ ...block, data }]));
    } finally {
      Map.prototype.has = has;
    }
    const [first] = stored.blocks;
    const kept = Object.keys((first?.type === 'data' ? first.data.data : {}) as object);
    expect([kept.length, kept[0], kept[1], kept[499]]).to.deep.equal([500, '***', '*** 2', '*** 500']);
    expect(asked).to.be.below(5000);
  });

  it('contain 64 levels of nested values, and nothing below', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 'end' : { in: nested(depth - 1) });
    // The message and its metadata are two of the levels.
    for (const [depth, isKept] of [
      [62, true],
      [63, false],
    ] as const) {
      const stored = JSON.stringify(plain.message(message([], { metadata: { value: nested(depth) } })));
      expect(stored.includes('end'), String(depth)).to.equal(isKept);
    }
  });

  it('are JSON: no functions, no endless cycles, and image bytes unchanged', () => {
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
  for (const { text, expected } of rows) it(text, () => expect(maskKeysInProse(text)).to.equal(expected));
});
