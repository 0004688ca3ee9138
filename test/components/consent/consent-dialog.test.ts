import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { find, has, inside, mount, type } from '../support/mount.ts';

const TERMS = 'What you write goes to **Acme**. See [how](https://acme.example/privacy).';
let users = 0;

/** A widget whose user has not accepted yet, and the events that the page gets. */
async function mountWithConsent(settings: Partial<AgentChat> = {}) {
  const mounted = await mount({ consent: TERMS, storage: { user: `consent ${String(++users)}` }, ...settings });
  const emitted: boolean[] = [];
  mounted.chat.addEventListener('agent-chat-consent', ({ detail }) => emitted.push(detail.accepted));
  return { ...mounted, emitted };
}

const press = async (chat: AgentChat, words: string): Promise<void> => {
  const dialog = await inside(chat, 'dialog.consent');
  [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === words)?.click();
  await waitUntil(() => !has(chat, 'dialog.consent'));
};
const enter = (chat: AgentChat, text: string): void => {
  type(chat, text).dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
};
const written = (chat: AgentChat): string => find<HTMLTextAreaElement>(chat, '[part="input"]').value;

describe('consent', () => {
  afterEach(() => {
    for (const name of Object.keys(localStorage)) if (name.includes('consent')) localStorage.removeItem(name);
  });

  it('is asked before the first message, which stays in the composer until then', async () => {
    const { chat, agent, emitted } = await mountWithConsent();
    enter(chat, 'Hello');
    const dialog = await inside<HTMLDialogElement>(chat, 'dialog.consent');
    expect([dialog.matches(':modal'), agent.requests.length, written(chat)]).to.deep.equal([true, 0, 'Hello']);
    expect(dialog.querySelector('strong')?.textContent).to.equal('Acme');
    expect(dialog.querySelector('a')?.href).to.equal('https://acme.example/privacy');
    await press(chat, 'Accept');
    await agent.heard(1);
    await waitUntil(() => written(chat) === '');
    expect(emitted).to.deep.equal([true]);
  });

  it('is asked in the user’s language, after its texts are loaded', async () => {
    const { chat } = await mountWithConsent({ locale: 'ko' });
    void chat.send('Hello');
    const dialog = await inside(chat, 'dialog.consent');
    expect(dialog.querySelector('h2')?.textContent).to.equal('보내기 전에');
    dialog.querySelector('button')?.click();
  });

  it('is asked with the terms for the receiver of the message, also if the page sets others while the dialog loads', async () => {
    const { chat, agent } = await mountWithConsent({ consent: 'To A' });
    void chat.send('Hello');
    Object.assign(chat, { endpoint: '/b', consent: 'To B' });
    const dialog = await inside(chat, 'dialog.consent');
    expect(dialog.textContent).to.contain('To A').and.not.to.contain('To B');
    dialog.querySelector('button')?.click();
    expect(agent.requests).to.have.length(0);
  });

  it('when it is declined nothing is sent, and nothing is lost', async () => {
    const { chat, agent, emitted } = await mountWithConsent();
    enter(chat, 'Hello');
    await press(chat, 'Not now');
    expect([agent.requests.length, written(chat), chat.messages.length]).to.deep.equal([0, 'Hello', 0]);
    expect(emitted).to.deep.equal([false]);
    enter(chat, 'Hello');
    await press(chat, 'Accept');
    await agent.heard(1);
  });

  it('is stored, also for the next widget, and asked again when its text changes', async () => {
    const { chat, agent } = await mountWithConsent();
    enter(chat, 'One');
    await press(chat, 'Accept');
    await agent.heard(1);
    agent.end('Yes');
    const { storage } = chat;
    const later = await mountWithConsent({ ...(storage && { storage }) });
    enter(later.chat, 'Two');
    await later.agent.heard(1);
    later.agent.end('Yes');
    expect(later.emitted).to.deep.equal([]);
    later.chat.consent = 'Other terms';
    enter(later.chat, 'Three');
    expect((await inside(later.chat, 'dialog.consent .prose')).textContent.trim()).to.equal('Other terms');
    await press(later.chat, 'Accept');
    await later.agent.heard(2);
  });

  it('is asked again for another text, even of the same length and 32-bit hash', async () => {
    const { chat, agent } = await mountWithConsent({ consent: 'Your messages go to Unfiuui.' });
    enter(chat, 'One');
    await press(chat, 'Accept');
    await agent.heard(1);
    agent.end('Yes');
    chat.consent = 'Your messages go to Pzyxedg.';
    enter(chat, 'Two');
    expect((await inside(chat, 'dialog.consent .prose')).textContent.trim()).to.equal('Your messages go to Pzyxedg.');
    await press(chat, 'Not now');
    expect(agent.requests).to.have.length(1);
  });

  it('is stored per user, and deleted by forget()', async () => {
    const { chat, agent } = await mountWithConsent();
    enter(chat, 'One');
    await press(chat, 'Accept');
    await agent.heard(1);
    agent.end('Yes');
    const other = await mountWithConsent();
    enter(other.chat, 'One');
    await press(other.chat, 'Not now');
    await chat.forget();
    enter(chat, 'Two');
    await press(chat, 'Not now');
    expect([agent.requests.length, other.agent.requests.length]).to.deep.equal([1, 0]);
  });

  it('is asked once for two waiting messages, also for those that the page sends', async () => {
    const { chat, agent, emitted } = await mountWithConsent();
    const replies = [chat.send('One'), chat.send('Two')];
    await inside(chat, 'dialog.consent');
    expect(chat.renderRoot.querySelectorAll('dialog.consent')).to.have.length(1);
    await press(chat, 'Not now');
    const sent = await Promise.all(replies);
    expect(sent.map(({ role, status }) => [role, status])).to.deep.equal([
      ['user', 'failed'],
      ['user', 'failed'],
    ]);
    expect([agent.requests.length, emitted]).to.deep.equal([0, [false]]);
  });

  it('is asked before an answer is regenerated', async () => {
    const { chat, agent } = await mountWithConsent();
    chat.messages = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hi' },
    ] as unknown as AgentChat['messages'];
    (await inside(chat, 'button[aria-label="Regenerate"]')).click();
    await press(chat, 'Not now');
    expect([agent.requests.length, chat.messages.length]).to.deep.equal([0, 2]);
  });
});
