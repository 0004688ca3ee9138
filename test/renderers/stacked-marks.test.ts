/** Browsers take quadratic time for the combining marks on one letter: 100,000 of them stop the page for many seconds. */
import { expect, waitUntil } from '@open-wc/testing';
import { render } from 'lit';
import { plainMessages } from '../../src/components/transcript/plain-messages.ts';
import { createLocalize } from '../../src/locales/localize.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { find, has } from '../components/support/mount.ts';
import type { LooseBlock } from '../support/messages.ts';
import { showBlock, showBlocks, update } from './support/show.ts';

const MARKS = '\u0301'.repeat(2000);
const STACKED = `a${MARKS}b`;

/** The largest number of marks and skin tones on one letter of a displayed text, also with joiners between them. */
const mostMarks = (element: Element): number =>
  Math.max(
    ...(element.textContent.match(/[\p{M}\p{Emoji_Modifier}\u2060]+/gu) ?? ['']).map(
      (marks) => (marks.match(/[^\u2060]/gu) ?? []).length,
    ),
  );

const blocks: Readonly<Record<string, LooseBlock>> = {
  Markdown: { type: 'content', content: STACKED },
  'inline code': { type: 'content', content: `\`${STACKED}\`` },
  'skin tones': { type: 'content', content: `a${'\u{1f3fd}'.repeat(2000)}b` },
  'marks with word joiners': { type: 'content', content: `a${`${'\u0301'.repeat(30)}\u2060`.repeat(60)}b` },
  'a code block': { type: 'content', content: `\`\`\`js\n${STACKED}\n\`\`\`` },
  'HTML in Markdown': { type: 'content', content: `<p>${STACKED}</p>` },
  'tags in Markdown': { type: 'content', content: `a${`${'\u0301'.repeat(30)}<b></b>`.repeat(60)}b` },
  'emphasis in Markdown': { type: 'content', content: `a${`**${'\u0301'.repeat(30)}**`.repeat(60)}b` },
  'plain text': { type: 'content', format: 'text', content: STACKED },
  HTML: { type: 'content', format: 'html', content: `<p>${STACKED}</p>` },
  'HTML with character references': { type: 'content', format: 'html', content: `<p>a${'&#769;'.repeat(2000)}b</p>` },
  'HTML of many elements': {
    type: 'content',
    format: 'html',
    content: `<p>a${`<b>${'\u0301'.repeat(30)}</b>`.repeat(100)}b</p>`,
  },
  code: { type: 'code', code: { language: 'js', content: STACKED } },
  'the output of code': { type: 'code', code: { language: 'js', content: '1', output: STACKED } },
  'the error of code': { type: 'code', code: { language: 'js', content: '1', error: STACKED } },
  'terminal output with colours': {
    type: 'command_result',
    commandResult: {
      success: true,
      output: `a${`\u001b[31m${'\u0301'.repeat(8)}\u001b[0m${'\u0301'.repeat(8)}`.repeat(100)}b`,
    },
  },
  'a tool result': { type: 'tool_call', tool_call: { id: 't', name: 'f', params: '{}', response: STACKED } },
  'a table': {
    type: 'data',
    data: { data_type: 'dataframe', data: { columns: [STACKED.slice(0, 900)], rows: [[STACKED]] } },
  },
  'a plan': { type: 'plan', plan: [{ title: STACKED, state: 'active' }] },
  'a question': { type: 'action', action_type: 'question', status: 'pending', content: STACKED },
  'an artifact in progress': { type: 'artifact-thinking', content: STACKED },
};

describe('combining marks on one letter', () => {
  for (const [name, block] of Object.entries(blocks)) {
    it(`rule 60: at most 32 are displayed: ${name}`, async () => {
      const { element } = await showBlock({ id: 'b', ...block });
      await waitUntil(() => /[ab]/.test(element.textContent) && mostMarks(element) > 7, 'the text comes', {
        timeout: 10_000,
      });
      expect(mostMarks(element)).to.be.at.most(32);
    });
  }

  it('rule 60: at most 32 are displayed: code that grows by a few of them', async () => {
    const code = (count: number): LooseBlock[] => [
      { id: 'b', type: 'content', content: `\`\`\`js\na${'\u0301'.repeat(count)}` },
    ];
    const chat = await showBlocks(code(3), { message: { status: 'streaming' } });
    await waitUntil(() => has(chat, 'agent-chat-code code'));
    for (let count = 6; count < 100; count += 3) {
      update(chat, code(count), { status: 'streaming' });
      await chat.updateComplete;
      await find<HTMLElement & { readonly updateComplete: Promise<unknown> }>(chat, 'agent-chat-code').updateComplete;
    }
    await waitUntil(() => find(chat, 'agent-chat-code code').textContent.length > 90);
    expect(mostMarks(find(chat, 'agent-chat-code code'))).to.be.at.most(32);
  });

  for (const [name, more] of Object.entries({
    'the summary of a tool': { summary: STACKED },
    'the error of a tool': { status: 'error', error: { message: STACKED } },
  } as const))
    it(`rule 60: at most 32 are displayed: ${name}`, async () => {
      const block: LooseBlock = { id: 'b', type: 'tool_call', tool_call: { id: 't', name: 'f' }, ...more };
      const { element } = await showBlock(block, { selector: '.sub-line' });
      expect(mostMarks(element)).to.be.within(1, 32);
    });

  for (const role of ['user', 'system'] as const)
    it(`rule 60: at most 32 are displayed: a message of the ${role}`, async () => {
      const chat = await showBlocks([{ id: 'b', type: 'content', content: 'x' }]);
      chat.messages = [{ role, text: STACKED }];
      const selector = role === 'user' ? '.bubble' : '.system-note p';
      await waitUntil(() => has(chat, selector), 'the message comes', { timeout: 10_000 });
      expect(mostMarks(find(chat, selector))).to.be.within(1, 32);
    });

  it('rule 60: at most 32 are displayed: a message while the elements of the transcript load', () => {
    const place = document.createElement('div');
    const blocks = [{ id: 'b', type: 'content', content: STACKED }];
    render(plainMessages([{ role: 'assistant', blocks } as unknown as ChatMessage], createLocalize('en')), place);
    expect(mostMarks(place)).to.be.within(1, 32);
  });

  it('those of code are shown as escapes, and copied unchanged', async () => {
    const { element } = await showBlock({ id: 'b', type: 'code', code: { language: 'js', content: STACKED } });
    await waitUntil(() => element.querySelector('code') !== null, 'the code comes', { timeout: 10_000 });
    const shown = `a${'\u0301'.repeat(8)}${'\\u0301'.repeat(1992)}b`;
    // Compared without \`expect\`, because it can't show the difference of texts this long.
    expect(element.querySelector('code')?.textContent === shown, 'they are escapes').to.equal(true);
    expect(
      element.querySelector<HTMLElement & { readonly code: string }>('agent-chat-code')?.code === STACKED,
    ).to.equal(true);
  });
});
