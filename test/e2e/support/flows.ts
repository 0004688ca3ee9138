/** A user's actions in a conversation, with any input device: each flow gets the device as a parameter. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import type { Handler } from './site.ts';

/** Chromium counts presses within this time (ms) as one double-click or double tap. */
const DOUBLE_CLICK_MS = 600;

/** How controls are activated. Text is typed into the focused element. */
export interface Hand {
  press(control: Locator): Promise<void>;
}

export interface Flow {
  readonly name: string;
  run(page: Page, hand: Hand): Promise<void>;
}

const event = (data: object): string =>
  `data: ${JSON.stringify({ type: 'response', data: { eventId: 'e', ...data } })}\n\n`;
const END = `data: ${JSON.stringify({ type: 'end', data: { eventId: 'e' } })}\n\n`;

const PERMISSION = event({
  tool_call: 'permission-required',
  tool_call_id: 't1',
  tool_call_name: 'send_email',
  tool_call_params: '{"to":"finance@northwind.example"}',
  permission_request: {
    toolName: 'send_email',
    serverName: 'mail',
    permissionType: 'write',
    description: 'To send it.',
  },
});

/**
 * An agent that answers `slowly` without an end, `mail` with a question, and everything else with the number of the
 * answer.
 */
export function flowAgent(): { readonly handler: Handler; readonly close: () => void } {
  const open: ServerResponse[] = [];
  let count = 0;
  return {
    async handler(request, response) {
      if (!request.url?.startsWith('/agent')) return false;
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const text = body.slice(body.lastIndexOf('"user"'));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (text.includes('slowly')) {
        open.push(response);
        response.write(event({ content: 'It takes its time.' }));
      } else if (text.includes('mail it') && !body.includes('granted')) response.end(PERMISSION + END);
      else response.end(event({ content: `This is answer **${String(++count)}**.` }) + END);
      return true;
    },
    close: () => {
      for (const response of open) response.destroy();
    },
  };
}

export const WIDGET =
  '<h1>Shop</h1><agent-chat endpoint="/agent" protocol="deepchat-events" mode="floating" persist="session" ' +
  'attachments="image/*,.txt" heading="Harbor"></agent-chat>';

const control = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name }).last();
const transcript = (page: Page): Locator => page.locator('agent-chat [part~="transcript"]');
const idle = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
};

async function sendText(page: Page, hand: Hand, text: string): Promise<void> {
  await hand.press(page.getByRole('textbox', { name: 'Message' }));
  await page.keyboard.type(text);
  await hand.press(control(page, 'Send'));
}

/** Until the answer is there, whole. */
async function hear(page: Page, count: number): Promise<void> {
  await transcript(page)
    .locator('strong')
    .nth(count - 1)
    .waitFor();
  await idle(page);
}

export const flows: readonly Flow[] = [
  {
    name: 'sends, and gets the answer',
    async run(page, hand) {
      await sendText(page, hand, 'Hello');
      await hear(page, 1);
      const tree = await page.locator('agent-chat [part="panel"]').ariaSnapshot();
      assert.match(tree, /log "Harbor"/);
      assert.match(tree, /Hello[\s\S]*This is answer/);
      assert.match(tree, /textbox "Message"/);
    },
  },
  {
    name: 'stops',
    async run(page, hand) {
      await sendText(page, hand, 'Tell me slowly');
      await page.getByText('It takes its time.').waitFor();
      // A press of the same position sooner than this is the second one of a double-click, which does not stop the reply.
      await page.waitForTimeout(DOUBLE_CLICK_MS);
      await hand.press(control(page, 'Stop'));
      await transcript(page).getByText('You stopped this answer.').waitFor();
      await control(page, 'Send').waitFor();
      assert.equal(
        await page.evaluate(() => document.querySelector('agent-chat')?.messages.at(-1)?.status),
        'cancelled',
      );
    },
  },
  {
    name: 'approves',
    async run(page, hand) {
      await sendText(page, hand, 'mail it');
      const allow = control(page, 'Allow once');
      await allow.waitFor();
      assert.match(await transcript(page).ariaSnapshot(), /finance@northwind\.example[\s\S]*button "Allow once"/);
      await hand.press(allow);
      await transcript(page)
        .getByText(/send.email allowed/i)
        .first()
        .waitFor();
    },
  },
  {
    name: 'edits the sent message, and moves between the versions',
    async run(page, hand) {
      await sendText(page, hand, 'Hello');
      await hear(page, 1);
      await hand.press(control(page, 'Edit'));
      const editor = page.getByRole('textbox', { name: 'Edit' });
      await hand.press(editor);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('Good evening');
      await hand.press(page.locator('agent-chat .editor').getByRole('button', { name: 'Send' }));
      await transcript(page).getByText('2/2').waitFor();
      await hear(page, 1);
      await hand.press(control(page, 'Previous version'));
      await transcript(page).getByText('1/2').waitFor();
      await transcript(page).getByText('Hello', { exact: true }).waitFor();
    },
  },
  {
    name: 'regenerates the answer, and moves between the answers',
    async run(page, hand) {
      await sendText(page, hand, 'Hello');
      await hear(page, 1);
      const first = await transcript(page).locator('strong').innerText();
      await hand.press(control(page, 'Regenerate'));
      await transcript(page).getByText('2/2').waitFor();
      await idle(page);
      await hand.press(control(page, 'Previous version'));
      await transcript(page).getByText('1/2').waitFor();
      assert.equal(await transcript(page).locator('strong').innerText(), first);
    },
  },
  {
    name: 'attaches a file, and sends it with text',
    async run(page, hand) {
      const chosen = page.waitForEvent('filechooser');
      await hand.press(control(page, 'Attach files'));
      await (await chosen).setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note') });
      await control(page, 'Remove note.txt').waitFor();
      await sendText(page, hand, 'Read this');
      await hear(page, 1);
      await transcript(page).getByText('note.txt').waitFor();
    },
  },
  {
    name: 'opens another conversation and returns',
    async run(page, hand) {
      await sendText(page, hand, 'Hello');
      await hear(page, 1);
      await hand.press(control(page, 'New conversation'));
      await transcript(page).getByText('What can I do for you?').waitFor();
      await hand.press(control(page, 'Conversations'));
      const list = page.getByRole('list', { name: 'Conversations' });
      await hand.press(list.getByRole('button', { name: /^Hello/ }));
      await hear(page, 1);
      await transcript(page).getByText('Hello', { exact: true }).waitFor();
    },
  },
  {
    name: 'the page turns dark, and keeps its state',
    async run(page, hand) {
      await sendText(page, hand, 'Tell me slowly');
      await page.getByText('It takes its time.').waitFor();
      await hand.press(page.getByRole('textbox', { name: 'Message' }));
      await page.keyboard.type('Half a thought');
      const answer = await transcript(page).getByText('It takes its time.').elementHandle();
      const background = (): Promise<string> =>
        page.locator('agent-chat [part="panel"]').evaluate((panel) => getComputedStyle(panel).backgroundColor);
      const light = await background();
      await page.evaluate(() => {
        document.querySelector('agent-chat')?.setAttribute('color-scheme', 'dark');
      });
      assert.notEqual(await background(), light);
      assert.equal(await answer.evaluate((node) => node.isConnected), true, 'the answer is the same node');
      assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'Half a thought');
      assert.equal(await page.evaluate(() => document.querySelector('agent-chat')?.status), 'streaming');
      await hand.press(control(page, 'Stop'));
    },
  },
];
