import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { define, type AgentChat } from '../../../src/define.ts';
import '../../../src/components/conversation-chunk.ts';
import { inside, next, wordsOf } from '../support/mount.ts';

define();

/** Longer than any pause of the script, shorter than the widget's time limits. */
const LONGEST_PAUSE_MS = 2000;

/** Runs the script without the pauses that it makes for users. */
function withoutPauses<T>(act: () => Promise<T>): Promise<T> {
  const { setTimeout: usual } = globalThis;
  globalThis.setTimeout = ((callback: () => void, milliseconds = 0) =>
    usual(callback, milliseconds < LONGEST_PAUSE_MS ? 0 : milliseconds)) as typeof setTimeout;
  return act().finally(() => {
    globalThis.setTimeout = usual;
  });
}

/** The URLs that are requested during an action. */
async function requestsDuring(act: () => Promise<unknown>): Promise<readonly string[]> {
  const asked: string[] = [];
  const { fetch: usual } = globalThis;
  globalThis.fetch = (input, init) => {
    asked.push(input instanceof Request ? input.url : String(input));
    return usual(input, init);
  };
  await act().finally(() => {
    globalThis.fetch = usual;
  });
  return asked;
}

const make = (): Promise<AgentChat> => fixture<AgentChat>(html`<agent-chat demo lang="en"></agent-chat>`);

describe('<agent-chat demo>', () => {
  it('offers its examples, and answers without an endpoint and without the network', async () => {
    const chat = await make();
    await inside(chat, '.starter');
    const permission = [...chat.renderRoot.querySelectorAll<HTMLElement>('.starter')].find(({ textContent }) =>
      textContent.includes('A permission'),
    );
    const asked = await requestsDuring(() =>
      withoutPauses(async () => {
        permission?.click();
        await waitUntil(() => chat.status === 'awaiting-action', 'it asks', { timeout: 10_000 });
        const block = chat.messages.at(-1)?.blocks.at(-1);
        const over = next(chat, 'agent-chat-message');
        await chat.respond(block?.id ?? '', 'denied');
        await over;
      }),
    );
    await waitUntil(() => wordsOf(chat).includes('nothing was done'));
    expect(asked).to.deep.equal([]);
    await inside(chat, '[part="suggestions"]');
  });

  it('calls no function of the page', async () => {
    const chat = await make();
    const called: string[] = [];
    chat.endpoint = '/never';
    chat.headers = () => {
      called.push('headers');
      return {};
    };
    chat.fetch = () => {
      called.push('fetch');
      return Promise.reject(new TypeError('never'));
    };
    const reply = await withoutPauses(() => chat.send('What does trouble look like?'));
    expect([called, reply.status]).to.deep.equal([[], 'error']);
  });

  it('keeps the page’s starters', async () => {
    const chat = await fixture<AgentChat>(html`<agent-chat demo lang="en" suggestions='["Mine"]'></agent-chat>`);
    expect((await inside(chat, '.starter')).textContent.trim()).to.equal('Mine');
  });
});
