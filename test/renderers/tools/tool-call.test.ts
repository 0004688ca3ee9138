import { expect, waitUntil } from '@open-wc/testing';
import type { BlockOf } from '../../../src/model/blocks.ts';
import type { AgentChatCode } from '../../../src/primitives/code/code-block.ts';
import { find, has, wordsOf } from '../../components/support/mount.ts';
import { HOSTILE, named, showBlock, update, wordsIn, type Around } from '../support/show.ts';

type Tool = Partial<BlockOf<'tool_call'>>;
const tool = (more: Tool = {}) =>
  ({
    id: 'b',
    type: 'tool_call',
    status: 'success',
    tool_call: { id: 't', name: 'query_orders', params: '{"month":"March","top":3}', response: '{"rows":2}' },
    ...more,
  }) as const;
const show = (more: Tool = {}, around: Around = {}) => showBlock<HTMLDetailsElement>(tool(more), around);
const live: Around = { message: { status: 'streaming' } };

describe('the summary of a call', () => {
  const failed = async (summary: string): Promise<string> => {
    const { element } = await show({ status: 'error', error: { message: 'No access' }, summary });
    return wordsIn(element.parentElement ?? element);
  };

  it('is shown beside its error', async () => {
    expect(await failed('Tried three folders')).to.match(/No access\s+Tried three folders/);
  });

  it('is not repeated', async () => {
    expect((await failed('No access')).match(/No access/g)).to.have.length(1);
  });
});

