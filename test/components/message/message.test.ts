import { expect, waitUntil } from '@open-wc/testing';
import { html } from 'lit';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import { find, has, inside, mount, moveThroughFrame, wordsOf, type Mounted } from '../support/mount.ts';

/** A widget that shows some messages. */
async function mountWithMessages(
  messages: readonly MessageInput[],
  settings: Parameters<typeof mount>[0] = {},
): Promise<Mounted['chat']> {
  const { chat } = await mount(settings);
  chat.messages = messages;
  await inside(chat, 'agent-chat-message');
  return chat;
}

const TOOL = {
  type: 'tool_call',
  tool_call: { id: 't', name: 'query_orders', params: '{"month":"March"}', response: '2 rows' },
} as const;
const THOUGHT = { type: 'reasoning_content', content: 'Look first.', reasoning_time: { start: 0, end: 4000 } } as const;

describe('a message', () => {
  it('shows its author when there are several', async () => {
    const chat = await mountWithMessages([
      { role: 'user', text: 'Hello' },
      { role: 'assistant', name: 'Analyst', text: 'One.' },
      { role: 'assistant', name: 'Analyst', text: 'Two.' },
      { role: 'assistant', name: 'Writer', text: 'Three.' },
    ]);
    await inside(chat, '[part="message-header"]');
    const heads = [...chat.renderRoot.querySelectorAll('[part="message-header"] b')].map((head) => head.textContent);
    expect(heads).to.deep.equal(['Analyst', 'Writer']);
  });

  it('shows no author when there is one', async () => {
    const chat = await mountWithMessages([{ role: 'assistant', name: 'Analyst', text: 'One.' }]);
    await inside(chat, '[part~="block-content"]');
    expect(has(chat, '[part="message-header"]')).to.equal(false);
  });

  it('keeps the style of its cards after the widget was in another document', async () => {
    const plan = [{ title: 'Look', state: 'done' }] as const;
    const chat = await mountWithMessages([{ role: 'assistant', blocks: [{ type: 'plan', plan }] }]);
    const list = await inside(chat, '.plan');
    expect(getComputedStyle(list).display).to.equal('flex');
    await moveThroughFrame(chat);
    expect(getComputedStyle(list).display).to.equal('flex');
  });

  it('a name can’t change the direction of the text around it', async () => {
    const chat = await mountWithMessages([
      { role: 'assistant', name: 'Ann\u202Egpj', text: 'One.' },
      { role: 'assistant', name: 'Bob', text: 'Two.' },
    ]);
    expect((await inside(chat, '[part="message-header"] b')).textContent).to.equal('Anngpj');
    expect(find(chat, 'article').getAttribute('aria-label')).to.equal('Anngpj');
  });

  it('a system message of the page is a collapsed line without an author', async () => {
    const chat = await mountWithMessages([
      { role: 'system', text: 'Be <b>brief</b>.' },
      { role: 'assistant', text: 'Hello.' },
    ]);
    const note = await inside(chat, '.system-note');
    expect(note.querySelector('p')?.checkVisibility()).to.equal(false);
    note.querySelector('summary')?.click();
    expect(note.querySelector('p')?.textContent).to.equal('Be <b>brief</b>.');
    expect(note.closest('agent-chat-message')?.querySelector('[part="toolbar"]')).to.equal(null);
  });

  it('is rendered again when a renderer is added, and when it is removed', async () => {
    const chat = await mountWithMessages([
      { role: 'assistant', blocks: [{ type: 'progress', progress: { current: 1, total: 2, message: 'Half' } }] },
    ]);
    await inside(chat, '[role="progressbar"], progress');
    const undo = chat.renderers.register({
      type: 'progress',
      getProps: (block) => block,
      component: () => html`<b class="mine">Mine</b>`,
    });
    await inside(chat, '.mine');
    undo();
    await waitUntil(() => !has(chat, '.mine'));
  });

  it('collapses reasoning and tools into one line when they are complete', async () => {
    const chat = await mountWithMessages([
      { role: 'assistant', blocks: [THOUGHT, TOOL, { type: 'content', content: 'Done.' }] },
    ]);
    const fold = await inside<HTMLDetailsElement>(chat, 'details.activity');
    expect(fold.open).to.equal(false);
    expect(fold.querySelector('summary')?.textContent.replace(/\s+/g, ' ').trim()).to.equal('Thought for 4 s · 1 tool');
  });

  it('keeps expanded details while the message changes', async () => {
    const chat = await mountWithMessages([{ role: 'assistant', blocks: [THOUGHT, TOOL] }]);
    const fold = await inside<HTMLDetailsElement>(chat, 'details.activity');
    const summary = fold.querySelector('summary');
    summary?.focus();
    summary?.click();
    await waitUntil(() => fold.open);
    chat.updateMessage(chat.messages[0]?.id ?? '', { suggestions: [{ label: 'More', prompt: 'More' }] });
    await inside(chat, '[part="suggestion"]');
    expect(fold.isConnected).to.equal(true);
    expect(fold.open).to.equal(true);
  });

  it('shows a failed tool in its line, and never hides it', async () => {
    const failed = { ...TOOL, status: 'error', error: { message: 'No such table' } } as const;
    const chat = await mountWithMessages([{ role: 'assistant', blocks: [THOUGHT, failed] }], { showTools: 'hidden' });
    await inside(chat, 'details.activity');
    expect(wordsOf(chat)).to.contain('1 failed');
    expect(wordsOf(chat)).to.contain('No such table');
  });

  it('show-reasoning and show-tools hide or expand their blocks', async () => {
    const messages: readonly MessageInput[] = [{ role: 'assistant', blocks: [THOUGHT, TOOL] }];
    const hidden = await mountWithMessages(messages, { showReasoning: 'hidden', showTools: 'hidden' });
    await waitUntil(() => !has(hidden, 'details.activity'));
    const open = await mountWithMessages(messages, { showReasoning: 'open', showTools: 'open' });
    expect((await inside<HTMLDetailsElement>(open, 'details.activity')).open).to.equal(true);
    expect((await inside<HTMLDetailsElement>(open, 'details.tool')).open).to.equal(true);
  });

  it('lists its sources with the numbers in the text', async () => {
    const chat = await mountWithMessages([
      {
        role: 'assistant',
        blocks: [
          {
            type: 'content',
            content: 'It was the buckle.',
            citations: [
              { id: 'a', title: 'Change log', url: 'https://ops.example/log', end: 18 },
              { id: 'b', title: 'A talk with Mara' },
            ],
          },
        ],
      },
    ]);
    const list = await inside(chat, '[part="source-list"]');
    expect([...list.querySelectorAll('li')].map((item) => item.textContent.replace(/\s+/g, ' ').trim())).to.deep.equal([
      '1 Change log ops.example',
      '2 A talk with Mara',
    ]);
    expect(list.querySelectorAll('a')).to.have.length(1);
    expect((await inside(chat, 'button[part="citation"]')).textContent.trim()).to.equal('1');
  });

  it('a source without an address can be pressed: the page may go to it, otherwise the panel shows it', async () => {
    const citations = [{ id: 'b', title: 'A talk with Mara', quote: 'the lift is slow', end: 18 }];
    const chat = await mountWithMessages([
      { role: 'assistant', blocks: [{ type: 'content', content: 'It was the buckle.', citations }] },
    ]);
    const name = await inside(chat, '[part="source-list"] button');
    const pressed: unknown[] = [];
    chat.addEventListener('agent-chat-action', (event) => {
      pressed.push([event.detail.action, (event.detail.payload as { id: string }).id]);
      if (pressed.length === 1) event.preventDefault();
    });
    name.click();
    expect(has(chat, 'agent-chat-side')).to.equal(false);
    name.click();
    expect(pressed).to.deep.equal([
      ['citation', 'b'],
      ['citation', 'b'],
    ]);
    await waitUntil(() => has(chat, 'agent-chat-side blockquote'), 'the panel shows it');
  });

  it('rule 67: a quote is no tooltip of its source where it names another host', async () => {
    const quotes = ['See https://bank.example/login', 'The page at ops.example', 'Within 30 days.'];
    const chat = await mountWithMessages([
      {
        role: 'assistant',
        blocks: [
          {
            type: 'content',
            content: 'It was the buckle.',
            citations: quotes.map((quote, index) => ({
              id: String(index),
              title: 'Log in',
              url: `https://ops.example/${String(index)}`,
              quote,
            })),
          },
        ],
      },
    ]);
    const list = await inside(chat, '[part="source-list"]');
    expect([...list.querySelectorAll('li')].map((item) => item.title)).to.deep.equal(['', ...quotes.slice(1)]);
  });

  it('shows how it ended, unless it is complete', async () => {
    const chat = await mountWithMessages([
      { role: 'assistant', text: 'Half', finish: 'max_tokens' },
      { role: 'user', text: 'And?' },
      { role: 'assistant', text: 'Half', status: 'cancelled', finish: 'cancelled' },
      { role: 'user', text: 'And?' },
      { role: 'assistant', text: 'Half', metadata: { unreadable: true } },
      { role: 'user', text: 'And?' },
      { role: 'assistant', text: 'Half', status: 'error', finish: 'error' },
      { role: 'user', text: 'And?' },
      { role: 'assistant', text: 'Half', status: 'error', finish: 'error', metadata: { filtered: true } },
      { role: 'user', text: 'And?' },
      { role: 'assistant', text: 'Half', status: 'interrupted', finish: 'error' },
    ]);
    await inside(chat, '.toolbar');
    for (const words of [
      'The answer reached the maximum length.',
      'You stopped this answer.',
      'Part of the answer could not be read.',
      'The answer was stopped by a content filter.',
      'Something went wrong',
      'The answer was cut off',
    ]) {
      await waitUntil(() => wordsOf(chat).includes(words));
    }
  });

  const ends: readonly {
    readonly name: string;
    readonly end: (mounted: Mounted) => unknown;
    readonly notes: readonly string[];
  }[] = [
    {
      name: 'stopped by the user',
      end: ({ chat }) => {
        chat.stop();
      },
      notes: ['You stopped this answer.'],
    },
    {
      name: 'of which one agent failed',
      end: ({ agent }) => {
        agent.say({ type: 'error', data: { eventId: 'e', error: 'Closed' } }, { type: 'end', data: { eventId: 'e' } });
      },
      notes: ['Something went wrong Closed The partial answer is kept above.'],
    },
    {
      name: 'that was cut off',
      end: ({ agent }) => {
        agent.hangUp();
      },
      notes: ['The answer was cut off The partial answer is kept above. Try again'],
    },
    {
      name: 'that failed without a reason',
      end: ({ agent }) => {
        agent.say({ type: 'response', data: { eventId: 'e', finish: 'error' } });
        agent.hangUp();
      },
      notes: ['Something went wrong Try again'],
    },
    {
      name: 'of the maximum length',
      end: ({ agent }) => {
        agent.say({ type: 'response', data: { eventId: 'e', finish: 'max_tokens' } });
        agent.hangUp();
      },
      notes: ['The answer reached the maximum length. Continue'],
    },
  ];
  for (const { name, end, notes } of ends) {
    it(`says once how an answer of several agents ended, ${name}`, async () => {
      const mounted = await mount({ protocol: 'deepchat-events' });
      const { chat, agent } = mounted;
      const sent = chat.send('Hi');
      await agent.heard(1);
      for (const [id, speaker] of [
        ['a', 'First'],
        ['b', 'Second'],
      ]) {
        agent.say({ type: 'response', data: { eventId: 'e', message: { id, name: speaker }, content: speaker } });
      }
      await waitUntil(() => wordsOf(chat).includes('Second'));
      await end(mounted);
      await sent;
      const shown = (): readonly string[] =>
        [...chat.renderRoot.querySelectorAll('agent-chat-message article:not(.user) > :is(.line, .error)')].map(
          (line) => line.textContent.replace(/\s+/g, ' ').replace('The agent may still be working.', '').trim(),
        );
      await waitUntil(() => shown().join() === notes.join(), `not ${notes.join()}`).catch(() => {
        expect(shown()).to.deep.equal(notes);
      });
    });
  }

  it('a thought is over when the next message of the reply begins', async () => {
    const { chat, agent } = await mount({ protocol: 'deepchat-events' });
    void chat.send('Hi');
    await agent.heard(1);
    agent.say({ type: 'response', data: { eventId: 'e', message: { id: 'a' }, reasoning_content: 'Hm' } });
    await waitUntil(() => wordsOf(chat).includes('Thinking'), 'the thought runs', { timeout: 5000 });
    agent.say({ type: 'response', data: { eventId: 'e', message: { id: 'b' }, content: 'Hello' } });
    await waitUntil(() => wordsOf(chat).includes('Hello'));
    await waitUntil(() => wordsOf(chat).includes('Thought') && !wordsOf(chat).includes('Thinking'), wordsOf(chat), {
      timeout: 5000,
    });
    chat.stop();
  });

  describe('a complete answer with nothing to see', () => {
    const HELLO: MessageInput = { role: 'user', text: 'Hello' };
    const EMPTY = 'The agent sent an empty answer.';
    const rows: readonly {
      readonly name: string;
      readonly answer: MessageInput;
      readonly before?: MessageInput;
      readonly says: boolean;
    }[] = [
      { name: 'without blocks', answer: { role: 'assistant', blocks: [] }, says: true },
      {
        name: 'of blank text',
        answer: { role: 'assistant', blocks: [{ type: 'content', content: ' \n' }] },
        says: true,
      },
      {
        name: 'of a tool call',
        answer: { role: 'assistant', blocks: [TOOL] },
        says: false,
      },
      {
        name: 'with suggestions',
        answer: { role: 'assistant', blocks: [], suggestions: [{ label: 'More', prompt: 'More' }] },
        says: false,
      },
      {
        name: 'that was stopped',
        answer: { role: 'assistant', blocks: [], status: 'cancelled', finish: 'cancelled' },
        says: false,
      },
      {
        name: 'to a press that the chat does not show',
        before: { role: 'user', text: 'Press', metadata: { hidden: true } },
        answer: { role: 'assistant', blocks: [] },
        says: false,
      },
      {
        name: 'after another part of the answer',
        before: { role: 'assistant', text: 'Before.' },
        answer: { role: 'assistant', blocks: [] },
        says: false,
      },
    ];
    for (const { name, answer, before = HELLO, says } of rows) {
      it(`${name} ${says ? 'says so' : 'is not called empty'}`, async () => {
        const chat = await mountWithMessages([before, answer]);
        await inside(chat, '[part="toolbar"]');
        await waitUntil(() => !says || wordsOf(chat).includes(EMPTY));
        expect(wordsOf(chat).includes(EMPTY)).to.equal(says);
        expect(has(chat, '[part~="block-error"]')).to.equal(false);
      });
    }
  });

  it('an interrupted answer can be regenerated with one click, also after a reload', async () => {
    const { chat, agent } = await mount();
    chat.messages = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Half', status: 'interrupted', finish: 'error' },
    ];
    const retry = await inside<HTMLButtonElement>(chat, '.line button.link');
    expect(retry.textContent.trim()).to.equal('Try again');
    retry.click();
    await agent.heard(1);
    expect(chat.messages.length).to.equal(2);
    expect(chat.messages[1]?.status).to.equal('streaming');
  });

  it('an answer cut off at the maximum length can be continued with one click', async () => {
    const { chat, agent } = await mount();
    chat.messages = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Half', finish: 'max_tokens' },
    ];
    (await inside<HTMLButtonElement>(chat, 'button.link')).click();
    await agent.heard(1);
    expect(chat.messages.at(-1)?.role === 'assistant' || chat.messages.length === 3).to.equal(true);
    agent.end('the other half');
    await waitUntil(() => chat.status === 'idle');
    expect(chat.messages[2]?.blocks[0]?.content).to.equal('Continue');
  });

  it('does not show a hidden message of the user', async () => {
    const { chat, agent } = await mount();
    void chat.send({ text: 'A secret order', hidden: true });
    await agent.heard(1);
    agent.end('Done.');
    await waitUntil(() => wordsOf(chat).includes('Done.'));
    expect(wordsOf(chat)).not.to.contain('secret');
  });

  it('without="copy regenerate edit delete quote" leaves these controls out', async () => {
    const messages: readonly MessageInput[] = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'Hello.' },
    ];
    const all = await mountWithMessages(messages);
    await inside(all, 'button[aria-label="Regenerate"]');
    expect(has(all, 'button[aria-label="Edit"]') && has(all, 'agent-chat-copy')).to.equal(true);
    const none = await mountWithMessages(messages, { without: 'copy regenerate edit delete quote' });
    await inside(none, '.toolbar');
    expect(has(none, '.toolbar button')).to.equal(false);
  });

  it('copies the texts before and after a tool as paragraphs', async () => {
    const blocks = [{ type: 'content', content: 'I look.' }, TOOL, { type: 'content', content: '# Two rows' }] as const;
    const chat = await mountWithMessages([{ role: 'assistant', blocks }]);
    const copy = await inside<HTMLElement & { value?: string }>(chat, '.toolbar agent-chat-copy');
    expect(copy.value).to.equal('I look.\n\n# Two rows');
  });

  it('a failing renderer of the page leaves the other blocks in place', async () => {
    const { chat } = await mount();
    chat.renderers.register({
      type: 'data',
      getProps: () => {
        throw new Error('mine');
      },
      component: () => html`<i></i>`,
    });
    chat.messages = [
      {
        role: 'assistant',
        blocks: [
          { type: 'data', data: { data_type: 'custom', data: { total: 12 } } },
          { type: 'content', content: 'Behind it.' },
        ],
      },
    ];
    await inside(chat, '[part~="block-content"]');
    await waitUntil(() => wordsOf(chat).includes('total'), 'the tree comes', { timeout: 10_000 });
    expect(find(chat, '[part~="block-content"]').textContent).to.contain('Behind it.');
  });
});

describe('texts', () => {
  it('are those of the nearest language, of the setting, and of the page', async () => {
    const { chat } = await mount();
    chat.locale = 'zh-CN';
    const placeholder = (): string => find<HTMLTextAreaElement>(chat, '[part="input"]').placeholder;
    await waitUntil(() => placeholder() === '输入你的问题' || /[\u4e00-\u9fff]/.test(placeholder()));
    chat.strings = { 'composer.placeholder': 'Ask Ann' };
    await waitUntil(() => placeholder() === 'Ask Ann');
    chat.placeholder = 'Ask us';
    await waitUntil(() => placeholder() === 'Ask us');
  });

  it('in an unknown language are English', async () => {
    const { chat } = await mount({ locale: 'tlh' });
    expect(find<HTMLTextAreaElement>(chat, '[part="input"]').placeholder).to.equal('Ask a question');
  });
});
