/** A question that takes the place of another one while the user presses. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { releaseContext, openSite, type Site } from './support/site.ts';

/** Shows a permission request for a tool in place of the one before. */
const present = (page: Page, tool: string): Promise<void> =>
  page.evaluate(async (name) => {
    await customElements.whenDefined('agent-chat');
    const chat = document.querySelector('agent-chat')!;
    const call = { name, params: '{"path":"/home"}' };
    chat.messages = [
      {
        id: 'm',
        role: 'assistant',
        blocks: [{ id: name, type: 'action', action_type: 'tool_call_permission', status: 'pending', tool_call: call }],
      },
    ];
  }, tool);

/** What an agent can put in the place of something else, with its first button. */
const offers: Readonly<Record<string, (name: string) => { readonly message: object; readonly button: string }>> = {
  'a permission': (name) => ({
    message: questionOf({ id: name, action_type: 'tool_call_permission', tool_call: { name, params: '{}' } }),
    button: 'Allow once',
  }),
  'a question': (name) => ({
    message: questionOf({
      id: name,
      action_type: 'question',
      content: name,
      extra: { options: [{ label: 'Yes', value: name }] },
    }),
    button: 'Yes',
  }),
  suggestions: (name) => ({
    message: { id: 'm', role: 'assistant', text: 'Hello', suggestions: [{ label: name, prompt: name }] },
    button: name,
  }),
  'a value in a surface': (name) => ({
    message: {
      id: 'm',
      role: 'assistant',
      blocks: [{ id: 'b', type: 'ui', ui: { kind: 'a2ui', messages: surfaceOf(name) } }],
    },
    button: 'Confirm',
  }),
};

const questionOf = (block: object): object => ({
  id: 'm',
  role: 'assistant',
  blocks: [{ type: 'action', status: 'pending', ...block }],
});

const surfaceOf = (name: string): readonly object[] => [
  { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'basic', sendDataModel: true } },
  {
    version: 'v0.9',
    updateComponents: {
      surfaceId: 's',
      components: [
        { id: 'root', component: 'Column', children: ['words', 'ok'] },
        { id: 'words', component: 'Text', text: { path: '/name' } },
        {
          id: 'ok',
          component: 'Button',
          child: 'label',
          action: { event: { name: 'confirm', context: { name: { path: '/name' } } } },
        },
        { id: 'label', component: 'Text', text: 'Confirm' },
      ],
    },
  },
  { version: 'v0.9', updateDataModel: { surfaceId: 's', path: '/name', value: 'read file' } },
  { version: 'v0.9', updateDataModel: { surfaceId: 's', path: '/name', value: name } },
];

/** Shows a message, and keeps the page busy as soon as it is in the document, before it can be painted. */
const showBusy = (page: Page, message: object, name: string, busy: number): Promise<void> =>
  page.evaluate(
    async ([given, word, time]) => {
      await customElements.whenDefined('agent-chat');
      const chat = document.querySelector('agent-chat')!;
      chat.messages = [given] as unknown as typeof chat.messages;
      if (time === 0) return;
      const expected = new RegExp(word.replace(/[_ ]/g, '.'), 'i');
      while (!expected.test(chat.shadowRoot!.textContent)) await new Promise((resolve) => setTimeout(resolve));
      const end = performance.now() + time;
      while (performance.now() < end);
    },
    [message, name, busy] as const,
  );

/** Collects the answers of the user in the page's variable `answers`. */
const listen = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.assign(globalThis, { answers: [] });
    document.querySelector('agent-chat')!.addEventListener('agent-chat-action', ({ detail }) => {
      const { id } = detail.block ?? {};
      (globalThis as unknown as { answers: unknown[] }).answers.push(`${detail.action} ${String(id)}`);
    });
  });

