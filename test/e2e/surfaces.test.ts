/** A2UI surfaces in a browser, turn by turn: each flow through AG-UI's middleware, and through an agent of A2A's SDK. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openSite, releaseContext, type Site } from './support/site.ts';
import { order, restaurant, signUp, tasks, type Model, type Turn } from './support/surface-flows.ts';
import { answerByMiddleware, surfacesByA2a, type SurfaceServer } from './support/surface-servers.ts';

interface Flow {
  readonly name: string;
  readonly model: Model;
  readonly ask: string;
  walk(page: Page, chat: Locator): Promise<void>;
  /** The actions that the model got. */
  readonly actions: readonly object[];
}

/** A text as the transcript shows it, not as a part of a tool's arguments or an announcement. */
const said = (chat: Locator, text: string): Locator => chat.getByText(text, { exact: true }).first();
/** Waits for the end of the reply: until then, data of the agent can replace what is entered. */
async function replied(chat: Locator): Promise<void> {
  await chat.page().waitForFunction(() => {
    const status = document.querySelector('agent-chat')?.status ?? 'connecting';
    return status !== 'connecting' && status !== 'streaming';
  });
}
/** Presses a button that has been there long enough for a press to count. */
async function press(chat: Locator, name: string): Promise<void> {
  await chat.page().waitForTimeout(1200);
  await chat.getByRole('button', { name, exact: true }).last().click();
}

const flows: readonly Flow[] = [
  {
    name: 'a restaurant is chosen, the form filled in, and the table reserved',
    model: restaurant,
    ask: 'A table for tonight',
    async walk(_, chat) {
      await said(chat, 'Izakaya').waitFor();
      await press(chat, 'Book');
      await said(chat, 'Book a table at Izakaya').waitFor();
      await replied(chat);
      await chat.getByLabel('Party size').fill('4');
      await chat.getByLabel('Time').fill('19:30');
      await chat.getByLabel('Dietary requirements').fill('vegan');
      await press(chat, 'Reserve');
      await said(chat, 'Reserved for 4 at 19:30, vegan.').waitFor();
    },
    actions: [
      { name: 'book', surfaceId: 'restaurants', context: { name: 'Izakaya' } },
      { name: 'reserve', surfaceId: 'booking', context: { party: '4', when: '19:30', diet: 'vegan' } },
    ],
  },
  {
    name: 'a surface is changed in place by a later turn, and deleted by another',
    model: signUp,
    ask: 'I want an account',
    async walk(_, chat) {
      await chat.getByLabel('Name').waitFor();
      await press(chat, 'Next');
      await said(chat, 'A name, please.').waitFor();
      await replied(chat);
      await chat.getByLabel('Name').fill('Mia');
      await press(chat, 'Next');
      await said(chat, 'Welcome, Mia').waitFor();
      assert.equal(await chat.getByLabel('Name').count(), 0);
      await press(chat, 'Create the account');
      await said(chat, 'The account exists.').waitFor();
      await chat.getByRole('button', { name: 'Create the account' }).waitFor({ state: 'detached' });
    },
    actions: [
      { name: 'named', surfaceId: 'sign-up', context: { name: 'Mia' } },
      { name: 'done', surfaceId: 'sign-up', context: {} },
    ],
  },
  {
    name: 'an order sends its data model',
    model: order,
    ask: 'One coffee',
    async walk(_, chat) {
      await chat.getByText('Large', { exact: true }).waitFor();
      await replied(chat);
      await chat.getByText('Large', { exact: true }).click();
      await chat.getByLabel('As a gift').check();
      await press(chat, 'Order');
      await chat
        .getByText(/^Ordered: .*"size":\["l"\],"gift":true/)
        .first()
        .waitFor();
    },
    actions: [{ name: 'order', surfaceId: 'order', context: {} }],
  },
  {
    name: 'a list grows where it stands, and keeps what is being typed',
    model: tasks,
    ask: 'My tasks',
    async walk(page, chat) {
      await chat.getByLabel('New task').waitFor();
      await replied(chat);
      await chat.getByLabel('New task').fill('Water the plants');
      await press(chat, 'Add');
      await said(chat, 'Added Water the plants.').waitFor();
      await chat.getByRole('listitem').filter({ hasText: 'Water the plants' }).first().waitFor();
      await replied(chat);
      await chat.getByLabel('New task').fill('Half a');
      await chat.getByPlaceholder(/./).last().fill('That one is urgent');
      await page.keyboard.press('Enter');
      await said(chat, 'Marked.').waitFor();
      await said(chat, 'Call Ann (!)').waitFor();
      assert.equal(await chat.getByLabel('New task').inputValue(), 'Half a');
      assert.equal(await chat.getByLabel('New task').count(), 1);
    },
    actions: [{ name: 'add', surfaceId: 'tasks', context: { title: 'Water the plants', count: 1 } }],
  },
];

describe('A2UI surfaces by real servers', () => {
  let site: Site;
  let agent: SurfaceServer;
  let model: Model = restaurant;
  before(async () => {
    agent = await surfacesByA2a();
    site = await openSite({
      pages: {
        '/ag-ui': '<agent-chat endpoint="/agent" protocol="ag-ui"></agent-chat>',
        '/auto': '<agent-chat endpoint="/agent"></agent-chat>',
        '/a2a': `<agent-chat endpoint="${agent.endpoint}"></agent-chat>`,
      },
      async agent(request, response) {
        await answerByMiddleware(model, request, response);
        return true;
      },
    });
  });
  after(async () => {
    await site.close();
    await agent.close();
  });

  for (const path of ['/ag-ui', '/auto', '/a2a'])
    for (const flow of flows)
      it(`${path}: ${flow.name}`, async () => {
        const turns: Turn[] = [];
        model = (turn) => {
          turns.push(turn);
          return flow.model(turn);
        };
        agent.play(model);
        const page = await site.visit(path);
        const chat = page.locator('agent-chat');
        await chat.getByRole('textbox').fill(flow.ask);
        await page.keyboard.press('Enter');
        await flow.walk(page, chat);
        const actions = turns.flatMap(({ action }) =>
          action ? [{ name: action.name, surfaceId: action.surfaceId, context: action.context }] : [],
        );
        assert.deepEqual(actions, flow.actions);
        assert.equal(await chat.locator('[role="alert"]').count(), 0);
        await releaseContext(page);
      });
});
