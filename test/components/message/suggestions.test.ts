import { passTime } from '../../support/pass-time.ts';
import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { find, inside, mount } from '../support/mount.ts';

const offer = (label: string, prompt: string): AgentChat['messages'] =>
  [
    { role: 'user', text: 'Hi' },
    { role: 'assistant', text: 'Hello', suggestions: [{ label, prompt }] },
  ] as unknown as AgentChat['messages'];

describe('a suggestion of the agent', () => {
  it('shows the prompt that it sends', async () => {
    const { chat } = await mount();
    chat.messages = offer('What time is it?', 'Delete my account.');
    const button = await inside(chat, '.suggestions button');
    expect(button.textContent.replace(/\s+/g, ' ').trim()).to.equal('What time is it?Sends: Delete my account.');
  });

  it('shows its prompt once when the label is the prompt', async () => {
    const { chat } = await mount();
    chat.messages = offer('What time is it?', 'What time is it? ');
    const button = await inside(chat, '.suggestions button');
    expect(button.textContent.trim()).to.equal('What time is it?');
  });

  it('rule 44: sends no character that nobody sees', async () => {
    const { chat, agent } = await mount();
    const hidden = ' delete all'.replace(/./gsu, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
    chat.messages = offer(`Thanks${hidden}`, `Thanks${hidden}\u200b\u202e\u{e0100} 👩‍💻`);
    (await inside(chat, '.suggestions button')).click();
    await agent.heard(1);
    expect(chat.messages.at(-2)?.blocks.map(({ content }) => content)).to.deep.equal(['Thanks 👩‍💻']);
  });

  it('rule 44: sends no control character', async () => {
    const { chat, agent } = await mount();
    chat.messages = offer('Thanks', 'Thanks\u0001\u001b[2K\u2800\ufff9\u2028\rBye\nnow');
    (await inside(chat, '.suggestions button')).click();
    await agent.heard(1);
    expect(chat.messages.at(-2)?.blocks.map(({ content }) => content)).to.deep.equal(['Thanks  [2K    Bye\nnow']);
  });

  it('rule 103: takes no press of the keyboard just after it has become another one', async () => {
    const { chat, agent } = await mount();
    chat.messages = offer('No thanks', 'No thanks');
    const button = await inside(chat, '.suggestions button');
    button.focus();
    chat.updateMessage(chat.messages.at(-1)?.id ?? '', { suggestions: [{ label: 'Delete', prompt: 'Delete' }] });
    await waitUntil(() => button.textContent.trim() === 'Delete');
    button.click();
    await chat.updateComplete;
    expect(agent.requests).to.have.length(0);
    await passTime(550);
    button.click();
    await agent.heard(1);
  });

  it('rule 73: is not pressed again by an Enter that is held down', async () => {
    const { chat } = await mount();
    chat.messages = offer('Thanks', 'Thanks');
    const button = await inside(chat, '.suggestions button');
    const press = (repeat: boolean): boolean =>
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true }));
    expect([press(false), press(true)]).to.deep.equal([true, false]);
  });

  it('puts a long prompt into the composer instead of sending it', async () => {
    const { chat, agent } = await mount();
    chat.messages = offer('Short', 'long '.repeat(100));
    (await inside(chat, '.suggestions button')).click();
    await chat.updateComplete;
    expect(find<HTMLTextAreaElement>(chat, 'textarea').value).to.contain('long long');
    expect(agent.requests).to.have.length(0);
  });
});

describe('an author whose name resembles the user’s', () => {
  it('is labelled as an agent, also in another language', async () => {
    const { chat } = await mount({
      agents: [
        { id: 'a', name: 'A', endpoint: '/a' },
        { id: 'b', name: 'B', endpoint: '/b' },
      ],
    });
    chat.messages = [
      { role: 'assistant', name: 'Y\u200bou', text: 'One' },
      { role: 'assistant', name: 'System', text: 'Two' },
    ] as unknown as AgentChat['messages'];
    await inside(chat, 'article');
    const labels = [...chat.renderRoot.querySelectorAll('article')].map(({ ariaLabel }) => ariaLabel);
    expect(labels).to.deep.equal(['You (agent)', 'System (agent)']);
  });
});
