import { aTimeout, expect, nextFrame, waitUntil } from '@open-wc/testing';
import type { AgentChat, MessageInput } from '../../../src/index.ts';
import { replaying } from '../../runtime/support/wire-agent.ts';
import { button, find, has, inside, mount, type } from '../support/mount.ts';

/** A speech recogniser under the test's control, instead of the browser's. */
class Recogniser extends EventTarget {
  static last: Recogniser | undefined;
  lang = '';
  stopped = false;
  constructor() {
    super();
    Recogniser.last = this;
  }
  start(): void {
    this.stopped = false;
  }
  stop(): void {
    this.stopped = true;
    this.dispatchEvent(new Event('end'));
  }
  hear(...words: readonly string[]): void {
    const results = words.map((transcript) => Object.assign([{ transcript }], { isFinal: true }));
    this.dispatchEvent(Object.assign(new Event('result'), { results }));
  }
  fail(error: string): void {
    this.dispatchEvent(Object.assign(new Event('error'), { error }));
    this.dispatchEvent(new Event('end'));
  }
}

describe('dictation', () => {
  const browsers = Reflect.get(globalThis, 'webkitSpeechRecognition') as unknown;
  before(() => {
    Reflect.set(globalThis, 'SpeechRecognition', Recogniser);
  });
  after(() => {
    Reflect.deleteProperty(globalThis, 'SpeechRecognition');
    expect(Reflect.get(globalThis, 'webkitSpeechRecognition')).to.equal(browsers);
  });

  it('appends the spoken text to the draft, and sends nothing', async () => {
    const { chat } = await mount({ voice: 'input' });
    await inside(chat, '[aria-label="Dictate"]');
    type(chat, 'Dear');
    button(chat, 'Dictate').click();
    Recogniser.last?.hear(' Anna,', ' how are you');
    const input = find<HTMLTextAreaElement>(chat, '[part="input"]');
    await waitUntil(() => input.value === 'Dear Anna, how are you');
    expect(Recogniser.last?.lang).to.equal('en');
    button(chat, 'Stop dictation').click();
    expect(Recogniser.last?.stopped).to.equal(true);
    await inside(chat, '[aria-label="Dictate"]');
    expect(chat.messages).to.deep.equal([]);
  });

  it('ends when the message is sent, and ignores late results', async () => {
    const { chat, agent } = await mount({ voice: 'input' });
    (await inside(chat, '[aria-label="Dictate"]')).click();
    Recogniser.last?.hear('Hello');
    const input = find<HTMLTextAreaElement>(chat, '[part="input"]');
    await waitUntil(() => input.value === 'Hello');
    find<HTMLButtonElement>(chat, '[part="send-button"]').click();
    await agent.heard(1);
    Recogniser.last?.hear('Hello', ' there');
    expect(Recogniser.last?.stopped).to.equal(true);
    agent.end('Hi.');
    await waitUntil(() => chat.status === 'idle');
    expect(input.value).to.equal('');
  });

  describe('rule 101: while the agent asks', () => {
    const ask = async (chat: AgentChat): Promise<void> => {
      const extra = { requestId: 'q1' };
      const question = { type: 'action', status: 'pending', action_type: 'question', content: 'Delete all?', extra };
      chat.messages = [
        { role: 'user', text: 'Hello' },
        { role: 'assistant', status: 'streaming', finish: 'tool_use', blocks: [question] },
      ] as MessageInput[];
      await waitUntil(() => chat.status === 'awaiting-action');
      await inside(chat, '.ask');
      for (let frame = 0; frame < 5; frame++) await nextFrame();
    };
    const dictate = async (chat: AgentChat): Promise<void> => {
      (await inside(chat, '[aria-label="Dictate"]')).click();
      await inside(chat, '[aria-label="Stop dictation"]');
      for (let frame = 0; frame < 5; frame++) await nextFrame();
    };
    const sendSpoken = async (chat: AgentChat): Promise<void> => {
      Recogniser.last?.hear('Yes, do');
      await waitUntil(() => find<HTMLTextAreaElement>(chat, '[part="input"]').value === 'Yes, do');
      find<HTMLButtonElement>(chat, '[part="send-button"]').click();
    };

    it('what the user began to say before answers no question', async () => {
      const { chat, agent } = await mount({ protocol: replaying, voice: 'input' });
      await dictate(chat);
      await ask(chat);
      await sendSpoken(chat);
      await waitUntil(() => chat.messages.at(-1)?.status === 'queued');
      expect(agent.requests).to.deep.equal([]);
    });

    it('what the user began to say after the question answers it', async () => {
      const { chat, agent } = await mount({ protocol: replaying, voice: 'input' });
      await ask(chat);
      await dictate(chat);
      await sendSpoken(chat);
      await agent.heard(1);
      expect(chat.messages.at(-1)?.status).not.to.equal('queued');
    });

    it('what is typed after a dictation without words answers it', async () => {
      const { chat, agent } = await mount({ protocol: replaying, voice: 'input' });
      await dictate(chat);
      button(chat, 'Stop dictation').click();
      await inside(chat, '[aria-label="Dictate"]');
      await ask(chat);
      type(chat, 'Yes');
      await chat.updateComplete;
      find<HTMLButtonElement>(chat, '[part="send-button"]').click();
      await agent.heard(1);
    });
  });

  it('shows why it can’t listen', async () => {
    const { chat } = await mount({ voice: 'both' });
    (await inside(chat, '[aria-label="Dictate"]')).click();
    Recogniser.last?.fail('not-allowed');
    expect((await inside(chat, '.composer-line')).textContent).to.equal('Microphone access is blocked.');
  });

  it('is hidden unless the page enables it', async () => {
    const { chat } = await mount({ voice: 'output' });
    await chat.updateComplete;
    expect(has(chat, 'agent-chat-dictation')).to.equal(false);
  });
});

describe('reading aloud', () => {
  it('is a button of each answer; its text is read without Markdown marks', async () => {
    const utterances: string[] = [];
    const speak = speechSynthesis.speak.bind(speechSynthesis);
    Object.assign(speechSynthesis, {
      speak: (utterance: SpeechSynthesisUtterance) => {
        utterances.push(utterance.text);
      },
    });
    const { chat } = await mount({ voice: 'output' });
    chat.messages = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: '**Hello** [there](https://example.com), 3~5 days\n\n```\ncode\n```' },
    ] as unknown as typeof chat.messages;
    (await inside(chat, '[aria-label="Read aloud"]')).click();
    expect(utterances).to.deep.equal(['Hello there, 3~5 days']);
    await inside(chat, '[aria-label="Stop reading"]');
    button(chat, 'Stop reading').click();
    await inside(chat, '[aria-label="Read aloud"]');
    expect(chat.renderRoot.querySelectorAll('agent-chat-speak')).to.have.length(1);
    Object.assign(speechSynthesis, { speak });
  });

  it('is over at once if an answer has no words', async () => {
    const { chat } = await mount({ voice: 'output' });
    chat.messages = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: '```\ncode\n```' },
    ] as unknown as typeof chat.messages;
    const toggle = await inside(chat, '[aria-label="Read aloud"]');
    toggle.click();
    await aTimeout(50);
    expect(toggle.getAttribute('aria-pressed')).to.equal('false');
  });
});
