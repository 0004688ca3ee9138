import { expect, waitUntil } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import { button, find, has, inside, mount, next, type, wordsOf } from '../support/mount.ts';

const textsOf = (messages: readonly ChatMessage[]): readonly string[] =>
  messages.map((message) => `${message.role}: ${message.blocks.map((block) => block.content ?? '').join('')}`);

/** The events of a turn that ends with a question to the user, in the format `deepchat-events`. */
const ASKS = [
  {
    type: 'response',
    data: {
      eventId: 'e1',
      tool_call: 'permission-required',
      tool_call_id: 't1',
      tool_call_name: 'delete_order',
      tool_call_params: '{"id":7}',
      permission_request: {
        toolName: 'delete_order',
        serverName: 'shop',
        permissionType: 'write',
        description: 'Delete order 7',
      },
    },
  },
  { type: 'end', data: { eventId: 'e1', userStop: false } },
];

describe('a conversation', () => {
  it('shows the user’s message immediately, then the answer as it streams', async () => {
    const { chat, agent } = await mount();
    const sent = chat.send('Where is my order?');
    await inside(chat, '[part~="message-user"]');
    expect(wordsOf(chat)).to.contain('Where is my order?');
    await agent.heard(1);
    agent.write('It is ');
    await inside(chat, '[part~="message-assistant"] p');
    expect(chat.status).to.equal('streaming');
    expect(chat.matches(':state(streaming)')).to.equal(true);
    agent.end('on its **way**.');
    const answer = await sent;
    expect(answer.status).to.equal('complete');
    expect(textsOf(chat.messages)).to.deep.equal(['user: Where is my order?', 'assistant: It is on its **way**.']);
    await waitUntil(() => has(chat, 'strong'));
    expect(chat.status).to.equal('idle');
    expect(chat.getAttribute('status')).to.equal('idle');
  });

  it('reports every step to the page: every event leaves its shadow root', async () => {
    const { chat, agent } = await mount();
    const emitted: string[] = [];
    for (const name of ['send', 'event', 'message', 'error'] as const) {
      document.body.addEventListener(`agent-chat-${name}`, () => emitted.push(name), { once: true });
    }
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.end('Hello.');
    await sent;
    expect(emitted).to.deep.equal(['send', 'event', 'message']);
  });

  it('`messages` is a new array for every change, with unchanged messages as the same objects', async () => {
    const { chat, agent } = await mount({});
    chat.messages = [{ role: 'user', text: 'Before' }];
    const before = chat.messages;
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.write('One');
    await waitUntil(() => chat.messages.length === 3);
    const during = chat.messages;
    agent.end(' two');
    await sent;
    expect(chat.messages).not.to.equal(during);
    expect(chat.messages[0]).to.equal(before[0]);
    expect(chat.messages[1]?.blocks).to.equal(during[1]?.blocks);
  });

  it('an equal array changes nothing, not even a running reply', async () => {
    const { chat, agent } = await mount();
    chat.messages = [{ role: 'user', text: 'Before' }];
    const sent = chat.send('Hello');
    await agent.heard(1);
    chat.messages = [...chat.messages];
    agent.end('Hello.');
    expect((await sent).status).to.equal('complete');
  });

  it('a prevented send keeps the text back', async () => {
    const { chat, agent } = await mount();
    chat.addEventListener('agent-chat-send', (event) => {
      event.preventDefault();
    });
    await chat.send('Hello');
    expect(agent.requests).to.have.length(0);
    expect(chat.messages).to.have.length(0);
  });

  it('rejects only for wrong calls', async () => {
    const { chat } = await mount();
    const reasonOf = async (promise: Promise<unknown>): Promise<string> => {
      try {
        await promise;
        return 'none';
      } catch (error) {
        return error instanceof ChatError ? error.reason : String(error);
      }
    };
    expect(await reasonOf(chat.send('  '))).to.equal('empty-input');
    chat.limits = { inputLength: 3 };
    expect(await reasonOf(chat.send('Hello'))).to.equal('input-too-long');
    chat.limits = {};
    chat.endpoint = undefined;
    expect(await reasonOf(chat.send('Hello'))).to.equal('no-endpoint');
  });

  it('stopping ends the reply immediately and keeps the received part', async () => {
    const { chat, agent } = await mount();
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.write('Half an');
    await inside(chat, '[part~="message-assistant"] p');
    button(chat, 'Stop').click();
    expect(chat.status).to.equal('idle');
    const answer = await sent;
    expect(answer.status).to.equal('cancelled');
    expect(textsOf(chat.messages)).to.deep.equal(['user: Hello', 'assistant: Half an']);
    await waitUntil(() => wordsOf(chat).includes('You stopped this answer.'));
  });

  it('a lost connection keeps the received part, shows an error, and offers to try again', async () => {
    const { chat, agent } = await mount();
    const failed = next(chat, 'agent-chat-error');
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.write('Half an');
    await inside(chat, '[part~="message-assistant"] p');
    agent.drop();
    const { detail } = await failed;
    expect(detail.kind).to.equal('network');
    expect((await sent).status).to.equal('interrupted');
    await waitUntil(() => chat.matches(':state(error)'));
    expect(wordsOf(chat)).to.contain('Half an');
    (await inside<HTMLButtonElement>(chat, '.block-error button, [part~="block-error"] button')).click();
    await agent.heard(2);
    agent.end('Whole.');
    await waitUntil(() => chat.status === 'idle');
    expect(textsOf(chat.messages)).to.deep.equal(['user: Hello', 'assistant: Whole.']);
  });

  it('a message sent during a reply is shown as queued, and can be taken back', async () => {
    const { chat, agent } = await mount();
    const first = chat.send('One');
    await agent.heard(1);
    const second = chat.send('Two');
    const third = chat.send('Three');
    await inside(chat, '.queue li + li');
    button(chat, 'Remove from queue').click();
    expect((await second).status).to.equal('failed');
    agent.end('First.');
    await first;
    await agent.heard(2);
    agent.end('Third.');
    await third;
    expect(textsOf(chat.messages)).to.deep.equal([
      'user: One',
      'assistant: First.',
      'user: Three',
      'assistant: Third.',
    ]);
  });

  it('aborting the caller’s signal stops its reply', async () => {
    const { chat, agent } = await mount();
    const abort = new AbortController();
    const sent = chat.send('Hello', { signal: abort.signal });
    await agent.heard(1);
    abort.abort();
    expect((await sent).status).to.equal('cancelled');
  });

  it('another answer is a branch beside the first', async () => {
    const { chat, agent } = await mount();
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.end('One.');
    await sent;
    (await inside<HTMLButtonElement>(chat, 'button[aria-label="Regenerate"]')).click();
    await agent.heard(2);
    agent.end('Two.');
    await waitUntil(() => chat.status === 'idle');
    expect(textsOf(chat.messages)).to.deep.equal(['user: Hello', 'assistant: Two.']);
    await waitUntil(() => wordsOf(chat).includes('2/2'));
    button(chat, 'Previous version').click();
    await waitUntil(() => wordsOf(chat).includes('1/2'));
    expect(textsOf(chat.messages)).to.deep.equal(['user: Hello', 'assistant: One.']);
  });

  it('another answer of several agents is a branch beside the first', async () => {
    const { chat, agent } = await mount({ protocol: 'deepchat-events' });
    const say = (name: string, content: string): void => {
      agent.say({ type: 'response', data: { eventId: 'e', message: { id: name, name }, content } });
    };
    const end = (): void => {
      agent.say({ type: 'end', data: { eventId: 'e', userStop: false } });
      agent.hangUp();
    };
    const sent = chat.send('Hello');
    await agent.heard(1);
    say('Planner', 'One.');
    say('Critic', 'Two.');
    end();
    await sent;
    (await inside<HTMLButtonElement>(chat, 'button[aria-label="Regenerate"]')).click();
    await agent.heard(2);
    say('Planner', 'Three.');
    end();
    await waitUntil(() => chat.status === 'idle');
    for (const [control, shown, texts] of [
      [undefined, '2/2', ['Three.']],
      ['Previous version', '1/2', ['One.', 'Two.']],
      ['Next version', '2/2', ['Three.']],
    ] as const) {
      if (control !== undefined) button(chat, control).click();
      await waitUntil(() => wordsOf(chat).includes(shown), shown);
      expect(textsOf(chat.messages)).to.deep.equal(['user: Hello', ...texts.map((text) => `assistant: ${text}`)]);
    }
  });

  it('an edited message is a branch beside the first', async () => {
    const { chat, agent } = await mount();
    const sent = chat.send('Helo');
    await agent.heard(1);
    agent.end('Pardon?');
    await sent;
    (await inside<HTMLButtonElement>(chat, 'button[aria-label="Edit"]')).click();
    const editor = await inside<HTMLTextAreaElement>(chat, '.editor textarea');
    await waitUntil(() => editor.matches(':focus'), 'the editor has the focus');
    editor.value = 'Hello';
    find<HTMLFormElement>(chat, '.editor').requestSubmit();
    await agent.heard(2);
    agent.end('Hello.');
    await waitUntil(() => chat.status === 'idle');
    expect(textsOf(chat.messages)).to.deep.equal(['user: Hello', 'assistant: Hello.']);
    chat.selectBranch(chat.messages[0]?.id ?? '', 0);
    expect(textsOf(chat.messages)).to.deep.equal(['user: Helo', 'assistant: Pardon?']);
  });

  const keys = [
    { name: 'Enter', init: { key: 'Enter' }, submitKey: 'enter', sends: true },
    { name: 'Shift+Enter', init: { key: 'Enter', shiftKey: true }, submitKey: 'enter', sends: false },
    { name: 'Enter in an input method', init: { key: 'Enter', isComposing: true }, submitKey: 'enter', sends: false },
    { name: 'Ctrl+Enter', init: { key: 'Enter', ctrlKey: true }, submitKey: 'enter', sends: true },
    { name: 'Enter', init: { key: 'Enter' }, submitKey: 'mod-enter', sends: false },
    { name: '⌘+Enter', init: { key: 'Enter', metaKey: true }, submitKey: 'mod-enter', sends: true },
  ] as const;
  for (const { name, init, submitKey, sends } of keys)
    it(`${name} in the editor ${sends ? 'sends' : 'does not send'} with submit-key=${submitKey}`, async () => {
      const { chat, agent } = await mount({ submitKey });
      chat.messages = [{ role: 'user', text: 'Helo' }];
      (await inside<HTMLButtonElement>(chat, 'button[aria-label="Edit"]')).click();
      const editor = await inside<HTMLTextAreaElement>(chat, '.editor textarea');
      editor.value = 'Hello';
      const event = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true });
      editor.dispatchEvent(event);
      expect(event.defaultPrevented).to.equal(sends);
      await chat.updateComplete;
      if (sends) await agent.heard(1);
      expect(chat.messages[0]).to.have.nested.property('blocks[0].content', sends ? 'Hello' : 'Helo');
      expect(agent.requests.length).to.equal(sends ? 1 : 0);
    });

  it('Escape in the editor leaves the message unchanged and restores the focus', async () => {
    const { chat } = await mount();
    chat.messages = [{ role: 'user', text: 'Hello' }];
    (await inside<HTMLButtonElement>(chat, 'button[aria-label="Edit"]')).click();
    const editor = await inside<HTMLTextAreaElement>(chat, '.editor textarea');
    editor.value = 'Other';
    editor.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    const edit = await inside(chat, 'button[aria-label="Edit"]');
    await waitUntil(() => edit.matches(':focus'));
    expect(textsOf(chat.messages)).to.deep.equal(['user: Hello']);
  });

  it('a pending permission waits for the user, and their answer is sent once', async () => {
    const { chat, agent } = await mount({ protocol: 'deepchat-events' });
    const actionEvent = next(chat, 'agent-chat-action');
    const sent = chat.send('Delete it');
    await agent.heard(1);
    agent.say(...ASKS);
    agent.hangUp();
    const allow = await inside<HTMLButtonElement>(chat, '[part~="block-action"] .button.primary');
    await waitUntil(() => chat.status === 'awaiting-action');
    allow.click();
    const { detail } = await actionEvent;
    expect(detail.action).to.equal('granted');
    await agent.heard(2);
    const block = chat.messages.at(-1)?.blocks.find((candidate) => candidate.type === 'action');
    await chat.respond(block?.id ?? '', 'denied');
    agent.say(
      { type: 'response', data: { eventId: 'e2', content: 'Deleted.' } },
      { type: 'end', data: { eventId: 'e2', userStop: false } },
    );
    agent.hangUp();
    await sent;
    expect(agent.requests).to.have.length(2);
  });

  it('a prevented action is left to the page', async () => {
    const { chat, agent } = await mount({ protocol: 'deepchat-events' });
    chat.addEventListener('agent-chat-action', (event) => {
      event.preventDefault();
    });
    void chat.send('Delete it');
    await agent.heard(1);
    agent.say(...ASKS);
    agent.hangUp();
    (await inside<HTMLButtonElement>(chat, '[part~="block-action"] .button.primary')).click();
    expect(chat.status).to.equal('awaiting-action');
    expect(agent.requests).to.have.length(1);
    chat.stop();
  });

  it('a suggestion is sent as the next turn and is removed', async () => {
    const { chat, agent } = await mount();
    chat.messages = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hello.', suggestions: [{ label: 'More', prompt: 'Tell me more' }] },
    ];
    (await inside<HTMLButtonElement>(chat, '[part="suggestion"]')).click();
    await agent.heard(1);
    agent.end('More.');
    await waitUntil(() => chat.status === 'idle');
    expect(textsOf(chat.messages).at(-2)).to.equal('user: Tell me more');
    await waitUntil(() => !has(chat, '[part="suggestion"]'));
  });

  it('a starter of the empty transcript is sent', async () => {
    const { chat, agent } = await mount({ suggestions: ['Track my order'] });
    find<HTMLButtonElement>(chat, '[part="suggestion"]').click();
    await agent.heard(1);
    agent.end('Done.');
    await waitUntil(() => chat.status === 'idle');
    expect(textsOf(chat.messages)[0]).to.equal('user: Track my order');
  });

  it('a message that can’t be sent stays in the composer, with the reason', async () => {
    const { chat } = await mount({ limits: { inputLength: 3 } });
    const input = type(chat, 'Hello');
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    const problem = await inside(chat, '[role="alert"]');
    expect(problem.textContent).to.contain('3');
    await waitUntil(() => input.value === 'Hello');
    type(chat, 'Hel');
    await waitUntil(() => !has(chat, '[role="alert"]'));
  });

  it('clear() stops a running reply and empties the conversation', async () => {
    const { chat, agent } = await mount();
    const sent = chat.send('Hello');
    await agent.heard(1);
    chat.clear();
    expect((await sent).status).to.equal('cancelled');
    expect(chat.messages).to.deep.equal([]);
    expect(chat.status).to.equal('idle');
  });

  it('rule 97: imports what another endpoint has answered, without the ids of its server', async () => {
    const { chat } = await mount();
    const endpoint = 'https://a.example/agent?token=0123456789abcdef';
    chat.endpoint = endpoint;
    chat.messages = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hello.', metadata: { session: 's' } },
      { role: 'assistant', text: 'And I.', agentId: 'b' },
    ];
    const text = await chat.exportConversation('json');
    expect((JSON.parse(text) as { readonly endpoints: unknown }).endpoints).to.deep.equal({
      '': 'https://a.example/agent',
    });
    const authors = async (change: Partial<typeof chat>): Promise<readonly unknown[]> => {
      Object.assign(chat, change);
      await chat.importConversation(text, 'json');
      return chat.messages.map(({ agentId }) => agentId);
    };
    expect(await authors({ endpoint })).to.deep.equal([undefined, undefined, 'b']);
    const bodies: unknown[] = [];
    const other = await authors({
      endpoint: 'https://c.example/agent',
      protocol: {
        id: 'sessions',
        request: ({ messages }, { url }) => ({
          url,
          init: { body: { sessions: messages.map(({ metadata }) => metadata?.['session'] ?? null) } },
        }),
        async *decode() {
          yield await Promise.resolve([]);
        },
      },
      fetch: (_url, init) => {
        bodies.push(JSON.parse(init?.body as string));
        return Promise.resolve(new Response(''));
      },
    });
    expect(other).to.deep.equal([undefined, 'https://a.example/agent', 'b']);
    await chat.send('And?');
    await authors({ endpoint });
    await chat.send('And?');
    // Each request ends with the empty reply that is running.
    expect(bodies).to.deep.equal([
      { sessions: [null, null, null, null, null] },
      { sessions: [null, 's', null, null, null] },
    ]);
  });

  it('rule 104: imports no characters of the user that nobody sees', async () => {
    const { chat } = await mount();
    const hidden = String.fromCodePoint(0xe0050, 0xe0061, 0xe0079);
    const content = `Hello${hidden}\u200b 👩\u200d👧`;
    for (const role of ['user', 'system'] as const) {
      await chat.importConversation([{ role, content }], 'openai-messages');
      expect(chat.messages[0]?.blocks[0]).to.include({ content: 'Hello 👩\u200d👧' });
    }
    const file = { type: 'file', file: { filename: `a${hidden}.txt`, file_data: 'data:text/plain;base64,eA==' } };
    await chat.importConversation([{ role: 'user', content: [file] }], 'openai-messages');
    expect(chat.messages[0]?.blocks[0]).to.include({ name: 'a.txt' });
    await chat.importConversation([{ role: 'assistant', content }], 'openai-messages');
    expect(chat.messages[0]?.blocks[0]).to.include({ content });
  });

  it('exports and imports without loss', async () => {
    const { chat } = await mount();
    chat.messages = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hello.', name: 'Ann' },
    ];
    const before = chat.messages;
    const text = await chat.exportConversation('json');
    chat.clear();
    await chat.importConversation(text, 'json');
    expect(chat.messages).to.deep.equal(before);
    expect(await chat.exportConversation('markdown')).to.contain('Hello.');
  });
});

