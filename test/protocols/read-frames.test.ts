import { expect } from '@open-wc/testing';
import { z } from '../../src/model/schema.ts';
import type { Warning } from '../../src/protocols/core/adapter.ts';
import { parseDataUrl } from '../../src/protocols/shared/files/data-url.ts';
import { readFrames } from '../../src/protocols/core/read-frames.ts';
import { systemText } from '../../src/protocols/shared/system-text.ts';

const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('a'), value: z.number() }),
  z.object({ type: z.literal('b') }),
]);

const rows: readonly {
  readonly name: string;
  readonly data: string;
  readonly read: readonly object[];
  readonly warnings?: readonly Warning['kind'][];
}[] = [
  { name: 'a message', data: '{"type":"a","value":1,"more":2}', read: [{ type: 'a', value: 1 }] },
  { name: 'an end marker is ignored', data: '[DONE]', read: [] },
  { name: 'an empty frame is ignored', data: '', read: [] },
  { name: 'an unknown kind', data: '{"type":"c"}', read: [], warnings: ['unknown'] },
  { name: 'a kind in Object.prototype', data: '{"type":"constructor"}', read: [], warnings: ['unknown'] },
  { name: 'no kind', data: '{}', read: [], warnings: ['unknown'] },
  { name: 'a field of another type', data: '{"type":"a","value":"1"}', read: [], warnings: ['malformed'] },
  { name: 'a missing field', data: '{"type":"a"}', read: [], warnings: ['malformed'] },
  { name: 'words', data: 'oops', read: [], warnings: ['malformed'] },
  { name: 'incomplete JSON', data: '{"type":"a"', read: [], warnings: ['malformed'] },
  { name: 'null', data: 'null', read: [], warnings: ['malformed'] },
  { name: 'a list', data: '[{"type":"b"}]', read: [], warnings: ['malformed'] },
  {
    name: 'one JSON value a line',
    data: '{"type":"b"}\noops\n\n[DONE]\n{"type":"a","value":1}',
    read: [{ type: 'b' }, { type: 'a', value: 1 }],
    warnings: ['malformed'],
  },
  { name: 'JSON on several lines', data: '{"type":\n"b"\n}', read: [{ type: 'b' }] },
];

describe('rule 11: readFrames', () => {
  for (const { name, data, read, warnings = [] } of rows) {
    it(name, () => {
      const reported: Warning[] = [];
      const report = (warning: Warning): number => reported.push(warning);
      expect([...readFrames(schema, [{ data }, { data: '{"type":"b"}' }], report)]).to.deep.equal([
        ...read,
        { type: 'b' },
      ]);
      expect(reported.map(({ kind }) => kind)).to.deep.equal(warnings);
    });
  }

  it('reports the frame and the invalid field', () => {
    const reported: Warning[] = [];
    const frame = { data: '{"type":"a","value":"1"}', event: 'x' };
    expect([...readFrames(schema, [frame], (warning) => reported.push(warning))]).to.deep.equal([]);
    expect(reported[0]?.frame).to.equal(frame);
    expect(reported[0]?.detail).to.match(/^value: /);
  });
});

describe('parseDataUrl', () => {
  const urls: readonly { readonly url: string; readonly parsed: object | undefined }[] = [
    { url: 'data:image/png;base64,AA==', parsed: { mimeType: 'image/png', data: 'AA==' } },
    { url: 'DATA:IMAGE/PNG;BASE64,AA', parsed: { mimeType: 'image/png', data: 'AA' } },
    { url: 'data:text/plain;charset=utf-8;base64,AA', parsed: { mimeType: 'text/plain', data: 'AA' } },
    { url: 'data:image/svg+xml;base64,AA', parsed: { mimeType: 'image/svg+xml', data: 'AA' } },
    { url: 'data:image/png,AA', parsed: undefined },
    { url: 'data:;base64,AA', parsed: undefined },
    { url: 'https://a.example/data:image/png;base64,AA', parsed: undefined },
  ];
  for (const { url, parsed } of urls) {
    it(url, () => {
      expect(parseDataUrl(url)).to.deep.equal(parsed);
    });
  }
});

describe('systemText', () => {
  const facts = 'Context of the page the user is on:\n';
  const texts: readonly {
    readonly name: string;
    readonly input: { system?: string; context?: unknown };
    readonly text: string;
  }[] = [
    { name: 'nothing', input: {}, text: '' },
    { name: 'the system text', input: { system: 'Be kind.' }, text: 'Be kind.' },
    {
      name: 'page context after it',
      input: { system: 'Be kind.', context: { id: 1 } },
      text: `Be kind.\n\n${facts}{"id":1}`,
    },
    { name: 'only page context', input: { context: 'On page 2.' }, text: `${facts}On page 2.` },
    { name: 'no page context', input: { system: 'Be kind.', context: null }, text: 'Be kind.' },
  ];
  for (const { name, input, text } of texts) {
    it(name, () => {
      expect(systemText(input)).to.equal(text);
    });
  }
});
