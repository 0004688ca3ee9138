import { expect, nextFrame, waitUntil } from '@open-wc/testing';
import type { LLMAgentEventData } from '../../../src/model/events/agent-events.ts';
import { says, wireAgent } from '../../runtime/support/wire-agent.ts';
import { find, inside, mount, type } from '../support/mount.ts';

const response = (text: string): Response => new Response(text, { headers: { 'content-type': 'text/event-stream' } });

const question = { ask: { action_type: 'question', content: 'Really?' }, request: { id: 'r' } };
const permission = {
  tool_call: 'permission-required',
  tool_call_id: 't',
  tool_call_name: 'delete_files',
  tool_call_params: '{}',
};

describe('an open question of a reply that is polled and changes', () => {
  /** Shows the question, whose reply grows with each response. `polled()` waits for so many responses. */
  async function ask(asked: object, control: string) {
    let count = 0;
    const source = (): Promise<Response> =>
      Promise.resolve(response(says(asked as Partial<LLMAgentEventData>, { content: 'x'.repeat(++count) })));
    const { chat, agent } = await mount({ protocol: wireAgent, persist: 'none', poll: { interval: 100, source } });
    chat.style.blockSize = '600px';
    agent.answer = () => response('');
    void chat.send('Go').catch(() => undefined);
    const focused = await inside(chat, `.ask ${control}`);
    const polled = async (more: number): Promise<void> => {
      const last = count + more;
      await waitUntil(() => count > last, 'responses come', { timeout: 5000 });
      await nextFrame();
    };
    return { chat, focused, polled };
  }

  for (const [name, asked, control] of [
    ['a question', question, 'input'],
    ['a permission', permission, 'button.primary'],
  ] as const)
    it(`keeps its card and the focus in it: ${name}`, async () => {
      const { chat, focused, polled } = await ask(asked, control);
      focused.focus();
      await polled(5);
      expect(focused.isConnected).to.equal(true);
      expect((chat.renderRoot as ShadowRoot).activeElement).to.equal(focused);
    });

  it('is answered by a text that was begun before the last response', async () => {
    const { chat, polled } = await ask(question, 'input');
    await nextFrame();
    type(chat, 'Ye');
    await polled(3);
    type(chat, 'Yes');
    await chat.updateComplete;
    find(chat, '[part="input"]').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    );
    const blocks = () => chat.messages.flatMap((message) => message.blocks);
    await waitUntil(() => blocks().some((block) => block.type === 'action' && block.status !== 'pending'));
    expect(blocks().find((block) => block.type === 'action')?.extra?.['answer']).to.equal('Yes');
  });
});