describe('the lifecycle of the element', () => {
  it('moving it loses nothing', async () => {
    const { chat, agent } = await mount();
    const sent = chat.send('Hello');
    await agent.heard(1);
    agent.write('Half ');
    await inside(chat, '[part~="message-assistant"] p');
    const elsewhere = document.createElement('div');
    document.body.append(elsewhere);
    elsewhere.append(chat);
    agent.end('and half.');
    expect((await sent).status).to.equal('complete');
    await waitUntil(() => wordsOf(chat).includes('Half and half.'));
    elsewhere.remove();
  });

  it('after its removal its reply is interrupted after a delay, or continues with keep-alive', async () => {
    const { setTimeout: real } = globalThis;
    const due: (() => void)[] = [];
    const [one, other] = [await mount(), await mount({ keepAlive: true })];
    const replies = [one.chat.send('Hello'), other.chat.send('Hello')];
    await Promise.all([one.agent.heard(1), other.agent.heard(1)]);
    Object.assign(globalThis, { setTimeout: (act: () => void) => due.push(act) });
    one.chat.remove();
    other.chat.remove();
    Object.assign(globalThis, { setTimeout: real });
    for (const act of due) act();
    other.agent.end('Hello.');
    expect((await Promise.all(replies)).map(({ status }) => status)).to.deep.equal(['interrupted', 'complete']);
  });
});
