import { expect, waitUntil } from '@open-wc/testing';
import type { AgentMessage } from '../../../src/model/agent-message.ts';
import type { BaseAgent } from '../../../src/model/agent.ts';
import type { AgentChat } from '../../../src/index.ts';
import { agentOf, piece, say } from '../../agents/support/agent.ts';
import { chunksOf } from '../../support/cuts.ts';
import { button, has, inside, mount } from '../support/mount.ts';

const schema = {
  type: 'object',
  required: ['days'],
  properties: {
    days: { type: 'integer', title: 'Days to look back', default: 10, maximum: 60 },
    style: { type: 'string', enum: ['short', 'long'], default: 'short' },
    key: { type: 'string', format: 'password' },
  },
};

/** An agent with settings, and the messages that it got. */
function configurable(id: string, more: Partial<BaseAgent> = {}) {
  const got: AgentMessage[] = [];
  const agent = agentOf(id, {
    answer: (message) => {
      got.push(message);
      return chunksOf([say('Fine.')]);
    },
    getConfigurationSchema: () => schema,
    ...more,
  });
  return { agent, got };
}

async function openSettings(chat: AgentChat): Promise<HTMLElement> {
  button(chat, 'More').click();
  const menu = await inside(chat, '[role="menu"]');
  const entry = [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(({ textContent }) =>
    textContent.includes('Settings of'),
  );
  entry?.click();
  return await inside(chat, 'dialog.agent-settings');
}
const days = (form: HTMLElement): HTMLInputElement => form.querySelector('input')!;
function typeDays(form: HTMLElement, value: string): void {
  days(form).value = value;
  days(form).dispatchEvent(new Event('input', { bubbles: true }));
}
const save = (form: HTMLElement): void => {
  form.querySelector<HTMLButtonElement>('button[type="submit"]')?.click();
};

describe('the settings of an agent in the page', () => {
  it('are a form of its schema, whose values are part of each following message', async () => {
    const { agent, got } = configurable('settings 1');
    const { chat } = await mount({ agents: [agent] });
    await chat.send('Before');
    const form = await openSettings(chat);
    expect(form.textContent).to.contain('Settings of The settings 1').and.contain('Days to look back');
    expect(form.textContent, 'secrets are not asked for').not.to.contain('Key');
    expect(days(form).value).to.equal('10');
    typeDays(form, '30');
    save(form);
    await waitUntil(() => !has(chat, 'dialog.agent-settings'));
    await chat.send('After');
    expect(got.map(({ metadata }) => metadata)).to.deep.equal([{}, { configuration: { days: 30, style: 'short' } }]);
    expect(days(await openSettings(chat)).value, 'the form remembers them').to.equal('30');
  });

  it('are those of one user: another one, and who has deleted all data, starts with the defaults', async () => {
    const { agent, got } = configurable('settings of alice');
    const { chat } = await mount({ agents: [agent], storage: { user: 'alice' } });
    const saveDays = async (value: string): Promise<void> => {
      const form = await openSettings(chat);
      typeDays(form, value);
      save(form);
      await waitUntil(() => !has(chat, 'dialog.agent-settings'));
    };
    await chat.send('From Alice');
    await saveDays('30');
    chat.storage = { user: 'bob' };
    await chat.updateComplete;
    await chat.send('From Bob');
    expect(got.map(({ metadata }) => metadata)).to.deep.equal([{}, {}]);
    const form = await openSettings(chat);
    expect(days(form).value).to.equal('10');
    form.closest('dialog')?.close();
    await waitUntil(() => !has(chat, 'dialog.agent-settings'));
    await saveDays('20');
    await chat.forget();
    await chat.send('From Bob, who has deleted all');
    expect(got.at(-1)?.metadata).to.deep.equal({});
  });

  const defaults: Readonly<Record<string, { readonly schema: object; readonly value: unknown }>> = {
    'a list of objects': { schema: { type: 'array', items: { type: 'object' } }, value: [{ q: '1' }] },
    'a list of anything': { schema: { type: 'array' }, value: [1, { a: 2 }] },
    'a list of numbers': { schema: { type: 'array', items: { type: 'number' } }, value: [1, 2.5] },
    'a list of truth values': { schema: { type: 'array', items: { type: 'boolean' } }, value: [true, false] },
    'texts of several lines': { schema: { type: 'array', items: { type: 'string' } }, value: ['a\nb', 'c'] },
    'an object': { schema: { type: 'object', additionalProperties: true }, value: { a: 1 } },
    anything: { schema: {}, value: { k: 1 } },
    'a choice of objects': { schema: { enum: [{ a: 1 }, { a: 2 }] }, value: { a: 2 } },
    'a time with seconds': { schema: { type: 'string', format: 'date-time' }, value: '2026-01-02T03:04:05Z' },
  };
  for (const [name, { schema: property, value }] of Object.entries(defaults)) {
    it(`leave ${name} as it is if the form is saved without a change`, async () => {
      const { agent, got } = configurable(`default ${name}`, {
        getConfigurationSchema: () => ({ type: 'object', properties: { it: { ...property, default: value } } }),
      });
      const { chat } = await mount({ agents: [agent] });
      save(await openSettings(chat));
      await chat.send('Hi');
      expect(got[0]?.metadata['configuration']).to.deep.equal({ it: value });
    });
  }

  it('show a default that is no text as JSON, which can be changed', async () => {
    const { agent, got } = configurable('settings as JSON', {
      getConfigurationSchema: () => ({
        type: 'object',
        properties: { all: { type: 'array', default: [{ q: '1' }, 2] }, one: { type: 'object', default: { a: 1 } } },
      }),
    });
    const { chat } = await mount({ agents: [agent] });
    const form = await openSettings(chat);
    const [all, one] = [form.querySelector('textarea')!, form.querySelector('input')!];
    expect([all.value, one.value]).to.deep.equal(['{"q":"1"}\n2', '{"a":1}']);
    for (const [control, value] of [
      [all, '{"q":"3"}\nplain'],
      [one, '{"a":2}'],
    ] as const) {
      control.value = value;
      control.dispatchEvent(new Event('input', { bubbles: true }));
    }
    save(form);
    await chat.send('Hi');
    expect(got[0]?.metadata['configuration']).to.deep.equal({ all: [{ q: '3' }, 'plain'], one: { a: 2 } });
  });

  it('with options send no default that is none of them, because nobody has seen it', async () => {
    const { agent, got } = configurable('settings hidden', {
      getConfigurationSchema: () => ({
        type: 'object',
        properties: {
          all: { type: 'array', items: { enum: ['a', 'b'] }, default: ['a', 'hidden'] },
          one: { enum: [{ a: 1 }], default: { hidden: 1 } },
        },
      }),
    });
    const { chat } = await mount({ agents: [agent] });
    save(await openSettings(chat));
    await chat.send('Hi');
    expect(got[0]?.metadata['configuration']).to.deep.equal({ all: ['a'] });
  });

  it('have the defaults of the objects around them, and constants', async () => {
    const { agent, got } = configurable('settings of objects', {
      getConfigurationSchema: () => ({
        type: 'object',
        default: { name: 'Mara' },
        properties: {
          name: { type: 'string' },
          inner: {
            type: 'object',
            default: { a: 'A', b: 5 },
            properties: { a: { type: 'string' }, b: { type: 'integer' } },
          },
          kind: { const: 'fixed' },
        },
      }),
    });
    const { chat } = await mount({ agents: [agent] });
    save(await openSettings(chat));
    await chat.send('Hi');
    expect(got[0]?.metadata['configuration']).to.deep.equal({ name: 'Mara', inner: { a: 'A', b: 5 }, kind: 'fixed' });
  });

  it('stay empty once the user has emptied them', async () => {
    const { agent, got } = configurable('settings emptied', {
      getConfigurationSchema: () => ({ type: 'object', properties: { days: { type: 'integer', default: 3 } } }),
    });
    const { chat } = await mount({ agents: [agent] });
    const form = await openSettings(chat);
    typeDays(form, '');
    save(form);
    await waitUntil(() => !has(chat, 'dialog.agent-settings'));
    const again = await openSettings(chat);
    expect(days(again).value).to.equal('');
    save(again);
    await chat.send('Hi');
    expect(got[0]?.metadata['configuration']).to.deep.equal({});
  });

  it('that are numbers in a list are sent as numbers, and others are refused', async () => {
    const { agent, got } = configurable('settings numbers', {
      getConfigurationSchema: () => ({
        type: 'object',
        properties: { all: { type: 'array', items: { type: 'integer' } } },
      }),
    });
    const { chat } = await mount({ agents: [agent] });
    const form = await openSettings(chat);
    const enter = (value: string): void => {
      const area = form.querySelector('textarea')!;
      area.value = value;
      area.dispatchEvent(new Event('input', { bubbles: true }));
      save(form);
    };
    enter('1\nx');
    expect(has(chat, 'dialog.agent-settings [aria-invalid="true"]')).to.equal(true);
    enter('1\n2');
    await waitUntil(() => !has(chat, 'dialog.agent-settings'));
    await chat.send('Hi');
    expect(got[0]?.metadata['configuration']).to.deep.equal({ all: [1, 2] });
  });

  it('that change while a question is open are those of its answer', async () => {
    const got: AgentMessage[] = [];
    const agent = agentOf('settings asked', {
      answer: (message) => {
        got.push(message);
        return chunksOf(
          message.metadata['answer']
            ? [say('Fine.')]
            : [piece('confirmation', { confirmation: { type: 'action', message: 'Go?' } })],
        );
      },
      getConfigurationSchema: () => schema,
    });
    const { chat } = await mount({ agents: [agent] });
    const sent = chat.send('Hi');
    await inside(chat, '[part~="block-action"] button');
    const form = await openSettings(chat);
    typeDays(form, '20');
    save(form);
    await waitUntil(() => !has(chat, 'dialog.agent-settings'));
    chat.renderRoot.querySelector<HTMLElement>('[part~="block-action"] button')?.click();
    await sent;
    expect(got[1]?.metadata['configuration']).to.deep.equal({ days: 20, style: 'short' });
  });

  it('are not saved while a value is invalid', async () => {
    const { agent, got } = configurable('settings 2');
    const { chat } = await mount({ agents: [agent] });
    const form = await openSettings(chat);
    typeDays(form, '600');
    save(form);
    expect(form.textContent).to.contain('At most 60');
    expect(days(form).getAttribute('aria-invalid')).to.equal('true');
    await chat.send('Hi');
    expect(got[0]?.metadata).to.deep.equal({});
  });

  it('are not offered by an agent without settings', async () => {
    const broken = (): never => {
      throw new Error('Method not implemented.');
    };
    for (const getConfigurationSchema of [() => ({}), () => ({ type: 'object', properties: {} }), broken]) {
      const { chat } = await mount({ agents: [configurable('settings 3', { getConfigurationSchema }).agent] });
      button(chat, 'More').click();
      expect((await inside(chat, '[role="menu"]')).textContent).not.to.contain('Settings');
      chat.remove();
    }
  });
});
