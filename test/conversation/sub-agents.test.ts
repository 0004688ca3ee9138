/** Output of sub-agents belongs to the call that started them and is not part of the answer. */
import { expect } from '@open-wc/testing';
import { exportConversation } from '../../src/conversation/export/export-conversation.ts';
import { reduceMessage } from '../../src/conversation/reduce.ts';
import { reduceRun, startRun } from '../../src/conversation/run.ts';
import { emptyThread, appendMessages } from '../../src/conversation/thread.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { withoutSubAgents } from '../../src/model/own-blocks.ts';
import { textOf } from '../../src/model/message-text.ts';
import { end, response, type Data } from '../support/events.ts';
import { NOW } from '../support/play-body.ts';

const EMPTY: ChatMessage = { id: 'm', role: 'assistant', status: 'streaming', blocks: [], timestamp: NOW };

function play(...all: readonly Data[]): ChatMessage {
  let count = 0;
  const context = { now: NOW, newId: () => `b${String(++count)}` };
  return all.reduce((message, data) => reduceMessage(message, response(data), context), EMPTY);
}

const call = (id: string, more: Data = {}): Data => ({
  tool_call: 'start',
  tool_call_id: id,
  tool_call_name: 'task',
  ...more,
});
const by = (id: string, data: Data, name?: string): Data => ({
  ...data,
  parent: { tool_call_id: id, ...(name !== undefined && { name }) },
});
/** Each block as `type id<parent: text`. */
const shapes = ({ blocks }: ChatMessage): readonly string[] =>
  blocks.map(
    (block) =>
      `${block.type} ${block.id}${block.parentId === undefined ? '' : `<${block.parentId}`}${block.content ? `: ${block.content}` : ''}`,
  );

describe('sub-agents', () => {
  const rows: readonly {
    readonly name: string;
    readonly events: readonly Data[];
    readonly blocks: readonly string[];
  }[] = [
    {
      name: 'the text of each one continues separately, however the events are interleaved',
      events: [
        { content: 'I ask. ' },
        call('1'),
        call('2'),
        by('1', { content: 'One' }),
        by('2', { content: 'Two' }),
        by('1', { content: ' more' }),
        by('2', { reasoning_content: 'Hm' }),
        by('1', { content: '.' }),
        { content: 'Done.' },
      ],
      blocks: [
        'content b1: I ask. ',
        'tool_call b2',
        'tool_call b3',
        'content b4<b2: One more.',
        'content b5<b3: Two',
        'reasoning_content b6<b3: Hm',
        'content b7: Done.',
      ],
    },
    {
      name: 'their calls belong to the call that started them, at any depth',
      events: [call('1'), by('1', call('2')), by('2', call('3')), by('3', { content: 'Deep' })],
      blocks: ['tool_call b1', 'tool_call b2<b1', 'tool_call b3<b2', 'content b4<b3: Deep'],
    },
    {
      name: 'they have their own plan and phases',
      events: [
        { plan: [{ title: 'A', state: 'active' }], phase: { name: 'thinking' } },
        call('1'),
        by('1', { plan: [{ title: 'B', state: 'active' }], phase: { name: 'looking' } }),
        { plan: [{ title: 'A', state: 'done' }] },
      ],
      blocks: ['status b1', 'plan b2', 'tool_call b3', 'status b4<b3', 'plan b5<b3'],
    },
    {
      name: 'a sub-agent of an unknown call writes into the answer',
      events: [{ content: 'A' }, by('?', { content: 'B' })],
      blocks: ['content b1: AB'],
    },
  ];
  for (const { name, events, blocks } of rows) {
    it(name, () => {
      expect(shapes(play(...events))).to.deep.equal(blocks);
    });
  }

  it('a result is stored in its call, at any depth', () => {
    const message = play(call('1'), by('1', call('2')), {
      tool_call: 'end',
      tool_call_id: '2',
      tool_call_response: 'ok',
    });
    expect(message.blocks[1]).to.include({ status: 'success', parentId: 'b1' });
  });

  it('a call keeps the sub-agent’s name when it is updated', () => {
    const message = play(call('1'), by('1', { content: 'x' }, 'Scout'), {
      tool_call: 'end',
      tool_call_id: '1',
      tool_call_remote: true,
    });
    expect(message.blocks[0]?.extra).to.deep.equal({ agent: 'Scout', remote: true });
  });

  it('unchanged blocks stay the same objects', () => {
    const before = play(call('1'), by('1', { content: 'x' }, 'Scout'));
    const after = reduceMessage(before, response(by('1', { content: 'y' }, 'Scout')), { now: NOW, newId: () => 'n' });
    expect(after.blocks[0]).to.equal(before.blocks[0]);
  });

  it('their output goes to the message with the call, while another speaker writes', () => {
    let count = 0;
    const context = { now: NOW, newId: () => `n${String(++count)}` };
    const run = [
      call('1'),
      { message: { id: 'second' }, content: 'Meanwhile.' },
      by('1', { content: 'Found it.' }),
    ].reduce(
      (before, data) => reduceRun(before, response(data), context),
      startRun({ ...EMPTY, metadata: { messageId: 'first' } }),
    );
    expect(run.messages.map(shapes)).to.deep.equal([
      ['tool_call n1', 'content n4<n1: Found it.'],
      ['content n3: Meanwhile.'],
    ]);
  });

  it('their output is left out of copies, text exports and the next request', () => {
    const message = play({ content: 'Asking. ' }, call('1'), by('1', { content: 'Secret' }), { content: 'Done.' });
    expect(textOf(message)).to.equal('Asking. Done.');
    expect(shapes(withoutSubAgents(message))).to.deep.equal([
      'content b1: Asking. ',
      'tool_call b2',
      'content b4: Done.',
    ]);
    const thread = appendMessages(emptyThread, [reduceMessage(message, end(), { now: NOW, newId: () => 'n' })]);
    for (const format of ['markdown', 'openai-messages', 'agentscope-msgs'] as const) {
      expect(exportConversation(thread, format)).not.to.contain('Secret');
    }
    expect(exportConversation(thread, 'json')).to.contain('Secret');
  });
});