async function middleOf(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await locator.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

describe('rule 103: a question that appears under the pointer', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: {
        '/': '<agent-chat endpoint="/agent" persist="none"></agent-chat>',
        '/consent': '<agent-chat endpoint="/agent" persist="none" consent="Terms"></agent-chat>',
      },
    });
  });
  after(() => site.close());

  it('takes no press for half a second: it was meant for what was there before', async () => {
    const page = await site.visit('/');
    await present(page, 'read_file');
    await listen(page);
    const { x, y } = await middleOf(page.getByRole('button', { name: 'Allow once' }));
    await page.mouse.move(x, y);
    await page.waitForTimeout(600);
    await present(page, 'delete_all');
    await page.getByRole('group', { name: /Delete all/ }).waitFor();
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), []);
    await page.waitForTimeout(600);
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), ['granted delete_all']);
    await releaseContext(page);
  });

  for (const moment of ['before', 'after'] as const)
    it(`takes no touch whose finger was put down ${moment} it appeared, less than half a second apart`, async () => {
      const page = await site.visit('/');
      const touch = await page.context().newCDPSession(page);
      await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      await present(page, 'read_file');
      await listen(page);
      const { x, y } = await middleOf(page.getByRole('button', { name: 'Allow once' }));
      const down = () => touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
      const up = () => touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await page.waitForTimeout(600);
      if (moment === 'before') await down();
      await present(page, 'delete_all');
      await page.getByRole('group', { name: /Delete all/ }).waitFor();
      await page.waitForTimeout(moment === 'before' ? 550 : 50);
      if (moment === 'after') await down();
      await page.waitForTimeout(moment === 'before' ? 50 : 550);
      await up();
      await page.waitForTimeout(600);
      assert.deepEqual(await page.evaluate('answers'), []);
      await down();
      await up();
      await page.waitForFunction('answers.length > 0');
      assert.deepEqual(await page.evaluate('answers'), ['granted delete_all']);
      await releaseContext(page);
    });

  for (const [kind, offer] of Object.entries(offers))
    for (const moment of ['while the page is busy', 'before the change, and ends later'] as const)
      it(`takes no press that begins ${moment}: ${kind}`, async () => {
        const page = await site.visit('/');
        const pointer = await page.context().newCDPSession(page);
        const first = offer('read file');
        const second = offer('delete all');
        await showBusy(page, first.message, 'read file', 0);
        await page.evaluate(() => {
          Object.assign(globalThis, { answers: [] });
          document.querySelector('agent-chat')!.addEventListener('agent-chat-action', (event) => {
            event.preventDefault();
            (globalThis as unknown as { answers: unknown[] }).answers.push(event.detail.action);
          });
        });
        const { x, y } = await middleOf(page.getByRole('button', { name: first.button }).first());
        await page.mouse.move(x, y);
        await page.waitForTimeout(700);
        const event = { x, y, button: 'left', clickCount: 1 } as const;
        const down = () => pointer.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event });
        const up = () => pointer.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event });
        if (moment === 'while the page is busy') {
          const shown = showBusy(page, second.message, 'delete all', 1000);
          await new Promise((resolve) => setTimeout(resolve, 200));
          await Promise.all([shown, down(), up()]);
        } else {
          await down();
          await showBusy(page, second.message, 'delete all', 1);
          await page.waitForTimeout(700);
          await up();
        }
        await page.waitForTimeout(700);
        assert.deepEqual(await page.evaluate('answers'), []);
        await page.getByRole('button', { name: second.button }).first().click();
        await page.waitForFunction('answers.length > 0');
        await releaseContext(page);
      });

  it('takes no press of a surface’s button whose words have just changed', async () => {
    const page = await site.visit('/');
    const show = (label: string): Promise<void> =>
      page.evaluate(async (text) => {
        await customElements.whenDefined('agent-chat');
        const components = [
          { id: 'root', component: 'Button', child: 'label', action: { event: { name: text } } },
          { id: 'label', component: 'Text', text },
        ];
        const messages = [
          { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'basic' } },
          { version: 'v0.9', updateComponents: { surfaceId: 's', components } },
        ];
        const block = { id: 'b', type: 'ui', ui: { kind: 'a2ui', messages } } as const;
        document.querySelector('agent-chat')!.messages = [{ id: 'm', role: 'assistant', blocks: [block] }];
      }, label);
    await show('Cancel the order');
    await page.evaluate(() => {
      Object.assign(globalThis, { answers: [] });
      document.querySelector('agent-chat')!.addEventListener('agent-chat-send', (event) => {
        event.preventDefault();
        (globalThis as unknown as { answers: unknown[] }).answers.push(event.detail.message.role);
      });
    });
    const { x, y } = await middleOf(page.getByRole('button', { name: 'Cancel the order' }));
    await page.mouse.move(x, y);
    await page.waitForTimeout(600);
    await page.mouse.down();
    await show('Pay 9,999 EUR');
    await page.getByRole('button', { name: 'Pay 9,999 EUR' }).waitFor();
    await page.mouse.up();
    await page.mouse.click(x, y);
    await page.waitForTimeout(600);
    assert.deepEqual(await page.evaluate('answers'), []);
    await page.mouse.click(x, y);
    await page.waitForFunction('answers.length > 0');
    await releaseContext(page);
  });

  it('takes no second press of a double-click for the consent that the first one has asked for', async () => {
    const page = await site.visit('/consent');
    await page.evaluate(() => {
      Object.assign(globalThis, { answers: [] });
      document.querySelector('agent-chat')!.addEventListener('agent-chat-consent', ({ detail }) => {
        (globalThis as unknown as { answers: unknown[] }).answers.push(detail.accepted);
      });
      void document.querySelector('agent-chat')!.send('Hello');
    });
    const accept = page.getByRole('button', { name: 'Accept' });
    await accept.waitFor();
    const { x, y } = await middleOf(accept);
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), []);
    await accept.click();
    await page.waitForFunction('answers.length > 0');
    assert.deepEqual(await page.evaluate('answers'), [true]);
    await releaseContext(page);
  });
});
