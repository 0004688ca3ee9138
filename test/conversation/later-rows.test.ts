/**
 * Mapping of the fields that only some protocols use: questions, agent UI, data with an id, calls that the server runs.
 */
import { expect } from '@open-wc/testing';
import { reduceMessage } from '../../src/conversation/reduce.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { bareBlock, type ExpectedFields } from '../support/bare.ts';
import { response, type Data } from '../support/events.ts';
import { NOW } from '../support/play-body.ts';

function blocksOf(...all: readonly Data[]): readonly ExpectedFields[] {
  let count = 0;
  const empty: ChatMessage = { id: 'm', role: 'assistant', status: 'streaming', blocks: [], timestamp: NOW };
  const message = all.reduce(
    (before, data) => reduceMessage(before, response(data), { now: NOW, newId: () => `b${String(++count)}` }),
    empty,
  );
  return message.blocks.map(bareBlock);
}

const ask = (content: string, extra: Record<string, string> = {}): Data => ({
  ask: { action_type: 'interrupt', content },
  request: { id: 'q', extra },
});
const asked = (content: string, status = 'pending', extra: ExpectedFields = {}): ExpectedFields => ({
  type: 'action',
  action_type: 'interrupt',
  status,
  content,
  extra: { ...extra, requestId: 'q' },
});
const custom = (data: unknown): Data => ({ data: { data_type: 'custom', data } });
const shown = (data: unknown, more: ExpectedFields = {}): ExpectedFields => ({
  type: 'data',
  data: { data_type: 'custom', data },
  ...more,
});

describe('questions and permissions', () => {
  it('has the server’s request id, its options and its schema', () => {
    const question: Data = {
      ask: { action_type: 'question', options: [{ label: 'A', value: 'a' }], schema: { type: 'string' } },
      request: { id: 'q', extra: { editable: true } },
    };
    expect(blocksOf(question)).to.deep.equal([
      {
        type: 'action',
        action_type: 'question',
        status: 'pending',
        extra: {
          editable: true,
          requestId: 'q',
          options: [{ label: 'A', value: 'a' }],
          schema: '{"type":"string"}',
        },
      },
    ]);
  });

  it('is shown once when the server sends it repeatedly', () => {
    expect(blocksOf(ask('Sure?'), ask('Sure?'))).to.deep.equal([asked('Sure?')]);
  });

  it('replaces the previous question when its text or its opaque state has changed', () => {
    expect(blocksOf(ask('Sure?'), ask('Really?'))).to.deep.equal([asked('Sure?', 'cancel'), asked('Really?')]);
    expect(blocksOf(ask('Sure?', { path: 'a' }), ask('Sure?', { path: 'b' }))).to.deep.equal([
      asked('Sure?', 'cancel', { path: 'a' }),
      asked('Sure?', 'pending', { path: 'b' }),
    ]);
  });

  it('a permission has the server’s request id as well', () => {
    const permission = { toolName: 'rm', serverName: '', permissionType: 'all', description: '' } as const;
    const [block] = blocksOf({
      tool_call: 'permission-required',
      tool_call_id: 't',
      permission_request: permission,
      request: { id: 'ap1', extra: { editable: true } },
    });
    expect(block?.['extra']).to.deep.equal({
      editable: true,
      requestId: 'ap1',
      permissionType: 'all',
      serverName: '',
      toolName: 'rm',
    });
  });
});

describe('data and agent UI', () => {
  it('replace the block with the same `data_id`', () => {
    expect(blocksOf({ ...custom(1), data_id: 'd' }, custom(2), { ...custom(3), data_id: 'd' })).to.deep.equal([
      shown(3, { extra: { dataId: 'd' } }),
      shown(2),
    ]);
  });

  it('are matched by `data_id` and type', () => {
    const surface = { kind: 'a2ui', components: [] };
    expect(blocksOf({ ...custom(1), data_id: 'd' }, { ui: surface, data_id: 'd' })).to.deep.equal([
      shown(1, { extra: { dataId: 'd' } }),
      { type: 'ui', ui: surface, extra: { dataId: 'd' } },
    ]);
  });

  it('an image is replaced by a better version', () => {
    const picture = (data: string): Data => ({ media: { kind: 'image', data, mimeType: 'image/png' }, data_id: 'p' });
    expect(blocksOf(picture('AAAA'), { content: 'x' }, picture('BBBB'))).to.deep.equal([
      { type: 'image', image_data: { data: 'BBBB', mimeType: 'image/png' }, extra: { dataId: 'p' } },
      { type: 'content', content: 'x' },
    ]);
  });
});

