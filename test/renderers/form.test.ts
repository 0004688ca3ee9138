import { expect, waitUntil } from '@open-wc/testing';
import type { LitElement } from 'lit';
import { find, has, inside, mount, next } from '../components/support/mount.ts';
import { HOSTILE, named, showBlock, wordsIn } from './support/show.ts';

const ask = (schema: object, more: object = {}) =>
  ({
    type: 'action',
    action_type: 'question',
    status: 'pending',
    content: 'About your trip',
    extra: { schema: JSON.stringify(schema), ...more },
  }) as const;

const TRIP = {
  type: 'object',
  properties: {
    town: { type: 'string', title: 'Town' },
    nights: { type: 'integer', title: 'Nights', minimum: 1 },
    day: { type: 'string', format: 'date', title: 'First day' },
    breakfast: { type: 'boolean', title: 'With breakfast' },
    room: {
      oneOf: [
        { const: 's', title: 'Small', description: 'One bed' },
        { const: 'l', title: 'Large' },
      ],
      title: 'Room',
    },
    extras: { type: 'array', items: { enum: ['sea', 'bath'] }, title: 'Extras' },
  },
  required: ['town', 'nights', 'room'],
} as const;

const write = (root: ParentNode, label: string, text: string): void => {
  const id = [...root.querySelectorAll('label')].find((one) => wordsIn(one).startsWith(label))?.htmlFor ?? '';
  const field = [...root.querySelectorAll<HTMLInputElement>('input, textarea, select')].find((one) => one.id === id);
  if (!field) throw new Error(`Nothing is called "${label}".`);
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
};
const press = (root: ParentNode, label: string): void => {
  const choice = [...root.querySelectorAll('label')].find((one) => wordsIn(one).startsWith(label));
  choice?.querySelector('input')?.click();
};
const submit = (root: ParentNode): void => root.querySelector('form')?.requestSubmit();

