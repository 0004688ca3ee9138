import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { find, has, inside, mount, type } from '../support/mount.ts';

const COMMANDS = [
  { name: 'summarise', description: 'In three sentences' },
  { name: 'translate', description: 'Into another language' },
  { name: 'resume' },
];

const input = (chat: AgentChat): HTMLTextAreaElement => find(chat, '[part="input"]');
const press = (chat: AgentChat, key: string): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  input(chat).dispatchEvent(event);
  return event;
};
const names = (chat: AgentChat): readonly (string | null | undefined)[] =>
  [...chat.renderRoot.querySelectorAll('.composer-menu b')].map(({ textContent }) => textContent);

describe('the popup of / and @', () => {
  it('is a list that works by keyboard and sends nothing', async () => {
    const { chat } = await mount({ commands: COMMANDS });
    type(chat, '/su');
    await inside(chat, '.composer-menu');
    expect(names(chat)).to.deep.equal(['/summarise', '/resume']);
    expect(input(chat).getAttribute('aria-activedescendant')).to.equal(find(chat, '[aria-selected="true"]').id);
    press(chat, 'ArrowDown');
    await waitUntil(() => find(chat, '[aria-selected="true"]').textContent.includes('resume'));
    expect(press(chat, 'Enter').defaultPrevented).to.equal(true);
    await waitUntil(() => !has(chat, '.composer-menu'));
    expect(input(chat).value).to.equal('/resume ');
    expect(chat.messages).to.deep.equal([]);
  });

  it('closes with Escape, and stays closed for that name', async () => {
    const { chat } = await mount({ commands: COMMANDS });
    type(chat, '/s');
    await inside(chat, '.composer-menu');
    press(chat, 'Escape');
    await waitUntil(() => !has(chat, '.composer-menu'));
    type(chat, '/su');
    // Offers are searched asynchronously and rendered after that.
    await nextFrame();
    await nextFrame();
    expect(has(chat, '.composer-menu')).to.equal(false);
    type(chat, '');
    type(chat, '/');
    await inside(chat, '.composer-menu');
  });

  it('inserts a name in the middle of a sentence by a click', async () => {
    const { chat } = await mount({ mentions: [{ name: 'anna' }] });
    const field = type(chat, 'ask @an please');
    field.setSelectionRange(7, 7);
    field.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const row = await inside(chat, '.composer-menu li');
    row.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, cancelable: true }));
    await waitUntil(() => input(chat).value === 'ask @anna please');
  });

  it('may use a search function, and ignores its late answers', async () => {
    const asked: string[] = [];
    const answers = new Map<string, (offers: { name: string }[]) => void>();
    const { chat } = await mount({
      mentions: (query, { signal }) =>
        new Promise((resolve) => {
          asked.push(query);
          answers.set(query, (offers) => {
            expect(signal.aborted).to.equal(query === 'a');
            resolve(offers);
          });
        }),
    });
    type(chat, '@a');
    await waitUntil(() => asked.length === 1);
    type(chat, '@an');
    await waitUntil(() => asked.length === 2);
    answers.get('an')?.([{ name: 'anna' }]);
    await inside(chat, '.composer-menu');
    answers.get('a')?.([{ name: 'adam' }]);
    await nextFrame();
    await nextFrame();
    expect(names(chat)).to.deep.equal(['@anna']);
  });

  it('offers nothing when the search fails', async () => {
    const { chat } = await mount({ mentions: () => Promise.reject(new Error('down')), commands: COMMANDS });
    type(chat, '@a');
    type(chat, '/');
    await inside(chat, '.composer-menu');
    expect(names(chat)).to.have.length(3);
  });

  it('leaves / and @ as text on a page without commands and mentions', async () => {
    const { chat, agent } = await mount();
    type(chat, '/help');
    await chat.updateComplete;
    press(chat, 'Enter');
    await agent.heard(1);
    agent.end('Help.');
  });
});

describe('the model picker', () => {
  const models = [
    { id: 'small', label: 'Small' },
    { id: 'large', label: 'Large' },
  ];

  it('sets `model`, and shows the chosen one', async () => {
    const { chat } = await mount({ models, model: 'large' });
    const picker = await inside<HTMLSelectElement>(chat, '.model-picker');
    expect(picker.value).to.equal('large');
    picker.value = 'small';
    picker.dispatchEvent(new Event('change'));
    expect(chat.model).to.equal('small');
  });

  it('is hidden for a single model', async () => {
    const { chat } = await mount({ models: models.slice(0, 1) });
    expect(has(chat, '.model-picker')).to.equal(false);
  });
});
