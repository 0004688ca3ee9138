/** Rendered nodes keep their state: focus, expansion, scrolling, hover and playback survive the next token. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import * as acts from './support/acts.ts';
import { installUserState } from './support/user-state.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';
import { itStays, PAGES, type StateCase } from './support/stay.ts';
import { STRICT } from './support/strict-csp.ts';
import { scriptedAgent } from './support/scripted-agent.ts';

const { cited, focus, inWidget, press, scroll, text, reasoning, tool } = acts;

const focused: readonly Omit<StateCase, 'interact'>[] = [
  { name: 'a link in finished text', responses: [text('See [the log](https://a.example/).\n\nAnd')], preserved: ['a'] },
  { name: 'a link in streaming text', responses: [text('See [the log](https://a.example/) and')], preserved: ['a'] },
  {
    name: 'the copy button of streaming code',
    responses: [text(acts.CODE)],
    preserved: ['.code-copy'],
    continuation: acts.CODE_GOES_ON,
  },
  {
    name: 'the copy button of finished code',
    responses: [text('```ts\nlet a;\n```\n\nAnd')],
    preserved: ['.code-copy'],
  },
  {
    name: 'streaming code',
    responses: [text(acts.CODE)],
    preserved: ['agent-chat-code pre'],
    continuation: acts.CODE_GOES_ON,
  },
  {
    name: 'a streaming table',
    responses: [text(acts.TABLE)],
    preserved: ['.table-scroll'],
    continuation: acts.TABLE_GOES_ON,
  },
  {
    name: 'a citation in finished text',
    responses: [text('It is.'), cited(), text('\n\nAnd')],
    preserved: ['button.citation'],
  },
  {
    name: 'a citation in streaming text',
    responses: [text('It is'), cited(), text(' so')],
    preserved: ['button.citation'],
  },
  {
    name: 'the line of running reasoning',
    responses: [reasoning('Look')],
    preserved: ['.thinking summary'],
    continuation: [reasoning(' first')],
  },
  { name: 'the line of a tool', responses: [tool('start')], preserved: ['.tool summary'], continuation: [tool('end')] },
  {
    name: 'the button of a permission',
    responses: [
      text('May I?'),
      tool('start'),
      tool('permission-required', {
        permission_request: { toolName: 'query', serverName: 'shop', permissionType: 'read', description: 'To look.' },
      }),
    ],
    preserved: ['.ask .primary'],
  },
  { name: 'the composer', responses: [text('Hello')], preserved: ['[part="input"]'] },
  { name: 'the transcript', responses: [text('Hello')], preserved: ['[part="transcript"]'] },
];

const opened: readonly StateCase[] = [
  {
    name: 'reasoning that continues, and would collapse in the end',
    responses: [reasoning('The first words and')],
    interact: press('.thinking summary'),
    preserved: ['.thinking details', '"first words"', 'details.activity'],
    continuation: [reasoning(' more'), tool('start'), tool('end', { tool_call_response: 'x' }), text('Done')],
  },
  {
    name: 'a tool that runs, is done, and would collapse',
    responses: [reasoning('Look.'), tool('start', { tool_call_params: '{"a":' })],
    interact: press('.tool summary'),
    preserved: ['details.tool', 'details.activity'],
    continuation: [
      tool('update', { tool_call_params: '1}' }),
      tool('end', { tool_call_response: '2 rows' }),
      text('Done'),
    ],
  },
  {
    name: 'a group of work',
    responses: [reasoning('Look.'), tool('start'), tool('end'), text('So')],
    interact: press('.activity > summary'),
    preserved: ['details.activity'],
  },
  {
    name: 'a disclosure in HTML that continues',
    responses: [{ content: '<details><summary>More</summary><p>first</p></details><p>And', format: 'html' }],
    interact: press('agent-chat-html summary'),
    preserved: ['agent-chat-html details', '"first"'],
    continuation: [
      { content: ' so', format: 'html' },
      { content: ' on</p>', format: 'html' },
    ],
  },
  {
    name: 'data',
    responses: [{ data: { data_type: 'custom', data: { a: { b: { c: 1 } } } } }, text('And')],
    interact: press('.json-tree details details details > summary'),
    preserved: ['.json-tree details', '.json-tree details details details'],
  },
];

const WIDE = 'wide '.repeat(60);
const LONG = `${WIDE}\n`.repeat(60);
const CELL = WIDE.replaceAll(' ', '_');
const scrolled: readonly Omit<StateCase, 'interact'>[] = [
  {
    name: 'streaming code',
    responses: [text(`\`\`\`ts\n${LONG}`)],
    preserved: ['agent-chat-code pre'],
    continuation: acts.CODE_GOES_ON,
  },
  {
    name: 'a streaming table',
    responses: [text(`| ${CELL} | b |\n|---|---|\n| one | two`)],
    preserved: ['.table-scroll'],
    continuation: acts.TABLE_GOES_ON,
  },
  {
    name: 'the result of a tool',
    responses: [tool('start'), tool('update', { tool_call_response: LONG })],
    preserved: ['.tool-body pre'],
    continuation: [tool('update', { tool_call_response: 'more\n' }), tool('end')],
  },
];

/** A second of silence, as a WAV file. */
const SILENCE = 'UklGRmQfAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YUAf'.padEnd(10_728, 'A');
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const media: readonly StateCase[] = [
  {
    name: 'a recording that is playing',
    responses: [{ media: { kind: 'audio', data: SILENCE, mimeType: 'audio/wav', name: 'Words' } }, text('So')],
    preserved: ['audio'],
    ready: (page) => inWidget(page, 'agent-chat-player button').click(),
    interact: (page) =>
      inWidget(page, 'audio').evaluate(async (audio: HTMLAudioElement) => {
        Object.assign(audio, { loop: true, muted: true });
        await audio.play();
      }),
  },
  {
    name: 'an image',
    responses: [{ media: { kind: 'image', data: PIXEL, mimeType: 'image/png', name: 'Pixel' } }, text('So')],
    preserved: ['agent-chat-image img'],
    interact: (page) => inWidget(page, 'agent-chat-image img').waitFor(),
  },
  {
    name: 'an image in streaming text',
    responses: [text(`See ![it](data:image/png;base64,${PIXEL}) and`)],
    preserved: ['agent-chat-image img'],
    interact: (page) => inWidget(page, 'agent-chat-image img').waitFor(),
  },
];

