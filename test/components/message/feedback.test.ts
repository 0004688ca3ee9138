import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { feedbackOf } from '../../../src/model/feedback.ts';
import { button, find, has, inside, mount, next } from '../support/mount.ts';

/** A widget with an answer, and the feedback events that the page gets. */
async function answered(feedback: AgentChat['feedback'], settings: Partial<AgentChat> = {}) {
  const { chat } = await mount({ ...(feedback !== undefined && { feedback }), ...settings });
  chat.messages = [
    { role: 'user', text: 'Hello' },
    { role: 'assistant', text: 'Hi there' },
  ] as unknown as AgentChat['messages'];
  await inside(chat, 'agent-chat-message .toolbar [part="toolbar-button"]');
  const emitted: unknown[] = [];
  chat.addEventListener('agent-chat-feedback', ({ detail: { message, ...rest } }) => {
    emitted.push({ role: message.role, ...rest });
  });
  return { chat, emitted };
}

const pressed = (chat: AgentChat): readonly (string | null)[] =>
  ['Good answer', 'Bad answer'].map((label) => button(chat, label).getAttribute('aria-pressed'));
const given = ({ messages }: AgentChat) => {
  const last = messages.at(-1);
  return last && feedbackOf(last);
};

describe('feedback', () => {
  it('is offered when the page enables it, for answers only', async () => {
    const { chat } = await answered(undefined);
    expect(has(chat, 'agent-chat-feedback')).to.equal(false);
    chat.feedback = 'thumbs';
    await inside(chat, 'agent-chat-feedback button');
    expect(chat.renderRoot.querySelectorAll('agent-chat-feedback')).to.have.length(1);
  });

  it('is emitted to the page, stored in the message, and withdrawn by a second click', async () => {
    const { chat, emitted } = await answered('thumbs');
    await inside(chat, 'agent-chat-feedback button');
    expect(pressed(chat)).to.deep.equal(['false', 'false']);
    button(chat, 'Good answer').click();
    await waitUntil(() => pressed(chat)[0] === 'true');
    expect(given(chat)).to.deep.equal({ value: 'up' });
    expect(find(chat, '.feedback-thanks').textContent).to.equal('Thank you.');
    expect(has(chat, '.feedback-form')).to.equal(false);
    button(chat, 'Bad answer').click();
    await waitUntil(() => pressed(chat).join() === 'false,true');
    button(chat, 'Bad answer').click();
    await waitUntil(() => pressed(chat).join() === 'false,false');
    expect(emitted).to.deep.equal([
      { role: 'assistant', value: 'up' },
      { role: 'assistant', value: 'down' },
      { role: 'assistant', value: null },
    ]);
    expect(given(chat)).to.equal(undefined);
  });

  it('has a reason with `comment`: buttons and a text field', async () => {
    const { chat, emitted } = await answered('comment');
    await inside(chat, 'agent-chat-feedback button');
    button(chat, 'Bad answer').click();
    const form = await inside<HTMLFormElement>(chat, '.feedback-form');
    const reason = [...form.querySelectorAll('label')].find(({ textContent }) => textContent === 'Incorrect');
    reason?.click();
    const words = find<HTMLTextAreaElement>(chat, '.feedback-form textarea');
    words.value = ' It was Tuesday. ';
    form.requestSubmit();
    await waitUntil(() => !has(chat, '.feedback-form'));
    expect(emitted).to.deep.equal([
      { role: 'assistant', value: 'down' },
      { role: 'assistant', value: 'down', comment: 'Incorrect\nIt was Tuesday.' },
    ]);
    expect(given(chat)).to.deep.equal({ value: 'down', comment: 'Incorrect\nIt was Tuesday.' });
    await waitUntil(() => (chat.shadowRoot?.activeElement ?? null) === button(chat, 'Bad answer'));
  });

  it('counts without a reason too, and Escape closes the form without stopping the reply', async () => {
    const { chat, emitted } = await answered('comment');
    await inside(chat, 'agent-chat-feedback button');
    button(chat, 'Good answer').click();
    const words = await inside(chat, '.feedback-form textarea');
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, composed: true });
    words.dispatchEvent(escape);
    await waitUntil(() => !has(chat, '.feedback-form'));
    expect([escape.defaultPrevented, given(chat)]).to.deep.equal([true, { value: 'up' }]);
    expect(emitted).to.have.length(1);
  });

  it('keeps a comment at the first Escape, which leaves its field', async () => {
    const { chat } = await answered('comment');
    await inside(chat, 'agent-chat-feedback button');
    button(chat, 'Good answer').click();
    const words = await inside<HTMLTextAreaElement>(chat, '.feedback-form textarea');
    words.focus();
    words.value = 'It was Tuesday.';
    const press = (target: Element): boolean =>
      target.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, composed: true }),
      );
    press(words);
    await chat.updateComplete;
    expect(words.isConnected).to.equal(true);
    press(find(chat, '.feedback-form'));
    await waitUntil(() => !has(chat, '.feedback-form'));
  });

  it('is restored with its messages', async () => {
    const { chat } = await answered('thumbs');
    chat.messages = [
      { role: 'assistant', text: 'Hi', metadata: { feedback: { value: 'down' } } },
    ] as unknown as AgentChat['messages'];
    await inside(chat, 'agent-chat-feedback [aria-pressed="true"]');
    expect(pressed(chat)).to.deep.equal(['false', 'true']);
  });

  it('is withdrawn with an error when the server rejects it', async () => {
    const { chat } = await answered('thumbs', {
      protocol: {
        id: 'rated',
        request: (_turn, { url }) => ({ url, init: {} }),
        async *decode() {
          yield await Promise.resolve([]);
        },
        feedback: (_given, _turn, { url }) => ({ url: `${url}/feedback`, init: { body: {} } }),
      },
      fetch: () => Promise.resolve(new Response('No', { status: 403 })),
    });
    await inside(chat, 'agent-chat-feedback button');
    const feedbackEvent = next(chat, 'agent-chat-feedback');
    button(chat, 'Good answer').click();
    await feedbackEvent;
    await inside(chat, '.problem');
    await waitUntil(() => pressed(chat).join() === 'false,false');
  });
});
