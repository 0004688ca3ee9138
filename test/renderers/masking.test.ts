import { expect, waitUntil } from '@open-wc/testing';
import { rememberSentSecrets } from '../../src/safety/remember-secrets.ts';
import type { LooseBlock } from '../support/messages.ts';
import type { AgentChatCopy } from '../../src/primitives/copy-button.ts';
import { showBlock, showBlocks, wordsIn } from './support/show.ts';
import { find, wordsOf } from '../components/support/mount.ts';

const SHAPED = 'sk-abcdefghijklmnop';
const OURS = 'our-own-secret-value';
const SLASHED = 'a/secret/of-ours-1234';
const SAID = `the key is ${SHAPED} and ${OURS}`;
const MASKED = 'the key is *** and ***';

/**
 * Keys in tool output. Shown, copied and saved text is masked; the page reads the original. Source: docs/security.md,
 * rule 13.
 */
describe('rule 13: keys in what an agent’s tools say', () => {
  before(() => {
    rememberSentSecrets(new Headers({ 'x-api-key': OURS, authorization: `Token ${SLASHED}` }), []);
  });

  for (const [name, text] of Object.entries({
    'with escaped slashes': `{"a":"${SLASHED.replaceAll('/', String.raw`\/`)}"`,
    'percent-encoded': `?a=${encodeURIComponent(SLASHED)}`,
  })) {
    it(`a key in arguments, ${name}`, async () => {
      const { element } = await showBlock({
        type: 'tool_call',
        status: 'success',
        tool_call: { id: 't', name: 'f', params: text },
      });
      expect(wordsIn(element)).to.contain('***').and.not.to.contain('of-ours-1234');
    });
  }

  it('a key in arguments that the page’s question about its tool repeats', async () => {
    const { element } = await showBlock({
      type: 'action',
      action_type: 'tool_call_permission',
      status: 'pending',
      tool_call: { id: 't', name: 'f', params: `{"key":"${SHAPED}"}` },
      extra: { byPage: true, toolName: 'f', question: `Sign in with ${SHAPED}?` },
    });
    expect(element.parentElement!.innerHTML).to.contain('Sign in with ***?').and.not.to.contain(SHAPED);
  });

  const rows: readonly { readonly name: string; readonly block: LooseBlock }[] = [
    {
      name: 'the result of a successful call',
      block: { type: 'tool_call', status: 'success', tool_call: { id: 't', name: 'f', response: SAID } },
    },
    {
      name: 'a result as JSON',
      block: {
        type: 'tool_call',
        status: 'success',
        tool_call: { id: 't', name: 'f', response: JSON.stringify({ a: [SAID] }) },
      },
    },
    {
      name: 'the arguments, also in the call’s line',
      block: { type: 'tool_call', status: 'success', tool_call: { id: 't', name: 'f', params: `{"a":"${SAID}"}` } },
    },
    {
      name: 'the summary',
      block: { type: 'tool_call', status: 'success', summary: SAID, tool_call: { id: 't', name: 'f' } },
    },
    {
      name: 'the progress',
      block: {
        type: 'tool_call',
        status: 'loading',
        progress: { value: 0.5, message: SAID },
        tool_call: { id: 't', name: 'f' },
      },
    },
    {
      name: 'the error',
      block: { type: 'tool_call', status: 'error', error: { message: SAID }, tool_call: { id: 't', name: 'f' } },
    },
    {
      name: 'the output of a command',
      block: { type: 'command_result', commandResult: { success: false, output: SAID, error: SAID, exitCode: 1 } },
    },
    {
      name: 'the output of code',
      block: { type: 'code', code: { language: 'sh', content: 'env', output: SAID, error: SAID } },
    },
    { name: 'data', block: { type: 'data', data: { data_type: 'custom', data: { a: [SAID] } } } },
    {
      name: 'a table',
      block: { type: 'data', data: { data_type: 'dataframe', data: { name: 'T', columns: ['a'], rows: [[SAID]] } } },
    },
    {
      name: 'the columns and the name of a table',
      block: { type: 'data', data: { data_type: 'dataframe', data: { name: SAID, rows: [{ [SAID]: 1 }] } } },
    },
    {
      name: 'the labels of a chart',
      block: {
        type: 'data',
        data: {
          data_type: 'chart',
          data: { type: 'bar', name: SAID, columns: ['a', SAID], rows: [[SAID, 1]] },
        },
      },
    },
    {
      name: 'the description of a tool and its server',
      block: {
        type: 'tool_call',
        status: 'success',
        description: SAID,
        tool_call: { id: 't', name: 'f', server_name: SAID, response: 'x' },
      },
    },
    { name: 'a phase', block: { type: 'status', status: 'loading', phase: 'searching', message: SAID } },
    { name: 'an error', block: { type: 'error', status: 'error', content: SAID } },
    {
      name: 'the arguments of a permission',
      block: {
        type: 'action',
        action_type: 'tool_call_permission',
        status: 'pending',
        content: SAID,
        tool_call: { id: 't', name: 'f', params: `{"a":"${SAID}"}` },
      },
    },
  ];
  for (const { name, block } of rows) {
    it(`${name}: is shown and copied as ***`, async () => {
      const chat = await showBlocks([block], { settings: { showTools: 'open' } });
      await waitUntil(() => wordsOf(chat).includes('***'), undefined, { timeout: 10_000 });
      const { textContent } = find(chat, '[part="transcript"]');
      expect(textContent).to.contain(MASKED).and.not.to.contain(SHAPED).and.not.to.contain(OURS);
      for (const copy of chat.renderRoot.querySelectorAll<AgentChatCopy>('agent-chat-copy')) {
        const copied = typeof copy.value === 'function' ? copy.value() : copy.value;
        expect(copied).not.to.contain(SHAPED).and.not.to.contain(OURS);
      }
      expect(JSON.stringify(chat.messages), 'what the page reads').to.contain(SHAPED).and.to.contain(OURS);
    });
  }

  it('shows nothing of a key that is cut at the end of the shown part', async () => {
    const params = `${'x'.repeat(290)}${OURS}`;
    const { element } = await showBlock({
      type: 'tool_call',
      status: 'success',
      tool_call: { id: 't', name: 'f', params },
    });
    expect(wordsIn(element)).not.to.contain(OURS.slice(0, 8));
  });

  for (const format of ['json', 'markdown', 'openai-messages', 'agentscope-msgs'] as const) {
    it(`an export as ${format} contains *** instead`, async () => {
      const chat = await showBlocks([
        { type: 'content', content: SAID },
        { type: 'tool_call', status: 'success', tool_call: { id: 't', name: 'f', params: '{}', response: SAID } },
      ]);
      const text = await chat.exportConversation(format);
      expect(text).to.contain(MASKED).and.not.to.contain(SHAPED).and.not.to.contain(OURS);
    });
  }

  it('text that only resembles a credential stays', async () => {
    const { element } = await showBlock({
      type: 'tool_call',
      status: 'success',
      summary: 'A basic understanding of the bearer plant',
      tool_call: { id: 't', name: 'f', response: 'Bearer of news' },
    });
    expect(wordsIn(element)).to.contain('Bearer of news');
  });
});
