/**
 * The renderer checklist, point by point. The reducer's points are tested in `test/conversation`. Source: DeepChat,
 * section 6.
 */
import { expect, waitUntil } from '@open-wc/testing';
import { createLocalize } from '../../src/locales/localize.ts';
import { en } from '../../src/locales/en.ts';
import { builtIn } from '../../src/renderers/built-in.ts';
import { renderBlock } from '../../src/renderers/render-block.ts';
import type { RenderContext } from '../../src/renderers/core/renderer.ts';
import { mediaLimits } from '../../src/safety/media-limits.ts';
import { has, inside, mount, warningsOf, wordsOf } from '../components/support/mount.ts';
import { deepFreeze } from '../support/deep-freeze.ts';
import { conversation, toolBlock, type LooseBlock } from '../support/messages.ts';
import { PIXEL } from '../support/pixel.ts';
import { showBlock, showBlocks, update, wordsIn } from './support/show.ts';

const SAID: LooseBlock = { type: 'content', content: 'Behind it.' };
const PERMISSION = {
  id: 'p',
  type: 'action',
  action_type: 'tool_call_permission',
  tool_call: { id: 't', name: 'delete_order' },
} as const;
const LIMIT = { providerId: 'openai', qpsLimit: 1, currentQps: 1.5, queueLength: 3 };

/** One event in the format `deepchat-events`. */
const event = (type: 'response' | 'error' | 'end', data: Readonly<Record<string, unknown>>) => ({
  type,
  data: { eventId: 'e', ...data },
});
const call = (state: string, more: Readonly<Record<string, unknown>> = {}) =>
  event('response', { tool_call: state, tool_call_id: 't', tool_call_name: 'query', ...more });

/** A widget whose agent is streaming an answer. */
async function mountStreaming(): Promise<Awaited<ReturnType<typeof mount>>> {
  const mounted = await mount({ protocol: 'deepchat-events' });
  void mounted.chat.send('Hello');
  await mounted.agent.heard(1);
  return mounted;
}

const context: RenderContext = {
  settings: {
    localize: createLocalize('en'),
    showReasoning: 'collapsed',
    showTools: 'collapsed',
    agentName: 'Assistant',
    imageHosts: '',
    artifacts: 'source',
    readAloud: false,
    math: false,
    limits: mediaLimits,
  },
  message: conversation({ role: 'assistant', text: 'x' })[0] ?? {
    id: '',
    role: 'assistant',
    status: 'complete',
    blocks: [],
    timestamp: 0,
  },
  growing: false,
  act: () => undefined,
};

