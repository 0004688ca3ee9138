/** What a reader has selected stays selected, in the nodes that it was in. */
import { after, before, describe } from 'node:test';
import type { Page } from 'playwright-core';
import * as acts from './support/acts.ts';
import { openSite, type Site } from './support/site.ts';
import { itStays, PAGES, type Stay } from './support/stay.ts';
import { STRICT } from './support/strict-csp.ts';
import { toldAgent } from './support/told-agent.ts';

const { cited, press, text, thought, tokens, tool } = acts;

interface Selection extends Pick<Stay, 'name' | 'said' | 'goesOn'> {
  /** What is selected, or from the first of them to the last. */
  readonly words?: string | readonly [from: string, to: string];
  /** Done before. */
  readonly opens?: (page: Page) => Promise<void>;
}

const selections: readonly Selection[] = [
  { name: 'an open paragraph', said: [text('The first words and a few')], words: 'first words' },
  { name: 'a finished paragraph', said: [text('The first words.\n\nThe second, and')] },
  {
    name: 'two blocks, from a finished one into the open one',
    said: [text('# The title\n\nThe words.\n\nThe second, and')],
    words: ['title', 'The second'],
  },
  { name: 'bold words that are open', said: [text('The **first words')], goesOn: tokens(' go** on.') },
  { name: 'code in a line that is open', said: [text('The `first words')], goesOn: tokens(' go` on.') },
  {
    name: 'the words before a link on its way',
    said: [text('The first words, see [the lo')],
    goesOn: tokens('g of it](https://a.example/x) and more'),
  },
  {
    name: 'the words before what looked like a link and is none',
    said: [text('The first words, see [the lo')],
    goesOn: tokens('g of it](https://a.example/ x) and more'),
  },
  { name: 'the words of a link in open text', said: [text('See [the first](https://a.example/) and')] },
  { name: 'an open list item', said: [text('- one\n- two, first words')] },
  { name: 'a finished list item', said: [text('- first\n- two')], goesOn: tokens(' go\n- on\n- and\n  - on') },
  { name: 'a list in a list', said: [text('1. one\n   - first words')] },
  { name: 'an open cell', said: [text(acts.TABLE)], words: 'two', goesOn: acts.TABLE_GOES_ON },
  { name: 'a finished cell', said: [text(acts.TABLE)], words: 'one', goesOn: acts.TABLE_GOES_ON },
  { name: 'an open quote', said: [text('> The first words')], goesOn: tokens(' go\n> on and **on**.') },
  { name: 'open code', said: [text(acts.CODE)], goesOn: acts.CODE_GOES_ON },
  { name: 'finished code, whose colours come', said: [text('```ts\nconst first = 1;\n```\n\nAnd')] },
  { name: 'an open heading', said: [text('## The first words')], goesOn: tokens(' of it\n\nAnd more') },
  { name: 'an open paragraph that is cited', said: [text('The first words.')], goesOn: [cited(), text(' And more.')] },
  {
    name: 'a finished paragraph that is cited behind it',
    said: [text('The first words. And others.\n\nAnd')],
    goesOn: [cited('The first words.')],
  },
  {
    name: 'a finished paragraph that is cited before it',
    said: [text('Others. The first words.\n\nAnd')],
    goesOn: [cited('Others.')],
  },
  {
    name: 'words without marks',
    said: [{ content: 'The *first words', format: 'text' }],
    goesOn: [{ content: '* and', format: 'text' }],
  },
  {
    name: 'HTML',
    said: [{ content: '<p>The first words', format: 'html' }],
    goesOn: [{ content: ' go <b>on</b>', format: 'html' }],
  },
  { name: 'a thought', said: [thought('The first words')], goesOn: [thought(' and more'), thought(' of it.\n\nAnd')] },
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
  { name: 'the words of the reader’s own', said: [text('Hello')], words: 'Go on' },
];

const toStay = ({ words = 'first', opens, ...row }: Selection): Stay => {
  const [from, to] = typeof words === 'string' ? [words, words] : words;
  return {
    ...row,
    // A node that a mark cuts in two goes on as its first part.
    holds: row.name.endsWith('cited before it') ? [] : [`"${from}"`, `"${to}"`],
    async act(page) {
      await opens?.(page);
      await acts.select(from, to)(page);
    },
  };
};

describe('a selection stays while a reply streams, and behind its end: in', () => {
  let site: Site;
  const agent = toldAgent();
  before(async () => {
    site = await openSite({ pages: PAGES, headers: { 'content-security-policy': STRICT }, agent: agent.handler });
  });
  after(() => site.close());
  itStays(selections.map(toStay), () => ({ site, agent }));
});
