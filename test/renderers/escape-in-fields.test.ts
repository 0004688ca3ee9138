import { expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../src/define.ts';
import { find, inside, mount } from '../components/support/mount.ts';
import type { LooseBlock } from '../support/messages.ts';
import { named, showBlock } from './support/show.ts';
import { surface } from './support/surfaces.ts';

const question = (extra: Readonly<Record<string, string>> = {}): LooseBlock => ({
  type: 'action',
  action_type: 'question',
  status: 'pending',
  content: 'Who?',
  extra,
});
const permission: LooseBlock = {
  type: 'action',
  action_type: 'tool_call_permission',
  status: 'pending',
  content: '',
  tool_call: { id: 't', name: 'pay', params: '{"a":1}' },
};
const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string', title: 'Name' }, why: { type: 'string', title: 'Why' } },
  required: ['name', 'why'],
};
const form: LooseBlock = {
  type: 'ui',
  ui: { kind: 'a2ui', messages: surface({ component: 'TextField', label: 'Name', value: { path: '/name' } }) },
};

const settings = { mode: 'floating', open: true } as const;

/** The open widget with a block, of which the field is visible. */
async function field(block: LooseBlock, selector: string): Promise<readonly [AgentChat, HTMLInputElement]> {
  const { chat } = await showBlock(block, { settings, selector });
  return [chat, find<HTMLInputElement>(chat, selector)];
}

const escape = (target: Element): KeyboardEvent => {
  const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true, cancelable: true });
  target.dispatchEvent(event);
  return event;
};

describe('Escape in a field', () => {
  for (const [name, block, selector] of [
    ['the answer of a question', question(), '.ask input'],
    ['the form of a question', question({ schema: JSON.stringify(SCHEMA) }), '.ask input'],
    ['a surface', form, '.surface input'],
  ] as const) {
    it(`only leaves it if there is a text in ${name}; the next one has its usual effect`, async () => {
      const [chat, input] = await field(block, selector);
      input.focus();
      input.value = 'Ann';
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await chat.updateComplete;
      escape(input);
      expect(chat.open, 'first').to.equal(true);
      expect(input.isConnected && input.value).to.equal('Ann');
      const focused = chat.shadowRoot?.activeElement;
      expect(focused?.getAttribute('role')).to.equal('group');
      escape(focused!);
      expect(chat.open, 'second').to.equal(false);
    });

    it(`has its usual effect if ${name} is empty`, async () => {
      const [chat, input] = await field(block, selector);
      input.focus();
      escape(input);
      expect(chat.open).to.equal(false);
    });
  }

  it('stops no turn with a half-filled question, also from another field of its form', async () => {
    const { chat, agent } = await mount({ ...settings, protocol: 'ag-ui' });
    void chat.send('Hello');
    await agent.heard(1);
    const interrupt = { id: 'i', reason: 'input_required', message: 'Who?', responseSchema: SCHEMA };
    const run = { threadId: 't', runId: 'r' };
    const events = [
      { type: 'RUN_STARTED', ...run, data: {} },
      { type: 'RUN_FINISHED', ...run, data: {}, outcome: { type: 'interrupt', interrupts: [interrupt] } },
    ];
    agent.say(...events);
    agent.hangUp();
    await inside(chat, '.ask input');
    const [first, second] = chat.renderRoot.querySelectorAll<HTMLInputElement>('.ask input');
    first!.value = 'Ann';
    first!.dispatchEvent(new InputEvent('input', { bubbles: true }));
    second!.focus();
    escape(second!);
    expect(first!.isConnected).to.equal(true);
    expect(chat.messages.at(-1)?.status).to.equal('streaming');
    escape(chat.shadowRoot!.activeElement!);
    await waitUntil(() => chat.messages.at(-1)?.status !== 'streaming');
  });

  it('closes the note of a permission only with the second one if there is a text in it', async () => {
    const { chat, element } = await showBlock(permission, { settings, selector: '.ask' });
    named(element, 'Deny with a note').click();
    const note = await inside<HTMLTextAreaElement>(chat, '.ask textarea');
    note.focus();
    note.value = 'Only order 8.';
    escape(note);
    expect(note.isConnected).to.equal(true);
    escape(chat.shadowRoot!.activeElement!);
    await waitUntil(() => !note.isConnected);
    expect(chat.open).to.equal(true);
  });

  it('closes the editor of a message only with the second one if its text has changed', async () => {
    const { chat } = await mount(settings);
    chat.messages = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hi' },
    ];
    for (const text of ['Hello', 'Hello Ann']) {
      await inside(chat, 'button[aria-label="Edit"]');
      find(chat, 'button[aria-label="Edit"]').click();
      const editor = await inside<HTMLTextAreaElement>(chat, '.editor textarea');
      editor.focus();
      editor.value = text;
      escape(editor);
      await chat.updateComplete;
      if (text !== 'Hello') {
        expect(editor.isConnected, text).to.equal(true);
        escape(chat.shadowRoot!.activeElement!);
      }
      await waitUntil(() => !editor.isConnected, text);
    }
    expect(chat.open).to.equal(true);
  });
});