describe('renderer checklist', () => {
  it('checklist 1: every block type of the table has a renderer, and no other type has one', () => {
    expect(Object.keys(builtIn).sort()).to.deep.equal(
      [
        ...['content', 'search', 'reasoning_content', 'error', 'tool_call', 'action', 'image', 'artifact-thinking'],
        ...['data', 'audio', 'video', 'file', 'code', 'command_result', 'progress', 'plan', 'ui', 'status'],
      ].sort(),
    );
  });

  for (const block of [
    { type: 'tool_call_permission', content: 'x' },
    { type: 'action', action_type: 'mystery', status: 'pending' },
    { type: 'action', action_type: 'constructor', status: 'pending' },
    { type: 'data', data: null },
  ]) {
    const { type, action_type } = block as { readonly type: string; readonly action_type?: string };
    it(`checklist 1: ${[type, action_type].filter(Boolean).join(' ')} is not in the table: it is ignored and logged, without an error`, async () => {
      const warnings = await warningsOf(async () => {
        const chat = await showBlocks([block as unknown as LooseBlock, SAID]);
        await inside(chat, '[part~="block-content"]');
        await Promise.all([
          import('../../src/renderers/actions/action.ts'),
          import('../../src/renderers/data/data.ts'),
        ]);
        await waitUntil(() => !has(chat, '.skeleton'));
        expect(wordsOf(chat)).to.match(/^Behind it\./);
      });
      expect(warnings.length).to.be.greaterThan(0);
    });
  }

  it('checklist 2: events with one tool_call.id make one row, another id makes another', async () => {
    const { chat, agent } = await mountStreaming();
    agent.say(call('start', { tool_call_params: '{"a":' }), call('running', { tool_call_params: '1}' }));
    agent.say(call('start', { tool_call_id: 'u', tool_call_name: 'other' }));
    await waitUntil(() => chat.renderRoot.querySelectorAll('.tool').length === 2);
    expect([...chat.renderRoot.querySelectorAll('.tool .argument')].map(wordsIn)).to.deep.equal(['1', '']);
    chat.stop();
  });

  for (const last of ['end', 'error'] as const) {
    it(`checklist 2: after “${last}” a row never runs again`, async () => {
      const { chat, agent } = await mountStreaming();
      agent.say(call('start'), call(last, { tool_call_response: 'Result' }));
      agent.say(call('running', { tool_call_response: 'late' }), call('start'), event('response', { content: 'So:' }));
      await waitUntil(() => wordsOf(chat).includes('So:'));
      expect(chat.renderRoot.querySelectorAll('.tool').length).to.equal(1);
      expect(wordsOf(chat)).to.contain('Result').and.not.to.contain('late');
      expect(has(chat, '.step[data-state="running"]')).to.equal(false);
      chat.stop();
    });
  }

  it('checklist 3: a permission is an action of type tool_call_permission that is granted or denied once', async () => {
    const { chat, element } = await showBlock({ ...PERMISSION, status: 'pending' });
    expect(element.querySelectorAll('.actions button').length).to.equal(4);
    for (const [status, words] of [
      ['granted', 'Delete order allowed'],
      ['denied', 'Delete order denied'],
    ] as const) {
      update(chat, [{ ...PERMISSION, status }]);
      await waitUntil(() => wordsOf(chat).includes(words));
      expect(has(chat, '.ask, .actions')).to.equal(false);
    }
  });

  it('checklist 4: a rate limit shows provider, limit, current rate, queue and the wait, if known', async () => {
    const extra = { ...LIMIT, estimatedWaitTime: 42_000 };
    const { element } = await showBlock({
      type: 'action',
      action_type: 'rate_limit',
      status: 'pending',
      extra,
      timestamp: Date.now(),
    });
    for (const words of [/openai/, /1\.5 of 1 requests/, /3 in the queue/, /4[12] ?s left/]) {
      expect(wordsIn(element)).to.match(words);
    }
  });

  it('checklist 4 (gap): a wait of more than a minute is a notice without buttons', async () => {
    const { chat, agent } = await mountStreaming();
    agent.say(event('response', { rate_limit: { ...LIMIT, estimatedWaitTime: 60_001 } }));
    const notice = await inside(chat, '.notice.error');
    expect(wordsIn(notice)).to.match(/Rate limit of openai reached: 1 ?m 0 ?s to wait/);
    chat.stop();
  });

  for (const [name, image_data] of [
    ['a type that is not allowed', { data: btoa('<svg/>'), mimeType: 'image/svg+xml' }],
    ['a type other than declared', { data: PIXEL, mimeType: 'image/webp' }],
    ['over 2 MB', { data: PIXEL + 'A'.repeat(2.8 * 1024 * 1024), mimeType: 'image/png' }],
  ] as const) {
    it(`checklist 5: an image of ${name} is not shown, and the reason is`, async () => {
      const { element } = await showBlock({ type: 'image', image_data });
      expect(element.querySelector('img')).to.equal(null);
      expect(wordsIn(element)).not.to.equal('');
    });
  }

  it('checklist 5: a shown image loads lazily', async () => {
    const { element } = await showBlock({ type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' } });
    expect(element.querySelector('img')?.loading).to.equal('lazy');
  });

  for (const userStop of [false, true]) {
    it(`checklist 6: at the end${userStop ? ' after the user stopped' : ''} loading blocks have ${userStop ? 'stopped' : 'failed'}, a permission stays pending`, async () => {
      const { chat, agent } = await mountStreaming();
      agent.say(
        call('start'),
        event('response', {
          tool_call: 'permission-required',
          tool_call_id: 'q',
          permission_request: { toolName: 'rm', serverName: 's', permissionType: 'write', description: '' },
        }),
      );
      await inside(chat, '.ask');
      agent.say(event('end', { userStop }));
      agent.hangUp();
      await inside(chat, `.step[data-state="${userStop ? 'cancel' : 'error'}"]`);
      expect(has(chat, '.step[data-state="running"]')).to.equal(false);
      expect(chat.renderRoot.querySelectorAll('.ask .actions button').length).to.equal(4);
      chat.stop();
    });
  }

  it('checklist 7: every block of a reply has a timestamp, and timestamps never decrease', async () => {
    const { chat, agent } = await mountStreaming();
    agent.say(
      call('start'),
      event('response', { content: 'a' }),
      call('end'),
      event('response', { rate_limit: LIMIT }),
    );
    await waitUntil(() => (chat.messages.at(-1)?.blocks.length ?? 0) === 3);
    const times = chat.messages.at(-1)?.blocks.map(({ timestamp }) => timestamp) ?? [];
    expect(times.every((time) => Number.isFinite(time))).to.equal(true);
    expect(times.toSorted((left, right) => left - right)).to.deep.equal(times);
    chat.stop();
  });

  const everything: readonly LooseBlock[] = [
    { type: 'reasoning_content', content: '–', reasoning_time: { start: 0, end: 4000 } },
    { ...toolBlock('t', '–', '{}', '–', true), error: { message: '', code: 'denied' } },
    { ...PERMISSION, status: 'pending', content: '–', tool_call: { name: '–', params: '{"–":1}' } },
    { ...PERMISSION, status: 'granted', tool_call: { name: '–' } },
    { type: 'action', action_type: 'maximum_tool_calls_reached', status: 'pending' },
    { type: 'action', action_type: 'rate_limit', status: 'pending', extra: { ...LIMIT, providerId: '–' } },
    { type: 'action', action_type: 'question', status: 'pending' },
    { type: 'action', action_type: 'confirmation', status: 'pending' },
    { type: 'image', url: 'https://1.1/' },
    { type: 'audio', url: 'https://1.1/' },
    { type: 'search', content: '–' },
    { type: 'error', status: 'error', content: '', extra: { recoverable: true, code: '–' } },
    { type: 'command_result', commandResult: { success: true, output: '–' } },
    { type: 'data', data: { data_type: 'dataframe', data: { columns: ['–'], rows: [[1]] } } },
    { type: 'data', data: { data_type: 'custom', data: [] } },
    { type: 'code', code: { language: '', content: '–' } },
    { type: 'status', phase: 'thinking' },
  ];
  /** Names of formats are the same in every language. */
  const FORMATS = new Set(['CSV', 'Markdown']);
  it('checklist 8: every text that a user sees or hears is from the catalogue', async () => {
    // In this language every text is the same Cyrillic letter. Any Latin text was not in the catalogue.
    const strings = Object.fromEntries(Object.keys(en).map((key) => [key, 'ж']));
    const chat = await showBlocks(everything, { settings: { strings, showTools: 'open', showReasoning: 'open' } });
    await waitUntil(() => !has(chat, '.skeleton') && has(chat, 'table') && has(chat, '.json-tree'), 'all is drawn', {
      timeout: 10_000,
    });
    await waitUntil(() => has(chat, '[part~="block-search"]'));
    // Times of day are written by the browser.
    for (const time of chat.renderRoot.querySelectorAll('time')) time.remove();
    const names = [...chat.renderRoot.querySelectorAll('agent-chat-message *')].flatMap((element) =>
      ['aria-label', 'title', 'alt', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
    );
    const words = [wordsOf(chat), ...names].join(' ').match(/[a-z]{2,}/gi);
    expect((words ?? []).filter((word) => !FORMATS.has(word))).to.deep.equal([]);
  });

  it('checklist 9: rendering a block has no side effects: no event except `blocked`, no request, no change of the message', async () => {
    const { chat, agent } = await mount();
    const emitted: string[] = [];
    for (const name of ['action', 'event', 'send', 'message', 'error', 'link', 'blocked', 'feedback'] as const) {
      chat.addEventListener(`agent-chat-${name}` as 'agent-chat-event', () => emitted.push(name));
    }
    chat.messages = [{ role: 'assistant', blocks: everything }];
    const before = chat.messages;
    await waitUntil(() => has(chat, '.json-tree') && has(chat, '[part~="block-search"]'), 'all is drawn', {
      timeout: 10_000,
    });
    expect(emitted.filter((name) => name !== 'blocked')).to.deep.equal([]);
    expect(agent.requests.length).to.equal(0);
    expect(chat.messages).to.equal(before);
  });

  it('checklist 9: choosing a renderer changes neither the block nor its message', async () => {
    const blocks = conversation({ role: 'assistant', blocks: everything })[0]?.blocks ?? [];
    const frozen = { ...context, message: deepFreeze({ ...context.message, blocks }) };
    // `renderBlock` reports errors of a renderer as warnings, including a write to frozen data.
    const warnings = await warningsOf(() => {
      for (const block of blocks)
        expect(renderBlock(deepFreeze(block), frozen, []), block.type).to.not.equal(undefined);
      return Promise.resolve();
    });
    expect(warnings).to.deep.equal([]);
  });
});
