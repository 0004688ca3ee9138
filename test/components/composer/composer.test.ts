import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { AgentChatComposer } from '../../../src/components/composer/composer.ts';
import type { ComposerController } from '../../../src/components/composer/composer-controller.ts';
import { define, type AgentChat } from '../../../src/define.ts';
import { createLocalize } from '../../../src/locales/localize.ts';
import { conversation } from '../../support/messages.ts';
import { inside, mount as mountChat, type } from '../support/mount.ts';

define();

async function mount(settings: Partial<AgentChatComposer> = {}): Promise<{
  readonly composer: AgentChatComposer;
  readonly input: HTMLTextAreaElement;
  readonly sent: readonly string[];
}> {
  const sent: string[] = [];
  const composer = await fixture<AgentChatComposer>(
    html`<agent-chat-composer
      .localize=${createLocalize('en')}
      .submitKey=${'auto'}
      .sent=${() => []}
      .models=${[]}
    ></agent-chat-composer>`,
  );
  composer.addEventListener('agent-chat-submit', (event) => {
    sent.push((event as Event & { readonly text: string }).text);
  });
  Object.assign(composer, settings);
  await composer.updateComplete;
  const input = composer.querySelector('textarea');
  if (!input) throw new Error('There is no text field.');
  return { composer, input, sent };
}

async function write(composer: AgentChatComposer, input: HTMLTextAreaElement, text: string): Promise<void> {
  input.value = text;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await composer.updateComplete;
}

const press = (input: HTMLTextAreaElement, init: KeyboardEventInit = {}): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init });
  input.dispatchEvent(event);
  return event;
};

describe('the composer', () => {
  it('sends trimmed text with Enter', async () => {
    const { composer, input, sent } = await mount();
    await write(composer, input, '  Hello \n');
    expect(press(input).defaultPrevented).to.equal(true);
    expect(sent).to.deep.equal(['Hello']);
  });

  it('inserts a line break with Shift+Enter', async () => {
    const { composer, input, sent } = await mount();
    await write(composer, input, 'Hello');
    expect(press(input, { shiftKey: true }).defaultPrevented).to.equal(false);
    expect(sent).to.deep.equal([]);
  });

  for (const [name, init] of [
    ['while an input method composes', { isComposing: true }],
    ['that ends a composition in Safari, which reports it only by the old key code', { keyCode: 229 }],
  ] as const) {
    it(`an Enter ${name} sends nothing`, async () => {
      const { composer, input, sent } = await mount();
      await write(composer, input, 'こんにちは');
      expect(press(input, init).defaultPrevented).to.equal(false);
      expect(sent).to.deep.equal([]);
    });
  }

  it('with submit-key="mod-enter" Enter inserts a line break, and Control or Command with Enter sends', async () => {
    const { composer, input, sent } = await mount({ submitKey: 'mod-enter' });
    await write(composer, input, 'Hello');
    expect(press(input).defaultPrevented).to.equal(false);
    press(input, { ctrlKey: true });
    press(input, { metaKey: true });
    expect(sent).to.deep.equal(['Hello', 'Hello']);
    // Not every engine has the property.
    expect(input.getAttribute('enterkeyhint')).to.equal('enter');
  });

  it('enables the send button for text, not for blanks', async () => {
    const { composer, input, sent } = await mount();
    const send = (): HTMLButtonElement | null => composer.querySelector('[part="send-button"]');
    expect(send()?.disabled).to.equal(true);
    await write(composer, input, '   ');
    expect(send()?.disabled).to.equal(true);
    press(input);
    await write(composer, input, 'Hello');
    expect(send()?.disabled).to.equal(false);
    send()?.click();
    expect(sent).to.deep.equal(['Hello']);
  });

  it('offers to stop a running reply, and queues text', async () => {
    const { composer, input, sent } = await mount({ busy: true });
    let stopped = 0;
    composer.addEventListener('agent-chat-stop', () => stopped++);
    expect(composer.querySelector('[part="send-button"]')).to.equal(null);
    composer.querySelector<HTMLButtonElement>('[part="stop-button"]')?.click();
    expect(stopped).to.equal(1);
    await write(composer, input, 'And then?');
    expect(composer.querySelector('[part="send-button"]')?.getAttribute('aria-label')).to.equal(
      'Send when the answer is complete',
    );
    press(input);
    expect(sent).to.deep.equal(['And then?']);
  });

  it('rule 96: the second press of a double-click on the send button does not stop the reply', async () => {
    const { chat, agent } = await mountChat();
    type(chat, 'Hello');
    await chat.updateComplete;
    const press = async (part: string, detail: number): Promise<void> => {
      await waitUntil(() => chat.renderRoot.querySelector(`[part="${part}"]`) !== null);
      const button = chat.renderRoot.querySelector(`[part="${part}"]`);
      button?.dispatchEvent(new MouseEvent('click', { detail, bubbles: true, composed: true, cancelable: true }));
      await chat.updateComplete;
    };
    await waitUntil(() => chat.renderRoot.querySelector('[part="send-button"]:not([disabled])') !== null);
    await press('send-button', 1);
    await press('stop-button', 2);
    await agent.heard(1);
    expect(['connecting', 'streaming']).to.include(chat.status);
    await press('stop-button', 1);
    expect(chat.messages.at(-1)?.status).to.equal('cancelled');
  });

  it('recalls sent messages with arrow up, but not over unsent text', async () => {
    const { composer, input } = await mount({ sent: () => ['First', 'Second'] });
    const recalled = async (key: string): Promise<string> => {
      press(input, { key });
      await composer.updateComplete;
      return input.value;
    };
    expect(await recalled('ArrowUp')).to.equal('Second');
    expect(await recalled('ArrowUp')).to.equal('First');
    expect(await recalled('ArrowUp'), 'there is nothing older').to.equal('First');
    expect(await recalled('ArrowDown')).to.equal('Second');
    await write(composer, input, 'Second, but better');
    expect(await recalled('ArrowUp')).to.equal('Second, but better');
    await write(composer, input, '');
    expect(await recalled('ArrowDown')).to.equal('');
    expect(await recalled('ArrowUp')).to.equal('Second');
    expect(await recalled('ArrowDown')).to.equal('');
  });

  it('sends nothing while it is disabled or read-only', async () => {
    for (const setting of ['disabled', 'readonly'] as const) {
      const { composer, input, sent } = await mount({ [setting]: true });
      await write(composer, input, 'Hello');
      press(input);
      expect(sent, setting).to.deep.equal([]);
    }
  });

  it('grows with its text, up to a maximum height', async () => {
    const { chat } = await mountChat();
    const input = type(chat, '');
    const low = input.clientHeight;
    type(chat, 'One\ntwo\nthree\nfour');
    await waitUntil(() => input.clientHeight > low);
    type(chat, 'line\n'.repeat(200));
    await waitUntil(() => input.scrollHeight > input.clientHeight);
    expect(input.clientHeight).to.be.lessThan(chat.clientHeight / 2);
  });
});