describe('text', () => {
  it('begins a new block with `content_begins`', () => {
    expect(blocksOf({ content: 'a' }, { content: 'b' }, { content: 'c', content_begins: true })).to.deep.equal([
      { type: 'content', content: 'ab' },
      { type: 'content', content: 'c' },
    ]);
  });
});

describe('a tool result with an MCP app', () => {
  const resource = { uri: 'ui://shop/cart', mimeType: 'text/html', text: '<p>Cart</p>' };
  const shownWith = (more: object) => ({
    type: 'ui',
    ui: { kind: 'mcp-app', ...resource, ...more },
    extra: { dataId: 't ui://shop/cart' },
  });
  const item = (more: object = {}) => ({ type: 'resource', resource: { ...resource, ...more } });
  const uis = (...events: readonly Data[]) => blocksOf(...events).filter(({ type }) => type === 'ui');
  const end: Data = { tool_call: 'end', tool_call_id: 't' };

  const words = { type: 'text', text: 'x' };
  for (const [name, data, content] of [
    ['in the list of contents', { tool_call_response: [words, item()] }, [words]],
    ['in the raw result', { tool_call_response: 'x', tool_call_response_raw: { content: [item()] } }, []],
    ['in both', { tool_call_response: [item()], tool_call_response_raw: [item()] }, []],
    ['in a list as JSON', { tool_call_response: JSON.stringify([words, item()]) }, [words]],
    ['in a complete result', { tool_call_response_complete: JSON.stringify({ content: [item(), words] }) }, [words]],
    ['in a result as JSON', { tool_call_response: JSON.stringify({ content: [item(), words] }) }, [words]],
  ] as const) {
    it(`is shown once when it is ${name}, with the rest of the result`, () => {
      expect(uis({ ...end, ...data })).to.deep.equal([shownWith({ result: { content } })]);
    });
  }

  it('receives the arguments of its call', () => {
    const start: Data = { tool_call: 'start', tool_call_id: 't', tool_call_name: 'cart', tool_call_params: '{"id":7}' };
    expect(uis(start, { ...end, tool_call_response: [item()] })).to.deep.equal([
      shownWith({ arguments: { id: 7 }, result: { content: [] } }),
    ]);
  });

  for (const mimeType of ['application/json+a2ui', 'application/a2ui+json']) {
    it(`shows A2UI of the type ${mimeType}`, () => {
      const messages = [{ createSurface: { surfaceId: 's' } }];
      const a2ui = item({ uri: 'a2ui://form', mimeType, text: JSON.stringify(messages) });
      expect(uis({ ...end, tool_call_response: [a2ui] })).to.deep.equal([
        { type: 'ui', ui: { kind: 'a2ui', messages }, extra: { dataId: 't a2ui://form' } },
      ]);
    });
  }

  it('ignores resources with another scheme, another MIME type or no address', () => {
    const items = [
      item({ uri: 'https://a.example' }),
      item({ mimeType: 'text/uri-list' }),
      item({ text: 7 }),
      { type: 'resource' },
    ];
    expect(uis({ ...end, tool_call_response: items })).to.deep.equal([]);
  });
});