const LINES = 'A line of it.\n\n'.repeat(40);
/** The user has scrolled up to the beginning, where the pointer is over something. */
const hovered: readonly StateCase[] = ['a', 'agent-chat-code .code-copy', 'td'].map((selector) => ({
  name: selector,
  responses: [text(`[Log](https://a.example/)\n\n| a |\n|---|\n| b |\n\n\`\`\`ts\nlet a;\n\`\`\`\n\n${LINES}And`)],
  preserved: [selector],
  async interact(page: Page) {
    await inWidget(page, '[part="transcript"]').hover();
    await page.mouse.wheel(0, -10_000);
    await inWidget(page, '[part="scroll-button"]').waitFor();
    await inWidget(page, selector).hover();
  },
}));

describe('while a reply streams, and after its end,', () => {
  let site: Site;
  const agent = scriptedAgent();
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
      focused.map((row) => ({ ...row, interact: focus(row.preserved.join()) })),
      scene,
    );
    it('Tab reaches the next control, past the new content, from', async () => {
      const page = await site.visit('/');
      await installUserState(page);
      await agent.sendMessage(page);
      await agent.respond(page, text('See [one](https://a.example/1), [two](https://a.example/2) and'));
      await inWidget(page, 'a').focus();
      const onBy = async (key: string): Promise<unknown> => {
        await page.keyboard.press(key);
        return page.evaluate(() => document.querySelector('agent-chat')?.shadowRoot?.activeElement?.textContent);
      };
      await agent.respond(page, text(' [three](https://a.example/3).\n\nMore.'));
      // Text appears evenly, however it arrives.
      await inWidget(page, 'a[href$="/3"]').waitFor();
      assert.equal(await onBy('Tab'), 'two');
      await agent.respond(page, text('\n\nAnd more.'));
      assert.equal(await onBy('Tab'), 'three');
      await agent.end(page);
      assert.equal(await onBy('Shift+Tab'), 'two');
      await releaseContext(page);
    });
  });
  describe('expanded parts stay expanded:', () => {
    itStays(opened, scene);
  });
  describe('scrolled parts stay scrolled:', () => {
    itStays(
      scrolled.map((row) => ({
        ...row,
        async interact(page) {
          const selector = row.preserved.join();
          if (selector.startsWith('.tool')) await press('.tool summary')(page);
          await scroll(selector)(page);
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