describe('the disclaimer', () => {
  for (const width of [280, 320, 359, 600])
    it(`is visible in a widget of ${String(width)} px`, async () => {
      const { chat } = await mountChat({ disclaimer: 'Answers may be wrong.' });
      chat.style.inlineSize = `${String(width)}px`;
      await chat.updateComplete;
      const line = chat.renderRoot.querySelector('.disclaimer');
      expect(line?.textContent).to.equal('Answers may be wrong.');
      expect(line?.checkVisibility()).to.equal(true);
      expect(line?.getBoundingClientRect().height).to.be.above(8);
    });
});

describe('rule 101: a draft and a question that comes later', () => {
  const question = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    {
      type: 'RUN_FINISHED',
      threadId: 't',
      runId: 'r',
      outcome: { type: 'interrupt', interrupts: [{ id: 'q', reason: 'input_required', message: 'Which folder?' }] },
    },
  ];
  const draftOf = (chat: AgentChat) => (chat as unknown as { composerArea: ComposerController }).composerArea;
  for (const [name, put, status] of [
    [
      'that was stored is no answer',
      (chat: AgentChat): void => {
        draftOf(chat).setText('My papers');
      },
      'queued',
    ],
    [
      'that returns from the queue is no answer',
      (chat: AgentChat): void => {
        for (const message of conversation({ role: 'user', text: 'My papers' })) draftOf(chat).restoreDraft(message);
      },
      'queued',
    ],
    ['that is typed after the question is the answer', (chat: AgentChat) => type(chat, 'My papers'), undefined],
  ] as const)
    it(name, async () => {
      const { chat, agent } = await mountChat({ protocol: 'ag-ui' });
      void chat.send('Wipe a folder');
      await agent.heard(1);
      agent.say(...(question as never[]));
      agent.hangUp();
      await waitUntil(() => chat.status === 'awaiting-action');
      // Only what is typed while the question is in view answers it.
      await inside(chat, '.ask');
      put(chat);
      await chat.updateComplete;
      press(chat.renderRoot.querySelector('textarea')!);
      if (status) await waitUntil(() => chat.messages.at(-1)?.status === status);
      else await agent.heard(2);
      chat.stop();
    });
});
