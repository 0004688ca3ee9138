/** A user's selection stays selected, in the same nodes. */
import { after, before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import * as acts from './support/acts.ts';
import { openSite, type Site } from './support/site.ts';
import { itStays, PAGES, type StateCase } from './support/stay.ts';
import { STRICT } from './support/strict-csp.ts';
import { scriptedAgent } from './support/scripted-agent.ts';

const { cited, press, text, reasoning, tokens, tool } = acts;

interface Selection extends Pick<StateCase, 'name' | 'responses' | 'continuation'> {
  /** The selected text, or the first and last of several. */
  readonly selection?: string | readonly [from: string, to: string];
  /** Whether a citation before the selection splits its text node. */
  readonly isSplit?: boolean;
  /** Done before the selection. */
  readonly opens?: (page: Page) => Promise<void>;
}

const selections: readonly Selection[] = [
  { name: 'a streaming paragraph', responses: [text('The first words and a few')], selection: 'first words' },
  { name: 'a finished paragraph', responses: [text('The first words.\n\nThe second, and')] },
  {
    name: 'two blocks, from a finished one into the streaming one',
    responses: [text('# The title\n\nThe words.\n\nThe second, and')],
    selection: ['title', 'The second'],
  },
  { name: 'unfinished bold text', responses: [text('The **first words')], continuation: tokens(' go** on.') },
  { name: 'code in an unfinished line', responses: [text('The `first words')], continuation: tokens(' go` on.') },
  {
    name: 'the text before an incomplete link',
    responses: [text('The first words, see [the lo')],
    continuation: tokens('g of it](https://a.example/x) and more'),
  },
  {
    name: 'the text before what looked like a link',
    responses: [text('The first words, see [the lo')],
    continuation: tokens('g of it](https://a.example/ x) and more'),
  },
  { name: 'the text of a link in streaming text', responses: [text('See [the first](https://a.example/) and')] },
  { name: 'a streaming list item', responses: [text('- one\n- two, first words')] },
  {
    name: 'a finished list item',
    responses: [text('- first\n- two')],
    continuation: tokens(' go\n- on\n- and\n  - on'),
  },
  { name: 'a nested list', responses: [text('1. one\n   - first words')] },
  { name: 'a streaming cell', responses: [text(acts.TABLE)], selection: 'two', continuation: acts.TABLE_GOES_ON },
  { name: 'a finished cell', responses: [text(acts.TABLE)], selection: 'one', continuation: acts.TABLE_GOES_ON },
  { name: 'a streaming quote', responses: [text('> The first words')], continuation: tokens(' go\n> on and **on**.') },
  { name: 'streaming code', responses: [text(acts.CODE)], continuation: acts.CODE_GOES_ON },
  { name: 'finished code before highlighting', responses: [text('```ts\nconst first = 1;\n```\n\nAnd')] },
  { name: 'a streaming heading', responses: [text('## The first words')], continuation: tokens(' of it\n\nAnd more') },
  {
    name: 'a streaming paragraph with a citation',
    responses: [text('The first words.')],
    continuation: [cited(), text(' And more.')],
  },
  {
    name: 'a finished paragraph with a later citation',
    responses: [text('The first words. And others.\n\nAnd')],
    continuation: [cited('The first words.')],
  },
  {
    name: 'a finished paragraph with an earlier citation',
    responses: [text('Others. The first words.\n\nAnd')],
    continuation: [cited('Others.')],
    isSplit: true,
  },
  {
    name: 'text without formatting',
    responses: [{ content: 'The *first words', format: 'text' }],
    continuation: [{ content: '* and', format: 'text' }],
  },
  {
    name: 'HTML',
    responses: [{ content: '<p>The first words', format: 'html' }],
    continuation: [{ content: ' go <b>on</b>', format: 'html' }],
  },
  {
    name: 'reasoning',
    responses: [reasoning('The first words')],
    continuation: [reasoning(' and more'), reasoning(' of it.\n\nAnd')],
  },
  {
    name: 'the arguments of a tool',
    responses: [tool('start', { tool_call_params: 'first ' })],
    opens: press('.tool summary'),
    continuation: [tool('update', { tool_call_params: 'and second' }), tool('end')],
  },
  {
    name: 'the result of a tool',
    responses: [tool('start'), tool('update', { tool_call_response: 'first line\n' })],
    opens: press('.tool summary'),
    continuation: [tool('update', { tool_call_response: 'and second\n' }), tool('end')],
  },
  { name: 'the user’s own message', responses: [text('Hello')], selection: 'Go on' },
];

const toStay = ({ selection = 'first', opens, isSplit = false, ...row }: Selection): StateCase => {
  const [from, to] = typeof selection === 'string' ? [selection, selection] : selection;
  return {
    ...row,
    // If a marker splits a node, the node remains its first part.
    preserved: isSplit ? [] : [`"${from}"`, `"${to}"`],
    async interact(page) {
      await opens?.(page);
      await acts.select(from, to)(page);
    },
  };
};

describe('a selection stays while a reply streams, and after its end: in', () => {
  let site: Site;
  const agent = scriptedAgent();
  before(async () => {
    site = await openSite({ pages: PAGES, headers: { 'content-security-policy': STRICT }, agent: agent.handler });
  });
  after(() => site.close());
  itStays(selections.map(toStay), () => ({ site, agent }));
});
