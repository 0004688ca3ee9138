/** A token changes the open block and nothing else. Counted, not timed. */
import { expect, waitUntil } from '@open-wc/testing';
import type { LitElement } from 'lit';
import type { AgentChat } from '../../../src/define.ts';
import type { ScriptedAgent } from '../support/agent.ts';
import { effort } from '../../support/effort.ts';
import { find, inside, mount, wordsOf } from '../support/mount.ts';

const TOKENS = effort(100, 3);

/** Longer than the delay after which a table in sight gets its buttons. */
const QUIET_MS = 500;

/** Streams words, each rendered before the next. */
async function stream(chat: AgentChat, agent: ScriptedAgent): Promise<void> {
  for (let count = 0; count < TOKENS; count++) {
    const word = `w${String(count)}.`;
    agent.write(`${count % 10 === 0 ? '**bold** ' : ''}${word} `);
    await waitUntil(() => find(chat, '[part="transcript"]').textContent.includes(word), word, { interval: 1 });
  }
}

/** Waits until nothing has changed for a while. */
async function settled(element: Element): Promise<void> {
  let last = performance.now();
  const watch = new MutationObserver(() => {
    last = performance.now();
  });
  watch.observe(element, { subtree: true, childList: true, characterData: true, attributes: true });
  await waitUntil(() => performance.now() - last > QUIET_MS, 'The page does not come to rest.', { timeout: 10_000 });
  watch.disconnect();
}

/** A conversation with all kinds of content, and a reply that streams its last block. */
async function midway(): Promise<{ chat: AgentChat; agent: ScriptedAgent; open: Element }> {
  const { chat, agent } = await mount({ suggestions: ['Where is it?'], heading: 'Harbor' });
  chat.messages = Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0
      ? { role: 'user' as const, text: `Question ${String(index)}` }
      : {
          role: 'assistant' as const,
          blocks: [
            { type: 'reasoning_content' as const, content: 'Look.', reasoning_time: { start: 0, end: 4000 } },
            {
              type: 'tool_call' as const,
              status: 'success' as const,
              tool_call: { id: 't', name: 'look', params: '{"a":1}' },
            },
            { type: 'content' as const, content: '# One\n\n- a\n- b\n\n```ts\nlet a;\n```\n\n| a |\n|---|\n| b |' },
          ],
        },
  );
  void chat.send('Hello');
  await agent.heard(1);
  agent.say({ type: 'thinking', data: { content: 'Look first.' } });
  agent.write(
    '# Title\n\nA finished paragraph with [a link](https://a.example/).\n\n```ts\nlet b;\n```\n\nThe open one ',
  );
  await waitUntil(() => wordsOf(chat).includes('The open one'));
  const open = [...chat.renderRoot.querySelectorAll('[part~="block-content"] p')].at(-1);
  if (!open) throw new Error('There is no open block.');
  await inside(chat, 'agent-chat-code pre');
  // The buttons of code and tables are loaded later, as separate modules; what is not in sight gets none.
  const view = find(chat, 'agent-chat-message-list').getBoundingClientRect();
  const isInSight = (element: Element): boolean => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > view.top && top < view.bottom;
  };
  await waitUntil(
    () =>
      [...chat.renderRoot.querySelectorAll('agent-chat-code, agent-chat-rows')]
        .filter(isInSight)
        .every((block) => block.querySelector('agent-chat-code-tools button, .table-bar button')),
    'A block has no buttons.',
    { timeout: 10_000 },
  );
  // A table that was in sight for a moment gets its buttons too.
  await settled(find(chat, '.panel'));
  return { chat, agent, open };
}

describe('a token', () => {
  it('changes the open block, and nothing else in the widget', async () => {
    const { chat, agent, open } = await midway();
    const elsewhere: string[] = [];
    let within = 0;
    const watch = new MutationObserver((records) => {
      for (const { target, type } of records) {
        if (open.contains(target)) within++;
        else
          elsewhere.push(`${type} of ${target instanceof Element ? target.outerHTML.slice(0, 80) : target.nodeName}`);
      }
    });
    watch.observe(find(chat, '.panel'), {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    await stream(chat, agent);
    watch.disconnect();
    expect(elsewhere).to.deep.equal([]);
    expect(within).to.be.greaterThan(TOKENS / 2);
    agent.end();
  }).timeout(60_000);

  it('renders its own message, and no other element', async () => {
    const { chat, agent } = await midway();
    const rendered = new Map<string, number>();
    const elements = [...chat.renderRoot.querySelectorAll<LitElement>('*')].filter(
      (element) => 'updateComplete' in element,
    );
    const growing = chat.renderRoot.querySelector('agent-chat-message:last-of-type');
    for (const element of elements) {
      Object.assign(element, {
        performUpdate(this: LitElement) {
          const name = element === growing ? 'the message' : element.localName;
          rendered.set(name, (rendered.get(name) ?? 0) + 1);
          (Object.getPrototypeOf(element) as { performUpdate(): void }).performUpdate.call(element);
        },
      });
    }
    await stream(chat, agent);
    const { 'the message': message = 0, 'agent-chat-message-list': list = 0, ...others } = Object.fromEntries(rendered);
    expect(others).to.deep.equal({});
    expect(message).to.be.within(1, TOKENS);
    expect(list).to.be.within(1, TOKENS);
    agent.end();
  }).timeout(60_000);

  for (const mode of ['inline', 'floating'] as const) {
    it(`renders no header, composer or launcher, in 1,000 of them: ${mode}`, async () => {
      const { chat, agent } = await midway();
      Object.assign(chat, { mode, open: true });
      await chat.updateComplete;
      const shell = { rendered: 0, hostUpdate: () => void shell.rendered++ };
      for (const element of [chat, inside<LitElement>(chat, 'agent-chat-composer')])
        (await element).addController(shell);
      const turns = effort(20);
      for (let turn = 0; turn < turns; turn++) {
        for (let count = 0; count < 1000 / turns; count++) agent.write(`${String(turn)}.${String(count)} `);
        await waitUntil(() => wordsOf(chat).includes(`${String(turn)}.0 `), undefined, { interval: 1 });
      }
      expect(shell.rendered).to.equal(0);
      // The end of the reply changes its buttons.
      agent.end();
      await waitUntil(() => chat.status === 'idle' && shell.rendered > 0);
    }).timeout(60_000);
  }

  it('renders once for many tokens of one frame', async () => {
    const { chat, agent } = await midway();
    let rendered = 0;
    const growing = chat.renderRoot.querySelector<LitElement>('agent-chat-message:last-of-type');
    if (!growing) throw new Error('There is no message.');
    Object.assign(growing, {
      performUpdate(this: LitElement) {
        rendered++;
        (Object.getPrototypeOf(growing) as { performUpdate(): void }).performUpdate.call(growing);
      },
    });
    let frames = 0;
    let counting = true;
    const count = (): void => {
      frames++;
      if (counting) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
    for (let index = 0; index < 1000; index++) agent.write(`x${String(index)} `);
    await waitUntil(() => wordsOf(chat).includes('x999'));
    counting = false;
    expect(rendered).to.be.within(1, frames + 1);
    agent.end();
  });
});
