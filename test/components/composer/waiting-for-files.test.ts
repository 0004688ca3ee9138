import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import type { Upload } from '../../../src/runtime/attachments/attachments.ts';
import type { ScriptedAgent } from '../support/agent.ts';
import { button, find, has, inside, mount, type } from '../support/mount.ts';

const note = (): File => new File(['Hello'], 'notes.txt', { type: 'text/plain' });

interface Waiting {
  readonly chat: AgentChat;
  readonly agent: ScriptedAgent;
  readonly signals: readonly AbortSignal[];
  finishUploads(): void;
}

/** A widget whose user has pressed send while a file is being uploaded. */
async function waiting(settings: Partial<AgentChat> = {}, count = 1): Promise<Waiting> {
  const uploads: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const upload: Upload = (_file, { signal }) => {
    signals.push(signal);
    return new Promise((resolve) => {
      uploads.push(() => {
        resolve({ kind: 'file', url: 'https://files.example/1' });
      });
    });
  };
  const { chat, agent } = await mount({ attachments: '*', upload, persist: 'none', ...settings });
  chat.addMessage({ role: 'user', text: 'Earlier' });
  const input = find<HTMLInputElement>(chat, 'input[type="file"]');
  const transfer = new DataTransfer();
  for (let index = 0; index < count; index++) transfer.items.add(note());
  input.files = transfer.files;
  input.dispatchEvent(new Event('change'));
  await inside(chat, '.draft-file.uploading');
  type(chat, 'Private text');
  await inside(chat, '[part="send-button"]:enabled');
  find<HTMLButtonElement>(chat, '[part="send-button"]').click();
  await inside(chat, '.composer-line');
  return {
    chat,
    agent,
    signals,
    finishUploads: () => {
      for (const finish of uploads) finish();
    },
  };
}

/** What has become of the message: the number of requests, the text in the composer, and whether it still waits. */
const outcome = ({ chat, agent }: Waiting): readonly unknown[] => [
  agent.requests.length,
  find<HTMLTextAreaElement>(chat, '[part="input"]').value,
  has(chat, '.composer-line'),
];

const AGENTS = ['x', 'y'].map((id) => ({ id, name: id, endpoint: `/agent/${id}`, protocol: 'agent-session' }));

