/** The rows of the fields that other protocols need: questions, surfaces, data by its id, calls that the server runs. */
import { expect } from '@open-wc/testing';
import { reduce } from '../../src/conversation/reduce.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { bareBlock, type Bare } from '../support/bare.ts';
import { response, type Data } from '../support/events.ts';
import { NOW } from '../support/play-body.ts';

function blocksOf(...all: readonly Data[]): readonly Bare[] {
  let count = 0;
  const empty: ChatMessage = { id: 'm', role: 'assistant', status: 'streaming', blocks: [], timestamp: NOW };
  const message = all.reduce(
    (before, data) => reduce(before, response(data), { now: NOW, newId: () => `b${String(++count)}` }),
    empty,
  );
  return message.blocks.map(bareBlock);
}

const ask = (content: string, extra: Record<string, string> = {}): Data => ({
  ask: { action_type: 'interrupt', content },
  request: { id: 'q', extra },
});
const asked = (content: string, status = 'pending', extra: Bare = {}): Bare => ({
  type: 'action',
  action_type: 'interrupt',
  status,
  content,
  extra: { ...extra, requestId: 'q' },
});
const custom = (data: unknown): Data => ({ data: { data_type: 'custom', data } });
const shown = (data: unknown, more: Bare = {}): Bare => ({
  type: 'data',
  data: { data_type: 'custom', data },
  ...more,
});

describe('what is asked', () => {
  it('waits, with the server’s own id and the form of its answer', () => {
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

  it('is asked once, however often it is told', () => {
    expect(blocksOf(ask('Sure?'), ask('Sure?'))).to.deep.equal([asked('Sure?')]);
  });

  it('is another question when its words or its facts have changed', () => {
    expect(blocksOf(ask('Sure?'), ask('Really?'))).to.deep.equal([asked('Sure?', 'cancel'), asked('Really?')]);
    expect(blocksOf(ask('Sure?', { path: 'a' }), ask('Sure?', { path: 'b' }))).to.deep.equal([
      asked('Sure?', 'cancel', { path: 'a' }),
      asked('Sure?', 'pending', { path: 'b' }),
    ]);
  });

  it('tells a permission’s own id too', () => {
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

describe('data and surfaces', () => {
  it('take the place of those with their id', () => {
    expect(blocksOf({ ...custom(1), data_id: 'd' }, custom(2), { ...custom(3), data_id: 'd' })).to.deep.equal([
      shown(3, { extra: { dataId: 'd' } }),
      shown(2),
    ]);
  });

  it('are told apart by their kind', () => {
    const surface = { kind: 'a2ui', components: [] };
    expect(blocksOf({ ...custom(1), data_id: 'd' }, { ui: surface, data_id: 'd' })).to.deep.equal([
      shown(1, { extra: { dataId: 'd' } }),
      { type: 'ui', ui: surface, extra: { dataId: 'd' } },
    ]);
  });
});

describe('a tool call', () => {
  const start: Data = { tool_call: 'start', tool_call_id: 't', tool_call_name: 'f' };
  const block = (tool_call: Bare, more: Bare = {}): Bare => ({
    type: 'tool_call',
    status: 'loading',
    tool_call: { id: 't', name: 'f', ...tool_call },
    ...more,
  });

  it('of the server’s own says so', () => {
    expect(blocksOf({ ...start, tool_call_remote: true })).to.deep.equal([block({}, { extra: { remote: true } })]);
  });

  it('has its interim results replaced', () => {
    const interim = (words: string): Data => ({
      tool_call: 'update',
      tool_call_id: 't',
      tool_call_response_complete: words,
    });
    expect(blocksOf(start, interim('half'), interim('whole'))).to.deep.equal([block({ response: 'whole' })]);
  });
});
