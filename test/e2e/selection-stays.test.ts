/** A user's selection stays selected, in the same nodes. */
import { after, before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import * as acts from './support/acts.ts';
import { openSite, type Site } from './support/site.ts';
import { itStays, PAGES, type Stay } from './support/stay.ts';
import { STRICT } from './support/strict-csp.ts';
import { toldAgent } from './support/told-agent.ts';

const { cited, press, text, thought, tokens, tool } = acts;

interface Selection extends Pick<Stay, 'name' | 'said' | 'goesOn'> {
  /** The selected text, or the first and last of several. */
  readonly words?: string | readonly [from: string, to: string];
  /** Whether a citation before the selection splits its text node. */
  readonly isSplit?: boolean;
  /** Done before the selection. */
  readonly opens?: (page: Page) => Promise<void>;
}

const selections: readonly Selection[] = [
  { name: 'a streaming paragraph', said: [text('The first words and a few')], words: 'first words' },
  { name: 'a finished paragraph', said: [text('The first words.\n\nThe second, and')] },
  {
    name: 'two blocks, from a finished one into the streaming one',
    said: [text('# The title\n\nThe words.\n\nThe second, and')],
    words: ['title', 'The second'],
  },
  { name: 'unfinished bold text', said: [text('The **first words')], goesOn: tokens(' go** on.') },
  { name: 'code in an unfinished line', said: [text('The `first words')], goesOn: tokens(' go` on.') },
  {
    name: 'the text before an incomplete link',
    said: [text('The first words, see [the lo')],
    goesOn: tokens('g of it](https://a.example/x) and more'),
  },
  {
    name: 'the text before what looked like a link',
    said: [text('The first words, see [the lo')],
    goesOn: tokens('g of it](https://a.example/ x) and more'),
  },
  { name: 'the text of a link in streaming text', said: [text('See [the first](https://a.example/) and')] },
  { name: 'a streaming list item', said: [text('- one\n- two, first words')] },
  { name: 'a finished list item', said: [text('- first\n- two')], goesOn: tokens(' go\n- on\n- and\n  - on') },
  { name: 'a nested list', said: [text('1. one\n   - first words')] },
  { name: 'a streaming cell', said: [text(acts.TABLE)], words: 'two', goesOn: acts.TABLE_GOES_ON },
  { name: 'a finished cell', said: [text(acts.TABLE)], words: 'one', goesOn: acts.TABLE_GOES_ON },
  { name: 'a streaming quote', said: [text('> The first words')], goesOn: tokens(' go\n> on and **on**.') },
  { name: 'streaming code', said: [text(acts.CODE)], goesOn: acts.CODE_GOES_ON },
  { name: 'finished code before highlighting', said: [text('```ts\nconst first = 1;\n```\n\nAnd')] },
  { name: 'a streaming heading', said: [text('## The first words')], goesOn: tokens(' of it\n\nAnd more') },
  {
    name: 'a streaming paragraph with a citation',
    said: [text('The first words.')],
    goesOn: [cited(), text(' And more.')],
  },
  {
    name: 'a finished paragraph with a later citation',
    said: [text('The first words. And others.\n\nAnd')],
    goesOn: [cited('The first words.')],
  },
  {
    name: 'a finished paragraph with an earlier citation',
    said: [text('Others. The first words.\n\nAnd')],
    goesOn: [cited('Others.')],
    isSplit: true,
  },
  {
    name: 'text without formatting',
    said: [{ content: 'The *first words', format: 'text' }],
    goesOn: [{ content: '* and', format: 'text' }],
  },
  {
    name: 'HTML',
    said: [{ content: '<p>The first words', format: 'html' }],
    goesOn: [{ content: ' go <b>on</b>', format: 'html' }],
  },
  { name: 'reasoning', said: [thought('The first words')], goesOn: [thought(' and more'), thought(' of it.\n\nAnd')] },
  {
    name: 'the arguments of a tool',
    said: [tool('start', { tool_call_params: 'first ' })],
    opens: press('.tool summary'),
    goesOn: [tool('update', { tool_call_params: 'and second' }), tool('end')],
  },
  {
    name: 'the result of a tool',
    said: [tool('start'), tool('update', { tool_call_response: 'first line\n' })],
    opens: press('.tool summary'),
    goesOn: [tool('update', { tool_call_response: 'and second\n' }), tool('end')],
  },
  { name: 'the user’s own message', said: [text('Hello')], words: 'Go on' },
];

const toStay = ({ words = 'first', opens, isSplit = false, ...row }: Selection): Stay => {
  const [from, to] = typeof words === 'string' ? [words, words] : words;
  return {
    ...row,
    // If a marker splits a node, the node remains its first part.
    holds: isSplit ? [] : [`"${from}"`, `"${to}"`],
    async act(page) {
      await opens?.(page);
      await acts.select(from, to)(page);
    },
  };
};

describe('a selection stays while a reply streams, and after its end: in', () => {
  let site: Site;
  const agent = toldAgent();
  before(async () => {
    site = await openSite({ pages: PAGES, headers: { 'content-security-policy': STRICT }, agent: agent.handler });
  });
  after(() => site.close());
  itStays(selections.map(toStay), () => ({ site, agent }));
});
