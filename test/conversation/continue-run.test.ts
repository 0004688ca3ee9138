import { expect } from '@open-wc/testing';
import { closeRun } from '../../src/conversation/close-run.ts';
import {
  continueRun,
  keepMetadata,
  markRound,
  splitRestoredMessages,
  withSavedMessages,
} from '../../src/conversation/continue-run.ts';
import { withoutLastRound } from '../../src/runtime/stream/resume-from-last-round.ts';
import { startRun } from '../../src/conversation/run.ts';
import type { BlockOf } from '../../src/model/blocks.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { assistant, conversation, user } from '../support/messages.ts';
import { response } from '../support/events.ts';
import { emptyRun, NOW, playEvents } from '../support/play-body.ts';

type ActionBlock = BlockOf<'action'>;

const question = (status: ActionBlock['status']): ActionBlock => ({
  id: `q-${status}`,
  type: 'action',
  action_type: 'confirmation',
  status,
  content: 'Sure?',
  timestamp: NOW,
});
const statuses = (messages: readonly ChatMessage[]): readonly string[] => messages.map(({ id }) => id);

describe('splitRestoredMessages()', () => {
  const asked = assistant([question('pending')], { status: 'streaming' });
  const rows: readonly {
    readonly name: string;
    readonly messages: readonly ChatMessage[];
    readonly waiting: number;
  }[] = [
    { name: 'a reply that waits for the user', messages: conversation(user('Hi'), asked), waiting: 1 },
    {
      name: 'two messages of such a reply',
      messages: conversation(user('Hi'), assistant([], { status: 'streaming' }), asked),
      waiting: 2,
    },
    { name: 'a reply without a message of the user', messages: conversation(asked), waiting: 0 },
    {
      name: 'a reply with an answered question',
      messages: conversation(user('Hi'), assistant([question('granted')], { status: 'streaming' })),
      waiting: 0,
    },
    {
      name: 'a complete reply with an open question, as a page stores it that knows no status of a message',
      messages: conversation(user('Hi'), assistant([question('pending')])),
      waiting: 1,
    },
    ...(['interrupted', 'cancelled', 'error'] as const).map((status) => ({
      name: `a reply with an open question that is ${status}`,
      messages: conversation(user('Hi'), assistant([question('pending')], { status })),
      waiting: 0,
    })),
    { name: 'a question before a later message', messages: conversation(user('Hi'), asked, user('Well?')), waiting: 0 },
    { name: 'nothing', messages: [], waiting: 0 },
  ];
  for (const { name, messages, waiting } of rows) {
    it(`${name}: ${String(waiting)} unfinished`, () => {
      const split = splitRestoredMessages(messages);
      expect(split.waiting).to.have.length(waiting);
      expect(statuses([...split.settled, ...split.waiting])).to.deep.equal(statuses(messages));
    });
  }

  const ofBlocks = (messages: readonly ChatMessage[]): readonly string[] =>
    messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'content' ? [] : [block.status])));

  it('continues a complete reply as a paused one', () => {
    const { waiting } = splitRestoredMessages(conversation(user('Hi'), assistant([question('pending')])));
    expect(waiting.map(({ status, finish }) => [status, finish])).to.deep.equal([['streaming', 'tool_use']]);
    expect(ofBlocks(waiting)).to.deep.equal(['pending']);
  });

  it('leaves the question of a conversation without a message of the user to the page', () => {
    expect(ofBlocks(splitRestoredMessages(conversation(asked)).settled)).to.deep.equal(['pending']);
  });
});

describe('continueRun()', () => {
  it('continues the last of several messages', () => {
    const messages = conversation(
      assistant([{ type: 'content', content: 'a' }]),
      assistant([{ type: 'content', content: 'b' }], { status: 'streaming' }),
    );
    const { messages: after } = playEvents([response({ content: 'c' })], continueRun(messages));
    expect(after[0]).to.equal(messages[0]);
    expect(JSON.stringify(after[1])).to.contain('"content":"bc"');
  });
});

describe('withSavedMessages()', () => {
  it('restores what was complete when saved, and nothing that was still written', () => {
    const [first, second] = conversation(assistant([]), assistant([]));
    const saved = [
      { ...first!, name: 'saved' },
      { ...second!, name: 'saved', status: 'streaming' as const },
    ];
    expect(withSavedMessages([first!, second!], saved).map(({ name }) => name)).to.deep.equal(['saved', undefined]);
  });
});

describe('closeRun()', () => {
  it('cancels pending questions and leaves answered ones and other blocks', () => {
    const [message] = conversation(
      assistant([question('pending'), question('granted'), { type: 'content', content: 'a' }], { status: 'streaming' }),
    );
    const closed = closeRun(
      startRun(message!),
      { status: 'cancelled', finish: 'cancelled' },
      { now: NOW, newId: () => 'new' },
    );
    const blocks = closed.messages.flatMap((one) => one.blocks.map(({ type, status }) => `${type} ${status}`));
    expect(blocks).to.deep.equal(['action cancel', 'action granted', 'content success']);
    expect(closed.messages[0]?.status).to.equal('cancelled');
  });
});

describe('keepMetadata()', () => {
  const said = (id: string, content: string) => [response({ message: { id } }), response({ content })];
  const texts = (messages: readonly ChatMessage[]): readonly unknown[] =>
    messages.map(({ blocks }) => blocks.map((block) => (block.type === 'content' ? block.content : block.type)));
  const again = (...events: Parameters<typeof playEvents>[0]): readonly ChatMessage[] => {
    const before = playEvents([...said('first', 'Hel'), response({ metadata: { session: 's' } })]);
    return playEvents(events, keepMetadata(emptyRun(), before, {})).messages;
  };

  it('lets a reply that is read again use its message, with the same id or another one', () => {
    for (const id of ['first', 'second']) {
      const messages = again(...said(id, 'Hello'));
      expect(texts(messages)).to.deep.equal([['Hello']]);
      expect(messages[0]?.metadata).to.deep.equal({ session: 's', messageId: id });
    }
  });

  it('lets each later message of the reply be a message of its own', () => {
    expect(texts(again(...said('second', 'One'), ...said('third', 'Two')))).to.deep.equal([['One'], ['Two']]);
    expect(texts(again(response({ message: { id: 'first' } }), ...said('second', 'Two')))).to.deep.equal([[], ['Two']]);
  });
});

describe('withoutLastRound()', () => {
  const contents = ({ messages }: ReturnType<typeof continueRun>): readonly unknown[] =>
    messages.map(({ blocks }) => blocks.map((block) => block.type === 'content' && block.content));

  it('returns to the beginning of the reply', () => {
    const run = playEvents([response({ content: 'One' })]);
    expect(contents(withoutLastRound(run))).to.deep.equal([[]]);
  });

  it('returns to the last mark of a round', () => {
    const before = playEvents([response({ content: 'One' })]);
    const run = playEvents([response({ content: 'Two', content_begins: true })], markRound(before));
    expect(contents(run)).to.deep.equal([['One', 'Two']]);
    expect(contents(withoutLastRound(run))).to.deep.equal([['One']]);
  });

  it('returns to the beginning if an import has an invalid mark', () => {
    for (const blocksBefore of ['1', -1, NaN, null]) {
      const [message] = conversation(assistant('One', { metadata: { blocksBefore } }));
      expect(contents(withoutLastRound(continueRun(message ? [message] : [])))).to.deep.equal([[]]);
    }
  });
});
