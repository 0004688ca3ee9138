import { expect } from '@open-wc/testing';
import type { LLMAgentEvent } from '../../src/model/agent-events.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import type { Chat } from '../../src/runtime/chat.ts';
import { settled } from '../support/fake-delay.ts';
import { lines, makeChat, wordsOf } from './support/make-chat.ts';
import { session, status, stream } from './support/scripted-server.ts';

const two = stream(session('One.', false) + session('Two.'));

/** Does something once, when the first thing of that kind is told. */
const once = (kind: 'type' | 'role', act: (chat: Chat) => void) => {
  let done = false;
  return (chat: Chat, heard: LLMAgentEvent | ChatMessage): void => {
    if (done || !(kind in heard)) return;
    done = true;
    act(chat);
  };
};

describe('a page that hears of an event', () => {
  const acts: readonly {
    readonly name: string;
    readonly act: (chat: Chat) => void;
    readonly left: readonly string[];
  }[] = [
    {
      name: 'stop()',
      act: (chat) => {
        chat.stop();
      },
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
    const { chat, told } = makeChat(
      [status(500)],
      {},
      {
        listener: once('type', (chat) => {
          chat.stop();
        }),
      },
    );
    expect((await chat.send('Hi')).status).to.equal('cancelled');
    expect(told.errors).to.deep.equal([]);
  });

  it('finds it in the conversation already', async () => {
    const seen: unknown[] = [];
    const listener = (chat: Chat, heard: LLMAgentEvent | ChatMessage): void => {
      if ('type' in heard && heard.type === 'response' && heard.data.content) {
        seen.push([chat.status, ...chat.messages.slice(1).flatMap(wordsOf)]);
      }
    };
    await makeChat([two], {}, { listener }).chat.send('Hi');
    expect(seen).to.deep.equal([
      ['streaming', 'One.'],
      ['streaming', 'One.Two.'],
    ]);
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
