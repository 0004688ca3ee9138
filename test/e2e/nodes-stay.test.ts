/** Rendered nodes keep their state: focus, expansion, scrolling, hover and playback survive the next token. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import * as acts from './support/acts.ts';
import { comeAsReader } from './support/reader.ts';
import { leave, openSite, type Site } from './support/site.ts';
import { itStays, PAGES, type Stay } from './support/stay.ts';
import { STRICT } from './support/strict-csp.ts';
import { toldAgent } from './support/told-agent.ts';

const { cited, focus, inWidget, press, scroll, text, thought, tool } = acts;

const focused: readonly Omit<Stay, 'act'>[] = [
  { name: 'a link in finished text', said: [text('See [the log](https://a.example/).\n\nAnd')], holds: ['a'] },
  { name: 'a link in streaming text', said: [text('See [the log](https://a.example/) and')], holds: ['a'] },
  {
    name: 'the copy button of streaming code',
    said: [text(acts.CODE)],
    holds: ['.code-copy'],
    goesOn: acts.CODE_GOES_ON,
  },
  { name: 'the copy button of finished code', said: [text('```ts\nlet a;\n```\n\nAnd')], holds: ['.code-copy'] },
  { name: 'streaming code', said: [text(acts.CODE)], holds: ['agent-chat-code pre'], goesOn: acts.CODE_GOES_ON },
  { name: 'a streaming table', said: [text(acts.TABLE)], holds: ['.table-scroll'], goesOn: acts.TABLE_GOES_ON },
  { name: 'a citation in finished text', said: [text('It is.'), cited(), text('\n\nAnd')], holds: ['button.citation'] },
  { name: 'a citation in streaming text', said: [text('It is'), cited(), text(' so')], holds: ['button.citation'] },
  {
    name: 'the line of running reasoning',
    said: [thought('Look')],
    holds: ['.thinking summary'],
    goesOn: [thought(' first')],
  },
  { name: 'the line of a tool', said: [tool('start')], holds: ['.tool summary'], goesOn: [tool('end')] },
  {
    name: 'the button of a permission',
    said: [
      text('May I?'),
      tool('start'),
      tool('permission-required', {
        permission_request: { toolName: 'query', serverName: 'shop', permissionType: 'read', description: 'To look.' },
      }),
    ],
    holds: ['.ask .primary'],
  },
  { name: 'the composer', said: [text('Hello')], holds: ['[part="input"]'] },
  { name: 'the transcript', said: [text('Hello')], holds: ['[part="transcript"]'] },
];

const opened: readonly Stay[] = [
  {
    name: 'reasoning that continues, and would collapse in the end',
    said: [thought('The first words and')],
    act: press('.thinking summary'),
    holds: ['.thinking details', '"first words"', 'details.activity'],
    goesOn: [thought(' more'), tool('start'), tool('end', { tool_call_response: 'x' }), text('Done')],
  },
  {
    name: 'a tool that runs, is done, and would collapse',
    said: [thought('Look.'), tool('start', { tool_call_params: '{"a":' })],
    act: press('.tool summary'),
    holds: ['details.tool', 'details.activity'],
    goesOn: [tool('update', { tool_call_params: '1}' }), tool('end', { tool_call_response: '2 rows' }), text('Done')],
  },
  {
    name: 'a group of work',
    said: [thought('Look.'), tool('start'), tool('end'), text('So')],
    act: press('.activity > summary'),
    holds: ['details.activity'],
  },
  {
    name: 'a disclosure in HTML that continues',
    said: [{ content: '<details><summary>More</summary><p>first</p></details><p>And', format: 'html' }],
    act: press('agent-chat-html summary'),
    holds: ['agent-chat-html details', '"first"'],
    goesOn: [
      { content: ' so', format: 'html' },
      { content: ' on</p>', format: 'html' },
    ],
  },
  {
    name: 'data',
    said: [{ data: { data_type: 'custom', data: { a: { b: { c: 1 } } } } }, text('And')],
    act: press('.json-tree details details details > summary'),
    holds: ['.json-tree details', '.json-tree details details details'],
  },
];

const WIDE = 'wide '.repeat(60);
const LONG = `${WIDE}\n`.repeat(60);
const CELL = WIDE.replaceAll(' ', '_');
const scrolled: readonly Omit<Stay, 'act'>[] = [
  {
    name: 'streaming code',
    said: [text(`\`\`\`ts\n${LONG}`)],
    holds: ['agent-chat-code pre'],
    goesOn: acts.CODE_GOES_ON,
  },
  {
    name: 'a streaming table',
    said: [text(`| ${CELL} | b |\n|---|---|\n| one | two`)],
    holds: ['.table-scroll'],
    goesOn: acts.TABLE_GOES_ON,
  },
  {
    name: 'the result of a tool',
    said: [tool('start'), tool('update', { tool_call_response: LONG })],
    holds: ['.tool-body pre'],
    goesOn: [tool('update', { tool_call_response: 'more\n' }), tool('end')],
  },
];

/** A second of silence, as a WAV file. */
const SILENCE = 'UklGRmQfAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YUAf'.padEnd(10_728, 'A');
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const media: readonly Stay[] = [
  {
    name: 'a recording that is playing',
    said: [{ media: { kind: 'audio', data: SILENCE, mimeType: 'audio/wav', name: 'Words' } }, text('So')],
    holds: ['audio'],
    ready: (page) => inWidget(page, 'agent-chat-player button').click(),
    act: (page) =>
      inWidget(page, 'audio').evaluate(async (audio: HTMLAudioElement) => {
        Object.assign(audio, { loop: true, muted: true });
        await audio.play();
      }),
  },
  {
    name: 'an image',
    said: [{ media: { kind: 'image', data: PIXEL, mimeType: 'image/png', name: 'Pixel' } }, text('So')],
    holds: ['agent-chat-image img'],
    act: (page) => inWidget(page, 'agent-chat-image img').waitFor(),
  },
  {
    name: 'an image in streaming text',
    said: [text(`See ![it](data:image/png;base64,${PIXEL}) and`)],
    holds: ['agent-chat-image img'],
    act: (page) => inWidget(page, 'agent-chat-image img').waitFor(),
  },
];