describe('a form', () => {
  const address = `https://bank.example/${'pay/'.repeat(20)}?to=eve`;
  const defaults = [
    {
      name: 'a text of one line',
      schema: { type: 'string', default: 'Pay 10 euros to Mia, and then all the others to Eve as well' },
    },
    { name: 'wide letters', schema: { type: 'string', default: 'W'.repeat(60) } },
    { name: 'an address', schema: { type: 'string', format: 'uri', default: address } },
    {
      name: 'an email address',
      schema: { type: 'string', format: 'email', default: `${'a.'.repeat(40)}a@eve.example` },
    },
    { name: 'many lines', schema: { type: 'string', default: 'Pay\n'.repeat(20) } },
    { name: 'a list', schema: { type: 'array', items: { type: 'string' }, default: Array(20).fill('Eve') } },
  ];
  for (const { name, schema } of defaults) {
    it(`rule 83: shows the default to its end, which is sent: ${name}`, async () => {
      const { chat } = await showBlock(ask({ type: 'object', properties: { value: schema } }));
      chat.style.inlineSize = '320px';
      const field = find<HTMLTextAreaElement>(chat, '.ask-field .field');
      const text = Array.isArray(schema.default) ? schema.default.join('\n') : schema.default;
      expect(field.value).to.equal(text);
      expect(field.scrollWidth).to.be.at.most(field.clientWidth);
      expect(field.scrollHeight).to.be.at.most(field.clientHeight);
    });
  }

  it('is filled in page by page, and answered in the format of its schema', async () => {
    const { chat } = await showBlock(ask(TRIP));
    const card = () => find(chat, '.ask');
    expect(wordsIn(card())).to.contain('1 of 3').and.to.contain('First day (optional)');
    write(card(), 'Town', 'Kiel');
    write(card(), 'Nights', '2');
    write(card(), 'First day', '2026-12-01');
    press(card(), 'With breakfast');
    submit(card());
    await waitUntil(() => wordsIn(card()).includes('2 of 3'));
    press(card(), 'Large');
    submit(card());
    await waitUntil(() => wordsIn(card()).includes('3 of 3'));
    press(card(), 'sea');
    const actionEvent = next(chat, 'agent-chat-action');
    submit(card());
    const { action, payload } = (await actionEvent).detail;
    expect(action).to.equal('answered');
    expect(payload).to.deep.equal({
      town: 'Kiel',
      nights: 2,
      day: '2026-12-01',
      breakfast: true,
      room: 'l',
      extras: ['sea'],
    });
  });

  it('shows an error at the field, focuses it, and sends nothing', async () => {
    const { chat } = await showBlock(ask(TRIP));
    chat.addEventListener('agent-chat-action', () => expect.fail('It was sent.'));
    write(find(chat, '.ask'), 'Town', 'Kiel');
    write(find(chat, '.ask'), 'Nights', '0');
    submit(find(chat, '.ask'));
    await waitUntil(() => has(chat, '.ask [aria-invalid="true"]'));
    const wrong = find<HTMLInputElement>(chat, '.ask [aria-invalid="true"]');
    await waitUntil(() => (chat.renderRoot as ShadowRoot).activeElement === wrong);
    const words = find(chat, `#${wrong.getAttribute('aria-describedby') ?? ''}`);
    expect(wordsIn(words)).to.equal('At least 1');
  });

  it('keeps the entered values when the user goes back', async () => {
    const { chat } = await showBlock(ask(TRIP));
    write(find(chat, '.ask'), 'Town', 'Kiel');
    write(find(chat, '.ask'), 'Nights', '2');
    submit(find(chat, '.ask'));
    await waitUntil(() => wordsIn(find(chat, '.ask')).includes('2 of 3'));
    named(find(chat, '.ask'), 'Back').click();
    await waitUntil(() => wordsIn(find(chat, '.ask')).includes('1 of 3'));
    expect(find<HTMLInputElement>(chat, '.ask input').value).to.equal('Kiel');
  });

  it('can be skipped on any page', async () => {
    const { chat, element } = await showBlock(ask(TRIP));
    const actionEvent = next(chat, 'agent-chat-action');
    named(element, 'Skip').click();
    expect((await actionEvent).detail).to.include({ action: 'dismissed', payload: undefined });
  });

  it('shows the agent’s default values', async () => {
    const { element } = await showBlock(
      ask({ properties: { a: { type: 'string', default: 'Kiel' }, b: { type: 'boolean', default: true } } }),
    );
    const [text, check] = element.querySelectorAll('input');
    expect([text?.value, check?.checked]).to.deep.equal(['Kiel', true]);
  });

  it('the choice “something else” opens a field for it', async () => {
    const { chat, element } = await showBlock(
      ask({ properties: { a: { anyOf: [{ enum: ['x', 'y'] }, { type: 'string' }], title: 'Which' } } }),
    );
    press(element, 'Other');
    await waitUntil(() => has(chat, '[aria-label="Your own answer"]'));
    const field = named<HTMLInputElement>(find(chat, '.ask'), 'Your own answer');
    field.value = 'z';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const actionEvent = next(chat, 'agent-chat-action');
    submit(find(chat, '.ask'));
    expect((await actionEvent).detail.payload).to.deep.equal({ a: 'z' });
  });

  it('options in their own field are the submit buttons, and each answers with its value', async () => {
    const { chat, element } = await showBlock(
      ask(
        { properties: { inputs: { properties: { why: { type: 'string' } } }, action: { enum: ['yes', 'no'] } } },
        {
          options: [
            { label: 'Approve', value: 'yes' },
            { label: 'Reject', value: 'no' },
          ],
        },
      ),
    );
    write(element, 'Why', 'Because');
    const actionEvent = next(chat, 'agent-chat-action');
    named(element, 'Reject').click();
    expect((await actionEvent).detail.payload).to.deep.equal({ inputs: { why: 'Because' }, action: 'no' });
  });

  it('with more fields than it can show still has the buttons, which come first', async () => {
    const inputs = Array.from({ length: 70 }, (_, index) => [`field${String(index)}`, { type: 'string' }] as const);
    const { element } = await showBlock(
      ask(
        { properties: { action: { enum: ['yes', 'no'] }, inputs: { properties: Object.fromEntries(inputs) } } },
        {
          options: [
            { label: 'Approve', value: 'yes' },
            { label: 'Reject', value: 'no' },
          ],
        },
      ),
    );
    while (element.querySelector('.actions .primary')?.textContent === 'Next') {
      submit(element);
      await element.closest<LitElement>('agent-chat-form')?.updateComplete;
    }
    expect([...element.querySelectorAll('.actions button')].map(wordsIn)).to.include.members(['Approve', 'Reject']);
  });

  const pin = { type: 'string', format: 'password' };
  const secrets: readonly (readonly [name: string, schema: object])[] = [
    ['a text', pin],
    ['a list', { type: 'array', items: pin }],
    ['a password or a number', { anyOf: [pin, { type: 'integer' }] }],
    ['an object', { type: 'object', writeOnly: true, properties: { a: { type: 'string' } } }],
  ];
  for (const [name, schema] of secrets) {
    it(`rule 30: a secret is not asked for: ${name}`, async () => {
      const { element } = await showBlock(ask({ properties: { a: { ...schema, title: 'PIN' } } }));
      expect(element.querySelectorAll('input, textarea, select')).to.have.length(0);
      expect(wordsIn(element)).to.contain('This chat doesn’t pass it on');
    });
  }

  it('rule 30: a secret is not asked for in the field for any text', async () => {
    const { element } = await showBlock(ask({ type: 'object', additionalProperties: pin }));
    expect(element.querySelectorAll('input, textarea, select')).to.have.length(0);
    expect(wordsIn(element)).to.contain('This chat doesn’t pass it on');
  });

  it('shows hostile names, descriptions and options as text, and its form has no address', async () => {
    const { chat, element } = await showBlock(
      ask({ properties: { [HOSTILE]: { enum: [`\u202E${HOSTILE}`], title: HOSTILE, description: HOSTILE } } }),
    );
    expect(element.querySelector('img, [action], [formaction]')).to.equal(null);
    expect(wordsIn(element)).to.contain(HOSTILE).and.not.to.contain('\u202E');
    expect(has(chat, 'agent-chat-message img')).to.equal(false);
  });

  it('when answered it is the question with the answer', async () => {
    const { element } = await showBlock({
      ...ask(TRIP),
      status: 'granted',
      extra: { answer: 'Kiel · 2', decided: 1 },
    });
    expect(wordsIn(element)).to.match(/^About your trip Answered, .* Kiel · 2$/);
  });

  it('rule 43: when answered it quotes no label of an option that it has not shown', async () => {
    const extra = { answer: 'ok', decided: 1, options: [{ label: 'I agree to pay', value: 'ok' }] };
    const { element } = await showBlock({ ...ask({ type: 'string', title: 'Note' }, extra), status: 'granted' });
    expect(wordsIn(element)).to.match(/ ok$/);
  });

  it('keeps entered values when its nodes are removed', async () => {
    const { chat } = await mount();
    const blocks = [{ ...ask(TRIP), id: 'asked' }];
    chat.messages = [{ role: 'assistant', blocks }];
    write(await inside(chat, '.ask form'), 'Town', 'Kiel');
    chat.messages = [];
    await waitUntil(() => !has(chat, '.ask'));
    chat.messages = [{ role: 'assistant', blocks }];
    await inside(chat, '.ask form');
    expect(find<HTMLInputElement>(chat, '.ask input').value).to.equal('Kiel');
  });
});
