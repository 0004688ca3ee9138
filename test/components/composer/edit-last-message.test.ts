import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { find, has, inside, mount } from '../support/mount.ts';

async function sent(settings: Partial<AgentChat> = {}) {
  const { chat, agent } = await mount(settings);
  chat.messages = [
    { role: 'user', text: 'First' },
    { role: 'assistant', text: 'One' },
    { role: 'user', text: 'Last' },
    { role: 'assistant', text: 'Two' },
  ] as unknown as AgentChat['messages'];
  await inside(chat, 'agent-chat-message .toolbar button');
  return { chat, agent, input: find<HTMLTextAreaElement>(chat, '[part="input"]') };
}
const up = (input: HTMLTextAreaElement): boolean =>
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true, cancelable: true }));
const OFFER = '.composer-line .link';

describe('arrow up in the empty composer', () => {
  it('recalls the last sent message, and offers to edit that message instead', async () => {
    const { chat, agent, input } = await sent();
    up(input);
    const offer = await inside(chat, OFFER);
    expect([input.value, offer.textContent]).to.deep.equal(['Last', 'Edit that message instead']);
    offer.click();
    const editor = await inside<HTMLTextAreaElement>(chat, '.editor textarea');
    expect([editor.value, input.value, has(chat, OFFER)]).to.deep.equal(['Last', '', false]);
    await waitUntil(() => chat.shadowRoot?.activeElement === editor);
    editor.value = 'Last, but better';
    editor.form?.requestSubmit();
    await agent.heard(1);
    expect(chat.messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'user', 'assistant']);
  });

  it('does not offer it for older messages, or after a change of the text', async () => {
    const { chat, input } = await sent();
    up(input);
    await inside(chat, OFFER);
    up(input);
    await waitUntil(() => input.value === 'First');
    expect(has(chat, OFFER)).to.equal(false);
    input.value = '';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    up(input);
    await inside(chat, OFFER);
    input.value = 'Last!';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await waitUntil(() => !has(chat, OFFER));
  });

  it('skips messages without text and hidden ones, which have no editor', async () => {
    const { chat, input } = await sent();
    const file = { kind: 'file', name: 'a.txt', data: btoa('a'), mimeType: 'text/plain' };
    chat.messages = [
      { role: 'user', text: 'First' },
      { role: 'user', attachments: [file] },
      { role: 'user', text: 'Last' },
      { role: 'user', attachments: [file] },
      { role: 'user', text: 'Secret', metadata: { hidden: true } },
      { role: 'assistant', text: 'Two' },
    ] as unknown as AgentChat['messages'];
    await chat.updateComplete;
    up(input);
    await waitUntil(() => input.value === 'Last');
    up(input);
    await waitUntil(() => input.value === 'First');
    input.value = '';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    up(input);
    (await inside(chat, OFFER)).click();
    expect((await inside<HTMLTextAreaElement>(chat, '.editor textarea')).value).to.equal('Last');
  });

  it('does not offer it when editing is switched off', async () => {
    const { chat, input } = await sent({ without: 'edit' });
    up(input);
    await waitUntil(() => input.value === 'Last');
    expect(has(chat, OFFER)).to.equal(false);
  });
});