describe('a tool result with an image', () => {
  const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const words = { type: 'text', text: 'A lake' };
  const end: Data = { tool_call: 'end', tool_call_id: 't', tool_call_name: 'f' };
  const shown = { type: 'image', image_data: { data: 'AAAA', mimeType: 'image/png' } };
  /** The blocks without the ids that connect images with their call. */
  const blocks = (...events: readonly Data[]): readonly ExpectedFields[] =>
    blocksOf(...events).map(({ extra: _extra, ...block }) => block);

  for (const [name, data, response] of [
    ['in the list of contents', { tool_call_response: [words, picture] }, 'A lake'],
    ['alone', { tool_call_response: [picture] }, ''],
    ['in a list as JSON', { tool_call_response: JSON.stringify([words, picture]) }, 'A lake'],
    ['in a result as JSON', { tool_call_response: JSON.stringify({ content: [picture, words] }) }, 'A lake'],
    ['in the raw result', { tool_call_response: 'A lake', tool_call_response_raw: { content: [picture] } }, 'A lake'],
    ['in both', { tool_call_response: [words, picture], tool_call_response_raw: [words, picture] }, 'A lake'],
  ] as const) {
    it(`shows the image, and its text only, when it is ${name}`, () => {
      expect(blocks({ ...end, ...data })).to.deep.equal([
        { type: 'tool_call', tool_call: { id: 't', name: 'f', response } },
        shown,
      ]);
    });
  }

  it('shows a recording', () => {
    const recording = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' };
    expect(blocks({ ...end, tool_call_response: [recording] })[1]).to.deep.equal({
      type: 'audio',
      data: 'AAAA',
      mimeType: 'audio/wav',
    });
  });

  const resource = (more: object) => ({ type: 'resource', resource: { uri: 'file:///maps/lake', ...more } });
  for (const [mimeType, type] of [
    ['audio/wav', 'audio'],
    ['video/mp4', 'video'],
    ['application/pdf', 'file'],
  ] as const) {
    it(`shows the bytes of a resource of the type ${mimeType}`, () => {
      expect(blocks({ ...end, tool_call_response: [words, resource({ blob: 'AAAA', mimeType })] })).to.deep.equal([
        { type: 'tool_call', tool_call: { id: 't', name: 'f', response: 'A lake' } },
        { type, name: 'lake', data: 'AAAA', mimeType },
      ]);
    });
  }

  it('shows the bytes of a resource without a type as a file', () => {
    const contents = JSON.stringify({ content: [resource({ blob: 'AAAA' })] });
    expect(blocks({ ...end, tool_call_response: contents })).to.deep.equal([
      { type: 'tool_call', tool_call: { id: 't', name: 'f', response: '' } },
      { type: 'file', name: 'lake', data: 'AAAA' },
    ]);
  });

  it('keeps a resource without contents as JSON', () => {
    expect(blocks({ ...end, tool_call_response: [resource({})] })).to.deep.equal([
      { type: 'tool_call', tool_call: { id: 't', name: 'f', response: JSON.stringify(resource({})) } },
    ]);
  });

  it('shows it once when the interim result had it too, and again for another call with the same id', () => {
    const interim: Data = { ...end, tool_call: 'running', tool_call_response: [picture] };
    const again: Data = { tool_call: 'start', tool_call_id: 't', tool_call_name: 'g' };
    const types = blocks(interim, { ...end, tool_call_response: [picture] }, again, {
      ...again,
      tool_call: 'end',
      tool_call_response: [picture],
    }).map(({ type }) => type);
    expect(types).to.deep.equal(['tool_call', 'image', 'tool_call', 'image']);
  });

  it('keeps contents without data or type as JSON', () => {
    const text = JSON.stringify([{ type: 'image', src: 'x.png' }]);
    expect(blocks({ ...end, tool_call_response: text })).to.deep.equal([
      { type: 'tool_call', tool_call: { id: 't', name: 'f', response: text } },
    ]);
  });
});

describe('a tool call', () => {
  const start: Data = { tool_call: 'start', tool_call_id: 't', tool_call_name: 'f' };
  const block = (tool_call: ExpectedFields, more: ExpectedFields = {}): ExpectedFields => ({
    type: 'tool_call',
    status: 'loading',
    tool_call: { id: 't', name: 'f', ...tool_call },
    ...more,
  });

  it('is marked as run by the server', () => {
    expect(blocksOf({ ...start, tool_call_remote: true })).to.deep.equal([block({}, { extra: { remote: true } })]);
  });

  it('replaces interim results', () => {
    const interim = (words: string): Data => ({
      tool_call: 'update',
      tool_call_id: 't',
      tool_call_response_complete: words,
    });
    expect(blocksOf(start, interim('half'), interim('whole'))).to.deep.equal([block({ response: 'whole' })]);
  });
});

describe('hidden reasoning', () => {
  const hidden = { extra: { hidden: true } };
  it('is a block without text', () => {
    expect(blocksOf({ content: 'a' }, { reasoning_hidden: true }, { content: 'b' })).to.deep.equal([
      { type: 'content', content: 'a' },
      { type: 'reasoning_content', content: '', ...hidden },
      { type: 'content', content: 'b' },
    ]);
  });

  it('joins the reasoning before and after it', () => {
    const around = blocksOf({ reasoning_content: 'a' }, { reasoning_hidden: true }, { reasoning_content: 'b' });
    expect(around).to.deep.equal([{ type: 'reasoning_content', content: 'ab', ...hidden }]);
  });
});
