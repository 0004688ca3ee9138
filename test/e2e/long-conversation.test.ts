import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { answering, releaseContext, openSite, sessionStream, type Site } from './support/site.ts';

const COUNT = 10_000;
/** CSS pixels: more than the gap between two messages. */
const ROOM = 60;

/** Puts a conversation of many shapes into the widget. */
const fill = (page: Page): Promise<void> =>
  page.evaluate(async (count) => {
    const chat = document.querySelector('agent-chat');
    if (!chat) throw new Error('There is no widget.');
    const shapes = [
      (index: number) => `Answer ${String(index)}, in a line.`,
      (index: number) =>
        `Answer ${String(index)}.\n\n- one\n- two\n- three\n\n\`\`\`ts\nconst a = ${String(index)};\n\`\`\``,
      (index: number) => `Answer ${String(index)}.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n${'More of it. '.repeat(120)}`,
    ];
    chat.messages = Array.from({ length: count }, (_, index) => ({
      id: `m${String(index)}`,
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      text: index % 2 === 0 ? `Question ${String(index)}` : (shapes[index % 3]?.(index) ?? ''),
    }));
    while (!chat.shadowRoot?.querySelector('agent-chat-message article')) await new Promise(requestAnimationFrame);
  }, COUNT);

interface Seen {
  readonly gap: number;
  readonly messages: number;
  readonly nodes: number;
  readonly top: number;
}

/** Scrolls to a fraction of the height, and measures what is then in view. */
const lookAt = (page: Page, share: number): Promise<Seen> =>
  page.evaluate(async (share) => {
    const list = document.querySelector('agent-chat')?.shadowRoot?.querySelector('agent-chat-message-list');
    if (!list) throw new Error('There is no transcript.');
    list.scrollTop = share * (list.scrollHeight - list.clientHeight);
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const view = list.getBoundingClientRect();
    const rows = [...list.querySelectorAll('agent-chat-message')];
    let line = Math.max(view.top, list.firstElementChild?.getBoundingClientRect().top ?? 0);
    let gap = 0;
    for (const { top, bottom } of rows.map((row) => row.getBoundingClientRect())) {
      if (bottom < view.top || top > view.bottom) continue;
      gap = Math.max(gap, top - line);
      line = bottom;
    }
    return {
      gap: Math.max(gap, view.bottom - line),
      messages: rows.length,
      nodes: list.querySelectorAll('*').length,
      top: list.scrollTop,
    };
  }, share);

/** A screenshot of the transcript as painted now, or as it would be without its messages. */
const pictureOf = (page: Page, style = ''): Promise<Buffer> =>
  page.locator('agent-chat-message-list').screenshot({ style });
const WITHOUT_MESSAGES = 'agent-chat-message { visibility: hidden !important }';

describe('a conversation of 10,000 messages', () => {
  let site: Site;
  let page: Page;
  before(async () => {
    site = await openSite({ pages: { '/': '<agent-chat endpoint="/agent"></agent-chat>' } });
    page = await site.visit('/');
    page.setDefaultTimeout(60_000);
    await fill(page);
  });
  after(() => site.close());

  it('has no gap anywhere on the way from its end to its start and back, and few nodes', async () => {
    const steps = Array.from({ length: 21 }, (_, step) => 1 - step / 20);
    for (const share of [...steps, ...steps.toReversed()]) {
      const seen = await lookAt(page, share);
      assert.ok(seen.gap < ROOM, `a gap of ${String(seen.gap)} px at ${String(share)}`);
      assert.ok(seen.messages < 80, `${String(seen.messages)} messages`);
      assert.ok(seen.nodes < 4000, `${String(seen.nodes)} nodes`);
    }
    const start = await lookAt(page, 0);
    assert.equal(start.top, 0);
    assert.ok(await page.getByText('Question 0', { exact: true }).isVisible());
    await lookAt(page, 1);
    assert.ok(
      await page
        .getByText(`Answer ${String(COUNT - 1)}`)
        .first()
        .isVisible(),
    );
  });

  it('is painted at every step of the way', async () => {
    for (const share of [1, 0.7, 0.3, 0, 0.4, 0.8, 1]) {
      await lookAt(page, share);
      const [painted, blank] = [await pictureOf(page), await pictureOf(page, WITHOUT_MESSAGES)];
      assert.ok(!painted.equals(blank), `nothing is painted at ${String(share)}`);
      assert.ok(blank.equals(await pictureOf(page, WITHOUT_MESSAGES)), 'nothing else changes a picture');
    }
  });

  it('is exported and copied completely', async () => {
    const { exported, copied } = await page.evaluate(async () => {
      const chat = document.querySelector('agent-chat');
      const list = chat?.shadowRoot?.querySelector('agent-chat-message-list');
      if (!chat || !list) throw new Error('There is no transcript.');
      list.focus();
      list.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, composed: true }));
      const event = new ClipboardEvent('copy', { cancelable: true, clipboardData: new DataTransfer() });
      list.dispatchEvent(event);
      return {
        exported: await chat.exportConversation('markdown'),
        copied: event.clipboardData?.getData('text/plain') ?? '',
      };
    });
    for (const text of [exported, copied]) assert.equal(text.match(/(?:Question|Answer) \d+/g)?.length, COUNT);
  });

  it('is searched completely', async () => {
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox').fill('Question 4242');
    await page.getByRole('status').getByText('1 of 1').waitFor();
    assert.ok(await page.getByText('Question 4242', { exact: true }).isVisible());
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('searchbox').count(), 0);
  });
});

describe('100,000 messages', () => {
  let site: Site;
  before(async () => {
    site = await openSite({
      pages: { '/': '<agent-chat endpoint="/agent" protocol="agent-session"></agent-chat>' },
      agent: answering(sessionStream('Fine.')),
    });
  });
  after(() => site.close());

  it('can be assigned, continued, exported and cleared', async () => {
    const page = await site.visit('/');
    page.setDefaultTimeout(60_000);
    const seen = await page.evaluate(async () => {
      const chat = document.querySelector('agent-chat');
      if (!chat) throw new Error('There is no widget.');
      chat.messages = Array.from({ length: 100_000 }, (_, index) => ({
        role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
        text: `Message ${String(index)}`,
      }));
      const reply = await chat.send('And?');
      const first = chat.messages[0];
      const exported = await chat.exportConversation('markdown');
      const nodes = chat.shadowRoot?.querySelectorAll('*').length ?? 0;
      const { length } = chat.messages;
      chat.clear();
      return {
        status: reply.status,
        first: first?.blocks[0]?.content,
        exported: exported.match(/Message \d+/g)?.length,
        hasFewNodes: nodes < 2000,
        length,
        cleared: chat.messages.length,
      };
    });
    assert.deepEqual(seen, {
      status: 'complete',
      first: 'Message 0',
      exported: 100_000,
      hasFewNodes: true,
      length: 100_002,
      cleared: 0,
    });
    await releaseContext(page);
  });
});
