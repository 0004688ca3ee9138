/** Limits of the rendered content for any input. The rest is counted, or shown after a click. */
import { expect, waitUntil } from '@open-wc/testing';
import { render } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import { createLocalize } from '../../src/locales/localize.ts';
import type { ViewSettings } from '../../src/renderers/core/renderer.ts';
import { phaseLabel } from '../../src/renderers/status/phase.ts';
import { builtIn } from '../../src/renderers/built-in.ts';
import { parseJson } from '../../src/model/json.ts';
import { toChart } from '../../src/renderers/data/parse-chart.ts';
import { toTable } from '../../src/renderers/data/parse-table.ts';
import { formatJsonText } from '../../src/renderers/tools/format-arguments.ts';
import type { AgentChatHtml } from '../../src/markdown/render/html-block.ts';
import type { AgentChatCode } from '../../src/primitives/code/code-block.ts';
import type { AgentChatCopy } from '../../src/primitives/copy-button.ts';
import { find, has } from '../components/support/mount.ts';
import type { LooseBlock } from '../support/messages.ts';
import { named, showBlock, showBlocks, update, wordsIn } from './support/show.ts';

const many = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index));

describe('limits of rendered content', () => {
  const limits = { shownLength: 20 };
  const first: LooseBlock = { id: 'a', type: 'content', content: 'First words.' };
  const second: LooseBlock = { id: 'b', type: 'content', content: '**Second** words and more.', format: 'markdown' };

  it('Markdown above its limit is shown on request', async () => {
    const chat = await showBlocks([{ ...first, content: 'x'.repeat(25) }], { settings: { limits } });
    const block = find(chat, '[part~="block-content"]');
    expect(wordsIn(block)).to.equal(`${'x'.repeat(20)} Show more`);
    named(block, 'Show more').click();
    expect(wordsIn(block)).to.equal('x'.repeat(25));
  });

  for (const [name, source, elements] of [
    ['elements', '<p>a</p>'.repeat(20_000), 2048],
    ['nested elements', '<div>'.repeat(20_000), 4096],
    ['characters', `<div>${'word '.repeat(40_000)}</div>`, 1],
  ] as const)
    it(`rule 61: the rest of an answer in HTML is shown as text: ${name}`, async () => {
      const { element } = await showBlock({ id: 'b', type: 'content', format: 'html', content: source });
      const rendered = (): number => element.querySelectorAll('agent-chat-html *').length;
      await waitUntil(() => rendered() > 0, 'the HTML comes', { timeout: 10_000 });
      expect(rendered()).to.be.at.most(elements);
      const { source: start } = element.querySelector('agent-chat-html') as AgentChatHtml;
      await waitUntil(() => element.querySelector('agent-chat-rest button') !== null, 'the button comes');
      named(element, 'Show the rest as text').click();
      await waitUntil(() => element.querySelector('agent-chat-code') !== null, 'the rest comes');
      const rest = element.querySelector<AgentChatCode>('agent-chat-code')?.code ?? '';
      expect(start + rest).to.equal(source);
    });

  for (const name of ['del', 'ins', 'q', 's', 'u'])
    it(`rule 60: of <${name}> elements in each other, which a browser paints at each text, eight draw something`, async () => {
      const content = `<p>${`<${name}>a`.repeat(20)}${`</${name}>b`.repeat(20)}</p>`;
      const { element } = await showBlock({ id: 'b', type: 'content', format: 'html', content });
      await waitUntil(() => element.querySelectorAll(name).length === 20, 'the HTML comes', { timeout: 10_000 });
      expect(element.textContent).to.contain('a'.repeat(20) + 'b'.repeat(20));
      const draws = (decorated: Element): boolean =>
        name === 'q'
          ? getComputedStyle(decorated, '::before').content !== 'none'
          : getComputedStyle(decorated).textDecorationLine !== 'none';
      expect([...element.querySelectorAll(name)].filter(draws).length).to.equal(8);
    });

  it('the limit covers all blocks of the message', async () => {
    const chat = await showBlocks([first, { id: 't', type: 'tool_call', tool_call: {} }, second], {
      settings: { limits },
    });
    const blocks = [...find(chat, 'article').querySelectorAll('[part~="block-content"]')].map(wordsIn);
    expect(blocks[0]).to.equal('First words.');
    expect(blocks[1]).to.match(/^Second\S* Show more$|^\*\*Second Show more$/);
  });

  it('rendered nodes stay the same when the limit is reached', async () => {
    const around = { settings: { limits }, message: { status: 'streaming' as const } };
    const { chat, element } = await showBlock({ id: 'b', type: 'content', content: 'One.\n\nTwo.' }, around);
    const node = element.querySelector('p')?.firstChild;
    update(chat, [{ id: 'b', type: 'content', content: 'One.\n\nTwo. And far too much.' }], { status: 'streaming' });
    await waitUntil(() => wordsIn(element).includes('Show more'));
    expect(element.querySelector('p')?.firstChild).to.equal(node);
    expect(wordsIn(element)).to.equal('One.Two. And far t Show more');
  });

  it('a surrogate pair is not split', async () => {
    const { element } = await showBlock(
      { type: 'content', content: 'ab😀cd' },
      { settings: { limits: { shownLength: 3 } } },
    );
    expect(wordsIn(element)).to.equal('ab Show more');
  });

  it('rule 66: a permission says how many characters of its arguments are not shown', async () => {
    const asked = (params: string): LooseBlock => ({
      type: 'action',
      status: 'pending',
      action_type: 'tool_call_permission',
      tool_call: { name: 'look_up', params },
    });
    const params = JSON.stringify(Object.fromEntries(many(6000, (index) => [`key${String(index)}`, index])));
    const { element } = await showBlock(asked(params));
    expect(element.querySelectorAll('*').length).to.be.lessThan(100);
    const hidden = JSON.stringify(JSON.parse(params), undefined, 2).length - 65_536;
    expect(wordsIn(element)).to.include(`Characters not shown: ${hidden.toLocaleString('en')}`);
    const long = await showBlock(asked(JSON.stringify({ one: 'x'.repeat(150_000), two: 'y' })));
    expect(wordsIn(long.element)).to.include('Characters not shown: 84,4');
    const escaped = await showBlock(asked('\u2066'.repeat(60_000)));
    const hiddenEscapes = 60_000 * 6 - 65_536;
    expect(wordsIn(escaped.element).slice(-200)).to.include(
      `Characters not shown: ${hiddenEscapes.toLocaleString('en')}`,
    );
    const short = await showBlock(asked('{"a":1}'));
    expect(wordsIn(short.element)).not.to.include('not shown');
  });

  it('rule 66: a message of 4,096 blocks shows the last ones, with a button for the others', async () => {
    const blocks = many(4096, (index): LooseBlock => ({
      id: `b${String(index)}`,
      type: 'file',
      name: `f${String(index)}`,
    }));
    const chat = await showBlocks(blocks);
    const article = find(chat, 'article');
    const names = (): readonly string[] => [...article.querySelectorAll('.object b')].map(wordsIn);
    await waitUntil(() => names().length > 0);
    expect([names().length, names()[0], names().at(-1)]).to.deep.equal([500, 'f3596', 'f4095']);
    const last = article.querySelector('.object:last-of-type');
    named(article, 'Show more (3,596)').click();
    expect([names().length, names()[0], names().at(-1)]).to.deep.equal([1000, 'f3096', 'f4095']);
    expect(article.querySelector('.object:last-of-type')).to.equal(last);
  });

  it('rule 66: a plan of 10,000 steps shows the first ones', async () => {
    const plan = many(10_000, (index) => ({ title: String(index), state: 'pending' as const }));
    const { element } = await showBlock({ type: 'plan', plan });
    expect(element.querySelectorAll('li').length).to.be.lessThan(250);
  });

  it('a tree has a maximum number of leaves in any shape', async () => {
    const data = many(190, () => many(190, (index) => index));
    const { element } = await showBlock({ type: 'data', data: { data_type: 'custom', data } });
    expect(element.querySelectorAll('.json-leaf, details').length).to.be.within(1000, 5500);
    expect(wordsIn(element)).to.contain('…');
  });

  it('a tool result is rendered in part, and copied completely', async () => {
    const response = 'x'.repeat(300_000);
    const { element } = await showBlock({ type: 'tool_call', tool_call: { id: 't', name: 'f', response } });
    expect(element.querySelector('pre')?.textContent.length).to.be.within(65_536, 65_546);
    const copy = element.querySelector<AgentChatCopy>('agent-chat-copy');
    const copied = typeof copy?.value === 'function' ? copy.value() : copy?.value;
    // Compared without `expect`, because it can't show the difference of texts this long.
    expect(copied === response, 'all of it is copied').to.equal(true);
  });

  it('rule 95: a tool result is not formatted where its indentation would be many times as long', () => {
    const nested = `${'['.repeat(250)}${many(10_000, () => '1').join(',')}${']'.repeat(250)}`;
    expect(formatJsonText(nested) === nested, 'it is as it was sent').to.equal(true);
    expect(formatJsonText('[[1]]')).to.equal('[\n  [\n    1\n  ]\n]');
  });

  it('rule 95: the numbers of citations are found in time in proportion to their number', async () => {
    let reads = 0;
    const citations = many(2000, (index) => ({
      id: String(index),
      end: index,
      get url() {
        reads++;
        return `https://a.example/${String(index)}`;
      },
    }));
    await showBlock({ type: 'content', content: 'x'.repeat(2000), citations });
    expect(reads).to.be.below(100_000);
  });

  it('deeply nested arguments are shown as text', async () => {
    const params = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { element } = await showBlock({ type: 'tool_call', tool_call: { id: 't', name: 'f', params } });
    expect(element.querySelector('pre')?.textContent.startsWith('[[[[')).to.equal(true);
  });

  it('the text of an error is cut', async () => {
    const { element } = await showBlock({ type: 'error', status: 'error', content: 'x'.repeat(10_000) });
    expect(wordsIn(element).length).to.be.lessThan(2100);
  });

  for (const { name, block } of [
    { name: 'a step', block: { type: 'plan', plan: [{ title: 'x'.repeat(10_000), state: 'active' }] } },
    { name: 'progress', block: { type: 'progress', progress: { current: 1, total: 2, message: 'x'.repeat(10_000) } } },
    { name: 'a search', block: { type: 'search', status: 'success', content: 'x'.repeat(10_000) } },
    { name: 'a file', block: { type: 'file', name: 'x'.repeat(10_000), url: 'https://a.example/x' } },
    {
      name: 'a tool and its server',
      block: {
        type: 'tool_call',
        description: 'x'.repeat(10_000),
        tool_call: { id: 't', name: 'f', server_name: 'x'.repeat(10_000) },
      },
    },
    {
      name: 'a table, its columns and its cells',
      block: {
        type: 'data',
        data: {
          data_type: 'dataframe',
          data: { name: 'x'.repeat(10_000), columns: ['x'.repeat(10_000)], rows: [['x'.repeat(10_000)]] },
        },
      },
    },
  ] as const) {
    it(`rule 95: the text of ${name} is cut`, async () => {
      const { element } = await showBlock(block as LooseBlock);
      await waitUntil(() => wordsIn(element).includes('xxx'));
      expect(wordsIn(element).length).to.be.lessThan(9000);
    });
  }

  for (const { name, block } of [
    { name: 'plain text', block: { type: 'content', format: 'text', content: 'x'.repeat(1_000_000) } },
    { name: 'lines', block: { type: 'content', format: 'text', content: 'x\n'.repeat(500_000) } },
    {
      name: "a permission's reason",
      block: { type: 'action', action_type: 'tool_call_permission', status: 'pending', content: 'x'.repeat(1_000_000) },
    },
    {
      name: 'a question',
      block: { type: 'action', action_type: 'question', status: 'pending', content: 'x'.repeat(1_000_000) },
    },
    {
      name: 'a confirmation that was answered',
      block: { type: 'action', action_type: 'confirmation', status: 'granted', content: 'x'.repeat(1_000_000) },
    },
    { name: 'an artifact in progress', block: { type: 'artifact-thinking', content: 'x'.repeat(1_000_000) } },
  ] as const) {
    it(`rule 61: the rest of ${name} is shown on request`, async () => {
      const { element } = await showBlock({ id: 'b', ...block });
      await waitUntil(() => element.querySelector('agent-chat-rest button') !== null, 'the button comes', {
        timeout: 10_000,
      });
      expect(element.textContent.length).to.be.lessThan(40_000);
      expect(element.textContent.split('\n').length).to.be.lessThan(2200);
      expect(element.getAttribute('aria-label')?.length ?? 0).to.be.lessThan(2100);
      const shown = element.textContent.split('x').length - 'Show the rest as text'.split('x').length;
      named(element, 'Show the rest as text').click();
      await waitUntil(() => element.querySelector('agent-chat-code') !== null, 'the rest comes');
      const rest = element.querySelector<AgentChatCode>('agent-chat-code')?.code ?? '';
      expect(shown + rest.replaceAll('\n', '').length).to.equal(block.content.replaceAll('\n', '').length);
    });
  }

  for (const role of ['user', 'system'] as const)
    it(`rule 61: the rest of a message of the ${role} is shown on request`, async () => {
      const text = 'x\n'.repeat(500_000);
      const chat = await showBlocks([first]);
      chat.messages = [{ role, text }];
      await waitUntil(() => has(chat, 'agent-chat-rest button'), 'the button comes', { timeout: 10_000 });
      const article = find(chat, role === 'user' ? '.bubble' : '.system-note p');
      const shown = article.textContent.split('\n').length - 1;
      expect(shown).to.equal(2048);
      named(article, 'Show the rest as text').click();
      await waitUntil(() => article.querySelector('agent-chat-code') !== null, 'the rest comes');
      const rest = article.querySelector<AgentChatCode>('agent-chat-code')?.code ?? '';
      expect(rest.length).to.equal(text.length - 2 * 2048);
    });

  it('rule 61: the label of a suggestion is cut', async () => {
    const suggestions = [{ label: 'x'.repeat(100_000), prompt: 'x'.repeat(100_000) }];
    const chat = await showBlocks([first], { message: { suggestions } });
    await waitUntil(() => has(chat, '[part~="suggestion"]'));
    expect(wordsIn(find(chat, '[part~="suggestion"]')).length).to.equal(2001);
  });

  it('rule 61: the outcome of a long question stays visible', async () => {
    const content = 'x'.repeat(1_000_000);
    const { element } = await showBlock({ type: 'action', action_type: 'question', status: 'cancel', content });
    expect(wordsIn(element)).to.match(/x…: no longer needed$/);
    expect(wordsIn(element).length).to.be.lessThan(2100);
  });

  it('rule 61: an option says how much of it is not shown, and is sent as a whole', async () => {
    const label = 'x'.repeat(100_000);
    const options = [{ label, description: label }];
    const ask: LooseBlock = { type: 'action', action_type: 'question', status: 'pending', extra: { options } };
    const { element } = await showBlock(ask);
    expect(wordsIn(element.querySelector('.choice b') ?? element)).to.match(/x… \(Characters not shown: 99,000\)$/);
    expect(wordsIn(element).length).to.be.lessThan(4000);
  });

  it('rule 61: the text that is shown while a renderer loads is cut', () => {
    const { component } = builtIn.search;
    const shown = (component as (props: never, next: () => unknown) => unknown)(
      { block: { type: 'search', content: 'x'.repeat(10_000) } } as never,
      () => undefined,
    );
    const [, , meanwhile] = (shown as DirectiveResult & { readonly values: readonly unknown[] }).values;
    const place = document.createElement('div');
    render(meanwhile, place);
    expect(wordsIn(place)).to.equal(`${'x'.repeat(2000)}…`);
  });

  it('rule 95: the text of a phase is cut', () => {
    const label = phaseLabel({ phase: 'a', message: 'x'.repeat(10_000), start: 0 }, {
      localize: createLocalize('en'),
    } as ViewSettings);
    expect(label.length).to.equal(2001);
  });

  it('rule 95: a chart of more than 10,000 points is shown as a table', async () => {
    const series = many(50, (index) => ({ name: String(index), data: many(1000, Number) }));
    const { element } = await showBlock({ type: 'data', data: { data_type: 'chart', data: { type: 'bar', series } } });
    await waitUntil(() => element.querySelector('table') !== null);
    expect(element.querySelector('canvas')).to.equal(null);
  });

  it('suggestions and options are limited', async () => {
    const suggestions = many(500, (index) => ({ label: String(index), prompt: 'x' }));
    const chat = await showBlocks([first], { message: { suggestions } });
    await waitUntil(() => has(chat, '[part~="suggestion"]'));
    expect(find(chat, '[part~="suggestions"]').querySelectorAll('button').length).to.equal(20);

    const options = many(1000, (index) => ({ label: String(index) }));
    const ask: LooseBlock = { type: 'action', action_type: 'question', status: 'pending', extra: { options } };
    const { element } = await showBlock(ask);
    expect(element.querySelectorAll('.choice').length).to.equal(200);
  });

  it('a search shows a limited number of results, and their total', async () => {
    const pages = many(1000, (index) => ({ title: String(index), url: 'https://a.example/' }));
    const { element } = await showBlock({ type: 'search', status: 'success', content: 'x', extra: { pages } });
    expect(element.querySelectorAll('li').length).to.equal(200);
    expect(wordsIn(element)).to.contain('1,000 results');
  });

  it('a table has a limited number of columns and cells: a few bytes may declare any number of rows', () => {
    const wide = toTable({ columns: many(100_000, String), rows: many(100_000, () => []) });
    expect(wide?.columns.length).to.equal(200);
    expect(wide?.rows.length).to.equal(2500);
    expect(toTable({ columns: ['a'], rows: many(10_000, () => [1]) })?.rows.length).to.equal(10_000);
  });

  it('a chart has a limited number of series and points', () => {
    const chart = toChart({ series: many(100, () => ({ data: many(20_000, (index) => index) })) });
    expect([chart?.series.length, chart?.labels.length]).to.deep.equal([50, 10_000]);
    expect(toChart({ series: many(20_000, (index) => index) })?.labels.length).to.equal(10_000);
  });
});

describe('parseJson()', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const rows = [
    { name: 'exactly the maximum depth', text: nested(256), isRead: true },
    { name: 'one level deeper', text: nested(257), isRead: false },
    { name: 'a million levels', text: nested(1_000_000), isRead: false },
    { name: 'objects', text: `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, isRead: false },
    { name: 'brackets in text', text: JSON.stringify(`"\\${'['.repeat(1000)}`), isRead: true },
    { name: 'adjacent brackets', text: `[${'[],'.repeat(1000)}[]]`, isRead: true },
  ];
  for (const { name, text, isRead } of rows) {
    it(`${name}: ${isRead ? 'read' : 'not read'}`, () => {
      expect(parseJson(text) !== undefined).to.equal(isRead);
    });
  }
});