const LINES = 'A line of it.\n\n'.repeat(40);
/** The user has scrolled up to the beginning, where the pointer is over something. */
const hovered: readonly Stay[] = ['a', 'agent-chat-code .code-copy', 'td'].map((selector) => ({
  name: selector,
  said: [text(`[Log](https://a.example/)\n\n| a |\n|---|\n| b |\n\n\`\`\`ts\nlet a;\n\`\`\`\n\n${LINES}And`)],
  holds: [selector],
  async act(page: Page) {
    await inWidget(page, '[part="transcript"]').hover();
    await page.mouse.wheel(0, -10_000);
    await inWidget(page, '[part="scroll-button"]').waitFor();
    await inWidget(page, selector).hover();
  },
}));

describe('while a reply streams, and after its end,', () => {
  let site: Site;
  const agent = toldAgent();
  before(async () => {
    site = await openSite({
      pages: PAGES,
      headers: { 'content-security-policy': STRICT.replace("media-src 'none'", 'media-src data:') },
      agent: agent.handler,
    });
  });
  after(() => site.close());
  const scene = () => ({ site, agent });

  describe('the focus stays on', () => {
    itStays(
      focused.map((row) => ({ ...row, act: focus(row.holds.join()) })),
      scene,
    );
    it('Tab reaches the next control, past the new content, from', async () => {
      const page = await site.visit('/');
      await comeAsReader(page);
      await agent.ask(page);
      await agent.say(page, text('See [one](https://a.example/1), [two](https://a.example/2) and'));
      await inWidget(page, 'a').focus();
      const onBy = async (key: string): Promise<unknown> => {
        await page.keyboard.press(key);
        return page.evaluate(() => document.querySelector('agent-chat')?.shadowRoot?.activeElement?.textContent);
      };
      await agent.say(page, text(' [three](https://a.example/3).\n\nMore.'));
      // Text appears evenly, however it arrives.
      await inWidget(page, 'a[href$="/3"]').waitFor();
      assert.equal(await onBy('Tab'), 'two');
      await agent.say(page, text('\n\nAnd more.'));
      assert.equal(await onBy('Tab'), 'three');
      await agent.end(page);
      assert.equal(await onBy('Shift+Tab'), 'two');
      await leave(page);
    });
  });
  describe('expanded parts stay expanded:', () => {
    itStays(opened, scene);
  });
  describe('scrolled parts stay scrolled:', () => {
    itStays(
      scrolled.map((row) => ({
        ...row,
        async act(page) {
          const place = row.holds.join();
          if (place.startsWith('.tool')) await press('.tool summary')(page);
          await scroll(place)(page);
        },
      })),
      scene,
    );
  });
  describe('the state stays unchanged:', () => {
    itStays(media, scene);
  });
  describe('the pointer stays on', () => {
    itStays(hovered, scene);
  });
});
