import { expect } from '@open-wc/testing';
import {
  resultCallId,
  getTextContent,
  getToolCalls,
  hasToolCall,
  msg,
  msgBlock,
  parseToolResult,
  msgBlockToMedia,
  type Msg,
  type MsgBlock,
} from '../../src/formats/agentscope-msg.ts';

const message = (content: unknown, more: object = {}): Msg =>
  msg.parse({ name: 'a', role: 'ASSISTANT', content, ...more });
type Result = Extract<MsgBlock, { type: 'tool_result' }>;
const result = (fields: object): Result => ({ type: 'tool_result', output: [], ...fields });

describe('Msg', () => {
  const readings: readonly { readonly name: string; readonly input: object; readonly expected: object | undefined }[] =
    [
      {
        name: 'the example of the document',
        input: {
          name: 'user',
          role: 'USER',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', source: { type: 'url', url: 'https://example.com/photo.jpg' } },
          ],
          metadata: {},
          id: 'msg_001',
          timestamp: '2024-01-15T10:30:00Z',
        },
        expected: { name: 'user', role: 'USER', id: 'msg_001', timestamp: '2024-01-15T10:30:00Z', metadata: {} },
      },
      { name: 'a role in small letters', input: { name: 'a', role: 'tool', content: [] }, expected: { role: 'TOOL' } },
      {
        name: 'words alone',
        input: { name: 'a', role: 'ASSISTANT', content: 'Hi' },
        expected: { content: [{ type: 'text', text: 'Hi' }] },
      },
      {
        name: 'no metadata',
        input: { name: 'a', role: 'USER', content: [], metadata: null },
        expected: { metadata: {} },
      },
      {
        name: 'a block that nobody knows stays',
        input: { name: 'a', role: 'USER', content: [{ type: 'poll', options: [1] }] },
        expected: { content: [{ type: 'poll', options: [1] }] },
      },
      { name: 'a role that is none', input: { name: 'a', role: 'AGENT', content: [] }, expected: undefined },
      { name: 'no name', input: { role: 'USER', content: [] }, expected: { role: 'USER' } },
      {
        name: 'what nobody has set, as Jackson writes it',
        input: { id: null, name: null, role: 'TOOL', content: [], metadata: null, timestamp: null },
        expected: { role: 'TOOL', metadata: {}, timestamp: null },
      },
      ...[1_705_314_600, 1_705_314_600_000].map((timestamp) => ({
        name: `the time as a number, ${String(timestamp)}`,
        input: { name: 'a', role: 'USER', content: [], timestamp },
        expected: { timestamp: '2024-01-15T10:30:00.000Z' },
      })),
      {
        name: 'a time that is none',
        input: { name: 'a', role: 'USER', content: [], timestamp: [1e99, {}] },
        expected: { timestamp: null },
      },
      { name: 'no content', input: { name: 'a', role: 'USER' }, expected: undefined },
    ];
  for (const { name, input, expected } of readings) {
    it(`reads ${name}`, () => {
      const read = msg.safeParse(input);
      expect(read.success).to.equal(expected !== undefined);
      if (read.success && expected) expect(read.data).to.deep.include(expected);
    });
  }

  const mixed = message([
    { type: 'text', text: 'one' },
    { type: 'thinking', thinking: 'no' },
    { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
    { type: 'text', text: 'two' },
  ]);

  it('getTextContent joins the text blocks', () => {
    expect(getTextContent(mixed)).to.equal('one\ntwo');
  });

  it('getToolCalls and hasToolCall find the calls', () => {
    expect(getToolCalls(mixed)).to.deep.equal([{ type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }]);
    expect([hasToolCall(mixed), hasToolCall(message('words'))]).to.deep.equal([true, false]);
  });

  it('takes a call whose input is no object', () => {
    expect(msgBlock.parse({ type: 'tool_use', id: 't', name: 'f', input: '{}' })).to.have.deep.property('input', {});
  });

  const ids: readonly { readonly name: string; readonly fields: object; readonly id: string | undefined }[] = [
    { name: 'toolUseId', fields: { toolUseId: 'a', tool_use_id: 'b', tool_call_id: 'c', id: 'd' }, id: 'a' },
    { name: 'tool_use_id', fields: { tool_use_id: 'b', tool_call_id: 'c', id: 'd' }, id: 'b' },
    { name: 'tool_call_id', fields: { toolUseId: null, tool_call_id: 'c', id: 'd' }, id: 'c' },
    { name: 'id', fields: { id: 'd' }, id: 'd' },
    { name: 'nothing', fields: {}, id: undefined },
  ];
  for (const { name, fields, id } of ids) {
    it(`pairs a result by ${name}`, () => {
      expect(resultCallId(result(fields))).to.equal(id);
    });
  }

  const results: readonly {
    readonly name: string;
    readonly fields: object;
    readonly text: string;
    readonly failed: boolean;
  }[] = [
    {
      name: 'texts',
      fields: {
        output: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      text: 'a\nb',
      failed: false,
    },
    { name: 'a string', fields: { output: 'a' }, text: 'a', failed: false },
    { name: 'state error', fields: { output: 'a', state: 'error' }, text: 'a', failed: true },
    { name: 'state interrupted', fields: { output: 'a', state: 'interrupted' }, text: 'a', failed: true },
    { name: 'state denied', fields: { output: 'a', state: 'denied' }, text: 'a', failed: true },
    { name: 'state success', fields: { output: 'a', state: 'success' }, text: 'a', failed: false },
    { name: 'a text that begins with [ERROR]', fields: { output: '[ERROR] x' }, text: '[ERROR] x', failed: true },
    { name: 'a text that begins with Error:', fields: { output: 'Error: x' }, text: 'Error: x', failed: true },
    { name: 'a text with an error in it', fields: { output: 'No Error: x' }, text: 'No Error: x', failed: false },
    {
      name: 'a state that says success before an error text',
      fields: { output: 'Error: 0', state: 'success' },
      text: 'Error: 0',
      failed: false,
    },
    { name: 'nothing', fields: {}, text: '', failed: false },
  ];
  for (const { name, fields, text, failed } of results) {
    it(`reads a result: ${name}`, () => {
      expect(parseToolResult(result(fields))).to.deep.equal({ text, failed, media: [] });
    });
  }

  it('reads the pictures of a result', () => {
    const output = [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } }];
    expect(parseToolResult(result({ output })).media).to.deep.equal([
      { kind: 'image', data: 'AA', mimeType: 'image/png' },
    ]);
  });

  const media: readonly { readonly name: string; readonly block: object; readonly expected: object | undefined }[] = [
    {
      name: 'an URL',
      block: { type: 'image', source: { type: 'url', url: 'https://a.example/x.png' } },
      expected: { kind: 'image', url: 'https://a.example/x.png' },
    },
    {
      name: 'an URL with its type',
      block: { type: 'audio', source: { type: 'url', url: 'https://a.example/x', mime_type: 'audio/mpeg' } },
      expected: { kind: 'audio', url: 'https://a.example/x', mimeType: 'audio/mpeg' },
    },
    {
      name: 'a file of the server',
      block: { type: 'image', source: { type: 'url', url: 'file:///tmp/x.png' } },
      expected: { kind: 'image', url: 'file:///tmp/x.png' },
    },
    {
      name: 'base64 with media_type',
      block: { type: 'video', source: { type: 'base64', media_type: 'video/mp4', data: 'AA' } },
      expected: { kind: 'video', data: 'AA', mimeType: 'video/mp4' },
    },
    {
      name: 'base64 with mediaType',
      block: { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'AA' } },
      expected: { kind: 'image', data: 'AA', mimeType: 'image/png' },
    },
    {
      name: 'data, by its type',
      block: { type: 'data', name: 'x', source: { type: 'base64', media_type: 'audio/wav', data: 'AA' } },
      expected: { kind: 'audio', data: 'AA', mimeType: 'audio/wav', name: 'x' },
    },
    {
      name: 'data of another type is a file',
      block: { type: 'data', source: { type: 'base64', media_type: 'text/csv', data: 'AA' } },
      expected: { kind: 'file', data: 'AA', mimeType: 'text/csv' },
    },
    { name: 'text is none', block: { type: 'text', text: 'a' }, expected: undefined },
  ];
  for (const { name, block, expected } of media) {
    it(`reads media: ${name}`, () => {
      expect(msgBlockToMedia(msgBlock.parse(block))).to.deep.equal(expected);
    });
  }
});
