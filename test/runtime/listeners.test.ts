import { expect } from '@open-wc/testing';
import type { LLMAgentEvent } from '../../src/model/events/agent-events.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import { settled } from '../support/fake-delay.ts';
import { lines, makeChat, wordsOf } from './support/make-chat.ts';
import { session, status, stream, watchedBody } from './support/scripted-server.ts';

const [one, more] = [session('One.', false), session('Two.')];
/** The body in two network reads. */
const two = (): Response => watchedBody([one, more], 'close').response();

/** Runs a function once, on the first event of that type. */
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

describe('an event listener of the page', () => {
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
    it(`${name} ends the reply there, with the received text`, async () => {
      const { chat, told } = makeChat([two], {}, { listener: once('type', act) });
      const answer = await chat.send('Hi');
      await settled();
      expect([answer.status, ...wordsOf(answer)]).to.deep.equal(['cancelled', 'One.']);
      expect(lines(chat)).to.deep.equal(left);
      expect([chat.status, told.events.length, told.errors]).to.deep.equal(['idle', 1, []]);
    });
  }

  it('stop() in an error listener leaves no event to emit', async () => {
    const { chat, told } = makeChat([status(500)], {}, { listener: once('type', stop) });
    expect((await chat.send('Hi')).status).to.equal('cancelled');
    expect(told.errors).to.deep.equal([]);
  });

  const rows = [
    { name: 'finds the event’s effect in the conversation already', answer: two, words: ['One.', 'One.Two.'] },
    {
      name: 'finds the text of the same read there too',
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

  it('gets no event after a stop, even if it had arrived', async () => {
    const { chat, told } = makeChat([stream(one + more)], {}, { listener: once('type', stop) });
    const answer = await chat.send('Hi');
    expect([answer.status, ...wordsOf(answer), told.events.length]).to.deep.equal(['cancelled', 'One.Two.', 1]);
  });
});

describe('a message listener of the page', () => {
  it('gets the message with its final status, also if nothing was accepted', async () => {
    const { chat, told } = makeChat([status(500)]);
    await chat.send('Hi');
    expect(told.messages.map((message) => message.status)).to.deep.equal(['failed', 'error']);
    expect(told.messages).to.deep.equal(chat.messages);
  });

  it('gets the same object that is in the conversation, and that send() resolves with', async () => {
    const listener = once('type', (chat) => chat.addMessage({ role: 'system', text: 'Note' }));
    const { chat, told } = makeChat([two], {}, { listener });
    const answer = await chat.send('Hi');
    expect(lines(chat)[1]).to.equal('system complete: Note');
    expect(answer).to.equal(chat.messages[2]);
    expect(told.messages[1]).to.equal(answer);
  });

  it('may send the next message', async () => {
    let next: Promise<ChatMessage> | undefined;
    const listener = once('role', (chat) => {
      next = chat.send('And?');
    });
    const { chat } = makeChat([status(500), stream(session('Well.'))], {}, { listener });
    await chat.send('Hi');
    expect((await next)?.status).to.equal('complete');
  });
});
