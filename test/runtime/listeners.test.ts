import { expect } from '@open-wc/testing';
import type { LLMAgentEvent } from '../../src/model/agent-events.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Chat } from '../../src/runtime/chat.ts';
import { settled } from '../support/fake-delay.ts';
import { lines, makeChat, wordsOf } from './support/make-chat.ts';
import { session, status, stream, watchedBody } from './support/scripted-server.ts';

const [one, more] = [session('One.', false), session('Two.')];
/** As two reads of the network. */
const two = (): Response => watchedBody([one, more], 'close').response();

/** Does something once, when the first thing of that kind is told. */
const once = (kind: 'type' | 'role', act: (chat: Chat) => void) => {
  let done = false;
  return (chat: Chat, heard: LLMAgentEvent | ChatMessage): void => {
    if (done || !(kind in heard)) return;
    done = true;
    act(chat);
  };
};

const stop = (chat: Chat): void => {
  chat.stop();
};

describe('a page that hears of an event', () => {
  const acts: readonly {
    readonly name: string;
    readonly act: (chat: Chat) => void;
    readonly left: readonly string[];
  }[] = [
    {
      name: 'stop()',
      act: stop,
      left: ['user complete: Hi', 'assistant cancelled: One.'],
    },
    {
      name: 'clear()',
      act: (chat) => {
        chat.clear();
      },
      left: [],
    },
    {
      name: 'another conversation',
      act: (chat) => {
        chat.messages = [{ role: 'user', text: 'Before' }];
      },
      left: ['user complete: Before'],
    },
  ];
  for (const { name, act, left } of acts) {
    it(`${name} ends the reply there, with what had come`, async () => {
      const { chat, told } = makeChat([two], {}, { listener: once('type', act) });
      const answer = await chat.send('Hi');
      await settled();
      expect([answer.status, ...wordsOf(answer)]).to.deep.equal(['cancelled', 'One.']);
      expect(lines(chat)).to.deep.equal(left);
      expect([chat.status, told.events.length, told.errors]).to.deep.equal(['idle', 1, []]);
    });
  }

  it('stop() at an error leaves nothing to tell', async () => {
    const { chat, told } = makeChat([status(500)], {}, { listener: once('type', stop) });
    expect((await chat.send('Hi')).status).to.equal('cancelled');
    expect(told.errors).to.deep.equal([]);
  });

  const rows = [
    { name: 'finds it in the conversation already', answer: two, words: ['One.', 'One.Two.'] },
    {
      name: 'finds the words that came with it there too',
      answer: stream(one + more),
      words: ['One.Two.', 'One.Two.'],
    },
  ];
  for (const { name, answer, words } of rows) {
    it(name, async () => {
      const seen: unknown[] = [];
      const listener = (chat: Chat, heard: LLMAgentEvent | ChatMessage): void => {
        if ('type' in heard && heard.type === 'response' && heard.data.content) {
          seen.push([chat.status, heard.data.content, ...chat.messages.slice(1).flatMap(wordsOf)]);
        }
      };
      await makeChat([answer], {}, { listener }).chat.send('Hi');
      expect(seen).to.deep.equal([
        ['streaming', 'One.', words[0]],
        ['streaming', 'Two.', words[1]],
      ]);
    });
  }

  it('hears of no more behind a stop, though it had come', async () => {
    const { chat, told } = makeChat([stream(one + more)], {}, { listener: once('type', stop) });
    const answer = await chat.send('Hi');
    expect([answer.status, ...wordsOf(answer), told.events.length]).to.deep.equal(['cancelled', 'One.Two.', 1]);
  });
});

describe('a page that hears of a message', () => {
  it('hears of it with its last status, also where nothing was accepted', async () => {
    const { chat, told } = makeChat([status(500)]);
    await chat.send('Hi');
    expect(told.messages.map((message) => message.status)).to.deep.equal(['failed', 'error']);
    expect(told.messages).to.deep.equal(chat.messages);
  });

  it('hears of the very object that is in the conversation, which is what send() gives', async () => {
    const listener = once('type', (chat) => chat.addMessage({ role: 'system', text: 'Note' }));
    const { chat, told } = makeChat([two], {}, { listener });
    const answer = await chat.send('Hi');
    expect(lines(chat)[1]).to.equal('system complete: Note');
    expect(answer).to.equal(chat.messages[2]);
    expect(told.messages[1]).to.equal(answer);
  });

  it('may send the next one there', async () => {
    let next: Promise<ChatMessage> | undefined;
    const listener = once('role', (chat) => {
      next = chat.send('And?');
    });
    const { chat } = makeChat([status(500), stream(session('Well.'))], {}, { listener });
    await chat.send('Hi');
    expect((await next)?.status).to.equal('complete');
  });
});