describe('a message that waits for its files', () => {
  for (const [name, before, after] of [
    ['another user', { storage: { user: 'anna' } }, { storage: { user: 'ben' } }],
    ['no user', { storage: { user: 'anna' } }, { storage: { user: undefined } }],
    ['another storage key', { storage: { key: 'one' } }, { storage: { key: 'two' } }],
  ] as const)
    for (const isAtOnce of [true, false])
      it(`rule 22: is not sent with the key of ${name}${isAtOnce ? ', also if the files are ready in the same moment' : ''}`, async () => {
        const wait = await waiting({ ...before, headers: { authorization: 'Bearer ANNA' } });
        const { chat } = wait;
        Object.assign(chat, { ...after, headers: { authorization: 'Bearer BEN' } });
        if (isAtOnce) wait.finishUploads();
        await chat.updateComplete;
        await aTimeout(50);
        wait.finishUploads();
        await aTimeout(50);
        expect(outcome(wait)).to.deep.equal([0, '', false]);
        expect([chat.messages.length, has(chat, '.draft-file')]).to.deep.equal([0, false]);
      });

  for (const [name, before, after] of [
    ['agent', { endpoint: undefined, agents: AGENTS, agent: 'x' }, { agent: 'y' }],
    ['endpoint', {}, { endpoint: '/other', headers: { authorization: 'Bearer OTHER' } }],
  ] as const)
    for (const isAtOnce of [true, false])
      it(`rule 90: is a draft again when another ${name} is chosen${isAtOnce ? ', also if the files are ready in the same moment' : ''}`, async () => {
        const wait = await waiting(before);
        const { chat, agent } = wait;
        Object.assign(chat, after);
        if (isAtOnce) wait.finishUploads();
        await waitUntil(() => !has(chat, '.composer-line'));
        wait.finishUploads();
        await inside(chat, '.draft-file.ready');
        await aTimeout(50);
        expect(outcome(wait)).to.deep.equal([0, 'Private text', false]);
        find<HTMLButtonElement>(chat, '[part="send-button"]').click();
        await agent.heard(1);
        expect(chat.messages.findLast(({ role }) => role === 'user')?.blocks.map((block) => block.type)).to.deep.equal([
          'content',
          'file',
        ]);
        agent.end('Yes.');
      });

  it('is sent if the page renews its headers and assigns the same settings meanwhile', async () => {
    const wait = await waiting({ storage: { user: 'anna' }, endpoint: undefined, agents: AGENTS, agent: 'x' });
    const { chat, agent } = wait;
    Object.assign(chat, { storage: { user: 'anna' }, agents: [...AGENTS], agent: 'x', messages: chat.messages });
    chat.messages = chat.messages.map((message) => ({ ...message }));
    chat.headers = { authorization: 'Bearer RENEWED' };
    await chat.updateComplete;
    wait.finishUploads();
    await agent.heard(1);
    agent.end('Yes.');
  });

  it('is a draft again when the page replaces the conversation', async () => {
    const wait = await waiting();
    Object.assign(wait.chat, { messages: [], headers: { authorization: 'Bearer OTHER' } });
    wait.finishUploads();
    await inside(wait.chat, '.draft-file.ready');
    await aTimeout(50);
    expect(outcome(wait)).to.deep.equal([0, 'Private text', false]);
  });

  it('is a draft again when the page imports a conversation', async () => {
    const wait = await waiting();
    await wait.chat.importConversation([{ role: 'user', content: 'Other' }], 'openai-messages');
    wait.finishUploads();
    await inside(wait.chat, '.draft-file.ready');
    await aTimeout(50);
    expect(outcome(wait)).to.deep.equal([0, 'Private text', false]);
  });

  it('is none before the element is in a document, where the page can already clear the conversation', () => {
    const chat = document.createElement('agent-chat');
    chat.messages = [{ role: 'user', text: 'Earlier' }];
    chat.clear();
    expect(chat.messages).to.deep.equal([]);
  });

  it('is not sent without a file that is removed; the text needs another press', async () => {
    const wait = await waiting({}, 2);
    button(wait.chat, 'Remove notes.txt').click();
    wait.finishUploads();
    await inside(wait.chat, '.draft-file.ready');
    await aTimeout(50);
    expect(outcome(wait)).to.deep.equal([0, 'Private text', false]);
    expect(wait.chat.renderRoot.querySelectorAll('.draft-file').length).to.equal(1);
  });

  it('ends with its uploads when the element is removed; they can be retried if it returns', async () => {
    const wait = await waiting();
    const { chat, signals } = wait;
    const parent = chat.parentElement;
    chat.remove();
    await waitUntil(() => signals[0]?.aborted === true, 'it is aborted', { timeout: 5000 });
    wait.finishUploads();
    parent?.append(chat);
    await inside(chat, '.draft-file.failed');
    expect(outcome(wait)).to.deep.equal([0, 'Private text', false]);
    button(chat, 'Try notes.txt again').click();
    await waitUntil(() => signals.length === 2);
    wait.finishUploads();
    await inside(chat, '.draft-file.ready');
    expect(wait.agent.requests.length).to.equal(0);
  });

  it('still waits when a framework moves the element, and when the page sets `keep-alive`', async () => {
    const wait = await waiting({ keepAlive: true });
    const { chat, agent, signals } = wait;
    const parent = chat.parentElement;
    chat.remove();
    await aTimeout(2200);
    parent?.append(chat);
    expect(signals[0]?.aborted).to.equal(false);
    wait.finishUploads();
    await agent.heard(1);
    agent.end('Yes.');
  });
});