describe('a tool call', () => {
  it('is one line with its readable name, its arguments in short and its duration', async () => {
    const { element } = await show({ duration: 800 });
    expect(wordsIn(element.querySelector('summary') ?? element)).to.match(/^Query orders March · 3 0\.8 ?s$/);
  });

  const names: readonly (readonly [string | undefined, string])[] = [
    ['query_orders', 'Query orders'],
    ['getWeather-today', 'Get weather today'],
    [undefined, 'Tool'],
  ];
  for (const [name, expected] of names) {
    it(`“${name ?? ''}” is shown as ${expected}`, async () => {
      const { element } = await show({ tool_call: { id: 't', ...(name !== undefined && { name }) } });
      expect(element.querySelector('summary b')?.textContent).to.equal(expected);
    });
  }

  it('is shown with the agent’s display name', async () => {
    const { element } = await show({ description: 'Find orders' });
    expect(element.querySelector('summary b')?.textContent).to.equal('Find orders');
  });

  it('rule 86: shows controls of the text direction in arguments and result as escapes', async () => {
    const { element } = await show({
      tool_call: { id: 't', name: 'run', params: '{"a":"b\u202ec"}', response: 'd\u2066e\u2069' },
    });
    const [params, response] = element.querySelectorAll('pre');
    expect(params?.textContent).to.contain('b\\u202ec');
    expect(response?.textContent).to.contain('d\\u2066e\\u2069');
  });

  it('expands to formatted arguments and result, each with a copy button and reachable by keyboard', async () => {
    const { element } = await show();
    expect(element.open).to.equal(false);
    element.querySelector('summary')?.click();
    await waitUntil(() => element.open);
    expect([...element.querySelectorAll('.label')].map(wordsIn)).to.deep.equal(['Arguments', 'Result']);
    const [params, response] = element.querySelectorAll('pre');
    expect(params?.textContent).to.equal('{\n  "month": "March",\n  "top": 3\n}');
    expect(response?.textContent).to.equal('{\n  "rows": 2\n}');
    expect([params?.tabIndex, response?.tabIndex]).to.deep.equal([0, 0]);
    expect(element.querySelectorAll('agent-chat-copy button[aria-label="Copy"]').length).to.equal(2);
  });

  it('shows a result that is not JSON as text', async () => {
    const { element } = await show({ tool_call: { id: 't', name: 'f', response: '2 rows\n  of 3' } });
    expect(element.querySelector('pre')?.textContent).to.equal('2 rows\n  of 3');
  });

  it('shows a long JSON result as a tree', async () => {
    const response = JSON.stringify({ rows: Array.from({ length: 300 }, (_, id) => ({ id })) });
    const { element } = await show({ tool_call: { id: 't', name: 'f', response } });
    expect(element.querySelector('.json-tree summary')?.textContent).to.contain('1 entry');
  });

  it('shows a result that is a diff with colours', async () => {
    const response = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n';
    const { element } = await show({ tool_call: { id: 't', name: 'f', response } });
    expect(element.querySelector<AgentChatCode>('agent-chat-code')?.language).to.equal('diff');
  });

  it('shows a result with terminal colours, and copies it without them', async () => {
    const { element } = await show({ tool_call: { id: 't', name: 'f', response: '\u001b[31mfailed\u001b[0m' } });
    expect(element.querySelector('pre')?.textContent).to.equal('failed');
    expect(element.querySelector('.ansi.red')?.textContent).to.equal('failed');
  });

  it('shows its arguments while they are streaming', async () => {
    const { chat, element } = await show(
      { status: 'loading', tool_call: { id: 't', name: 'f', params: '{"mon' } },
      live,
    );
    expect(wordsIn(element.querySelector('.argument') ?? element)).to.equal('{"mon');
    update(chat, [tool({ status: 'loading', tool_call: { id: 't', name: 'f', params: '{"month":1}' } })], live.message);
    await waitUntil(() => wordsIn(element.querySelector('.argument') ?? element) === '1');
    expect(element.isConnected, 'the same element').to.equal(true);
  });

  it('shows the elapsed time while it is running', async () => {
    const { chat, element } = await show({ status: 'loading', timestamp: Date.now() - 12_000 }, live);
    expect(wordsIn(element.querySelector('.time') ?? element)).to.match(/^12 ?s$/);
    expect(find(chat, '.step').dataset['state']).to.equal('running');
  });

  it('is not running when its reply has ended', async () => {
    const { chat } = await show({ status: 'loading' });
    expect(has(chat, 'agent-chat-elapsed')).to.equal(false);
    expect(find(chat, '.step').dataset['state']).not.to.equal('running');
  });

  it('shows its progress as a labelled bar with a text until it ends', async () => {
    const progress = { value: 0.5, message: 'Half of it' };
    const { chat } = await show({ status: 'loading', progress }, live);
    const bar = find<HTMLProgressElement>(chat, 'progress');
    expect([bar.value, bar.max, bar.getAttribute('aria-label')]).to.deep.equal([0.5, 1, 'Query orders']);
    expect(wordsOf(chat)).to.contain('Half of it');
    update(chat, [tool({ progress })], live.message);
    await waitUntil(() => !has(chat, 'progress'));
  });

  it('shows progress without a value as an indeterminate bar', async () => {
    const { chat } = await show({ status: 'loading', progress: { message: 'At work' } }, live);
    expect(find<HTMLProgressElement>(chat, 'progress').position).to.equal(-1);
  });

  it('shows a summary below it', async () => {
    const { chat } = await show({ summary: 'Found 2 orders' });
    expect(wordsIn(find(chat, '.sub-line'))).to.equal('Found 2 orders');
  });

  const problems: readonly { readonly name: string; readonly block: Tool; readonly expected: string }[] = [
    { name: 'an error', block: { status: 'error', error: { message: 'No such table' } }, expected: 'No such table' },
    {
      name: 'an error with a result only',
      block: { status: 'error', tool_call: { id: 't', name: 'f', response: 'Timed out' } },
      expected: 'Timed out',
    },
    {
      name: 'a tool that the page does not have',
      block: { status: 'error', error: { message: 'x', code: 'no-handler' } },
      expected: 'The page has no tool “query_orders”.',
    },
    {
      name: 'a tool that the page does not have, named like a key (rule 13),',
      block: {
        status: 'error',
        error: { message: 'x', code: 'no-handler' },
        tool_call: { id: 't', name: ['sk', 'a1b2'.repeat(12)].join('-') },
      },
      expected: 'The page has no tool “***”.',
    },
    { name: 'a denied call', block: { status: 'error', error: { message: 'x', code: 'denied' } }, expected: 'denied' },
    { name: 'a stopped call', block: { status: 'cancel' }, expected: 'cancelled' },
  ];
  for (const { name, block, expected } of problems) {
    it(`${name} is shown in a line of its own`, async () => {
      const { chat } = await show(block);
      expect(wordsIn(find(chat, '.sub-line .problem'))).to.equal(expected);
    });
  }

  it('shows the beginning of a long error, and all of it in the result', async () => {
    const response = 'x'.repeat(2000);
    const { chat, element } = await show({ status: 'error', tool_call: { id: 't', name: 'f', response } });
    expect(wordsIn(find(chat, '.problem')).length).to.be.lessThan(400);
    expect(element.querySelector('pre')?.textContent).to.equal(response);
  });

  it('shows hostile names, arguments and results as text', async () => {
    const { chat, element } = await show({
      status: 'error',
      description: `\u202E${HOSTILE}`,
      summary: HOSTILE,
      error: { message: HOSTILE },
      tool_call: { id: 't', name: HOSTILE, params: JSON.stringify({ a: HOSTILE }), response: HOSTILE },
    });
    expect(element.querySelector('summary b')?.textContent).to.equal(HOSTILE);
    expect(wordsIn(element.querySelector('.argument') ?? element)).to.equal(HOSTILE);
    expect(element.querySelectorAll('pre')[1]?.textContent).to.equal(HOSTILE);
    expect(named(find(chat, '[part="transcript"]'), 'Copy')).to.be.instanceOf(HTMLButtonElement);
    expect(has(chat, 'agent-chat-message img')).to.equal(false);
  });
});
