/** The next focused element when the focused control is removed: never the top of the page. */
import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import type { ScriptedAgent } from '../support/agent.ts';
import { button, find, has, inside, mount, wordsOf } from '../support/mount.ts';

interface Row {
  readonly name: string;
  readonly settings?: Parameters<typeof mount>[0];
  /** Brings the widget into the state in which the control is shown. */
  readonly before?: (chat: AgentChat, agent: ScriptedAgent) => Promise<unknown>;
  readonly control: string;
  /** The selector of the element that then has the focus. */
  readonly then: string;
}

const LIST = '[part="transcript"]';
const INPUT = '[part="input"]';

const answers = async (chat: AgentChat, agent: ScriptedAgent): Promise<void> => {
  const sent = chat.send('Hello');
  await agent.heard(1);
  agent.end('One.');
  await sent;
};
const rows: readonly Row[] = [
  { name: 'a starter', settings: { suggestions: ['Where is it?'] }, control: '.starter', then: LIST },
  { name: 'Regenerate', before: answers, control: 'button[aria-label="Regenerate"]', then: LIST },
  {
    name: 'Try again',
    before: async (chat, agent) => {
      const sent = chat.send('Hello');
      await agent.heard(1);
      agent.write('One.');
      agent.drop();
      await sent;
    },
    control: '[part~="block-error"] .button',
    then: LIST,
  },
  {
    name: 'a follow-up',
    before: async (chat) => {
      chat.messages = [
        { role: 'user', text: 'Hello' },
        { role: 'assistant', text: 'One.', suggestions: [{ label: 'More', prompt: 'More' }] },
      ];
      await chat.updateComplete;
    },
    control: '[part="suggestion"]',
    then: LIST,
  },
  {
    name: 'Stop',
    before: async (chat, agent) => {
      void chat.send('Hello');
      await agent.heard(1);
    },
    control: '[part="stop-button"]',
    then: INPUT,
  },
  {
    name: 'the button to the end',
    before: async (chat) => {
      chat.messages = Array.from({ length: 40 }, (_, index) => ({ role: 'assistant', text: `Line ${String(index)}` }));
      await inside(chat, 'agent-chat-message:nth-of-type(40) article');
      await waitUntil(() => find(chat, LIST).scrollTop > 0);
      // A late layout may scroll down once more.
      await waitUntil(() => {
        find(chat, LIST).scrollTop = 0;
        return has(chat, '[part="scroll-button"]');
      });
    },
    control: '[part="scroll-button"]',
    then: LIST,
  },
  {
    name: 'the dismissal of the teaser',
    settings: { mode: 'floating', teaser: 'Questions?' },
    control: '.teaser button',
    then: '[part="launcher"]',
  },
  {
    name: 'Send',
    before: async (chat) => {
      chat.setDraft('Hello');
      await waitUntil(() => has(chat, '[part="send-button"]:enabled'));
    },
    control: '[part="send-button"]',
    then: INPUT,
  },
];

describe('the focus', () => {
  for (const { name, settings, before, control, then } of rows) {
    it(`stays in the widget after ${name}`, async () => {
      const { chat, agent } = await mount(settings);
      await before?.(chat, agent);
      const pressed = await inside<HTMLButtonElement>(chat, control);
      pressed.focus();
      pressed.click();
      await waitUntil(() => !pressed.isConnected || pressed.disabled, 'the control goes');
      await waitUntil(() => find(chat, then).matches(':focus'), `${then} has the focus`);
    });
  }

  it('stays on the branch buttons as long as there is a further branch', async () => {
    const { chat, agent } = await mount();
    await answers(chat, agent);
    for (const [index, text] of ['Two.', 'Three.'].entries()) {
      const again = chat.regenerate();
      await agent.heard(index + 2);
      agent.end(text);
      await again;
    }
    await waitUntil(() => wordsOf(chat).includes('3/3'));
    for (const { at, then } of [
      { at: '2/3', then: 'Previous version' },
      { at: '1/3', then: 'Next version' },
    ]) {
      const previous = button(chat, 'Previous version');
      previous.focus();
      previous.click();
      await waitUntil(() => wordsOf(chat).includes(at));
      await waitUntil(() => button(chat, then).matches(':focus'), `${then} has the focus`);
    }
  });

  it('is visible below a sticky element at the top of the view', async () => {
    const { chat, agent } = await mount({ protocol: 'deepchat-events' });
    void chat.send('Hello');
    await agent.heard(1);
    const lines = Array.from(
      { length: 60 },
      (_, line) => `[Line ${String(line)}](https://a.example/${String(line)})\n\n`,
    );
    agent.say({ type: 'response', data: { eventId: 'reply', plan: [{ title: 'Look', state: 'active' }] } });
    agent.say({ type: 'response', data: { eventId: 'reply', content: lines.join('') } });
    await inside(chat, '.prose p:nth-of-type(30) a');
    const list = find(chat, LIST);
    list.scrollTop = list.scrollHeight;
    await waitUntil(() => list.scrollTop > 300);
    const plan = await inside(chat, '.plan-line.live');
    const links = [...chat.renderRoot.querySelectorAll<HTMLElement>('.prose a')];
    const above = links.findLast((link) => link.getBoundingClientRect().bottom < list.getBoundingClientRect().top);
    above?.focus();
    // WebKit scrolls later.
    await waitUntil(() => (above?.getBoundingClientRect().top ?? 0) >= plan.getBoundingClientRect().bottom);
    expect(plan.getBoundingClientRect().top).to.be.closeTo(list.getBoundingClientRect().top, 1);
    agent.hangUp();
  });

  it('outside the widget stays there', async () => {
    const { chat, agent } = await mount({ suggestions: ['Where is it?'] });
    const outside = await fixture<HTMLInputElement>(html`<input />`);
    const starter = find<HTMLButtonElement>(chat, '.starter');
    starter.focus();
    outside.focus();
    starter.click();
    await agent.heard(1);
    await waitUntil(() => !starter.isConnected);
    expect(outside.matches(':focus')).to.equal(true);
    chat.stop();
  });

  it('that the user has moved out of the widget by a click does not return', async () => {
    const { chat, agent } = await mount({ suggestions: ['Where is it?'] });
    const starter = find<HTMLButtonElement>(chat, '.starter');
    starter.focus();
    starter.blur();
    void chat.send('Hello');
    await agent.heard(1);
    await waitUntil(() => !starter.isConnected);
    await chat.updateComplete;
    expect(document.activeElement).to.equal(document.body);
    chat.stop();
  });

  it('stays on a control when nothing was sent', async () => {
    const { chat } = await mount({ suggestions: ['Where is it?'], endpoint: undefined });
    const starter = find<HTMLButtonElement>(chat, '.starter');
    starter.focus();
    starter.click();
    await inside(chat, '.problem');
    expect(starter.matches(':focus')).to.equal(true);
  });
});
