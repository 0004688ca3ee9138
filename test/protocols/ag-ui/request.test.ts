import { expect } from '@open-wc/testing';
import { ChatError } from '../../../src/errors.ts';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import { adapter as agUi } from '../../../src/protocols/ag-ui/ag-ui.ts';
import type { Answer, Turn } from '../../../src/protocols/core/adapter.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { assistant, conversation, PRESS, system, toolBlock, user } from '../../support/messages.ts';
import { emptyTurn, NOW, playBody, requestOptions, sse } from '../../support/play-body.ts';
import { callTool, finished, interrupted, result, run, say, started, think } from './streams.ts';

const rest = { state: {}, tools: [], context: [], forwardedProps: {} };

/** The reply from a body, after the user's message. */
async function after(body: string, more: Partial<MessageInput> = {}): Promise<readonly ChatMessage[]> {
  const { messages } = await playBody(agUi, body);
  const [asked] = conversation(user('hi'));
  return [...(asked ? [asked] : []), ...messages.map((message) => ({ ...message, ...more }) as ChatMessage)];
}

interface Sent {
  readonly runId: string;
  readonly parentRunId?: string;
  readonly state: unknown;
  readonly messages: readonly Record<string, unknown>[];
  readonly forwardedProps: unknown;
  readonly resume?: unknown;
}
async function send(turn: Partial<Turn>): Promise<Sent> {
  const { init } = await agUi.request({ ...emptyTurn, ...turn }, requestOptions);
  return JSON.parse(JSON.stringify(init.body)) as Sent;
}

const answer = (requestId: string, more: Partial<Answer>): Answer => ({
  decision: 'granted',
  blockId: 'b',
  actionType: 'interrupt',
  extra: { requestId },
  ...more,
});

describe('ag-ui, request', () => {
  it('sends the button of a surface as the A2UI middleware reads it', async () => {
    const { forwardedProps } = await send({
      text: 'Go',
      messages: conversation(user('Go', { metadata: { data: { ...PRESS, dataModel: { a: 1 } } } })),
    });
    const { version, ...action } = PRESS;
    expect(forwardedProps).to.deep.equal({
      a2uiAction: { userAction: { ...action, timestamp: new Date(NOW).toISOString() } },
      a2uiClientDataModel: { version, surfaces: { s: { a: 1 } } },
    });
  });

  testRequests(agUi, [
    {
      name: 'every key, also empty ones',
      messages: [user('hi')],
      body: { ...rest, threadId: 'thread', runId: 'm1', messages: [{ id: 'm1', role: 'user', content: 'hi' }] },
    },
    {
      name: 'system text, page context, tools',
      messages: [system('Be brief.'), user('hi')],
      options: {
        system: 'Be kind.',
        context: { page: 'Shop', cart: [1] },
        tools: [{ name: 'f', description: 'd', parameters: { type: 'object' } }],
      },
      body: {
        ...rest,
        threadId: 'thread',
        runId: 'm2',
        messages: [
          { id: 'system', role: 'system', content: 'Be kind.' },
          { id: 'm1', role: 'system', content: 'Be brief.' },
          { id: 'm2', role: 'user', content: 'hi' },
        ],
        tools: [{ name: 'f', description: 'd', parameters: { type: 'object' } }],
        context: [
          { description: 'page', value: 'Shop' },
          { description: 'cart', value: '[1]' },
        ],
      },
    },
    {
      name: 'page context in the form of the protocol',
      messages: [user('hi')],
      options: { context: [{ description: 'a', value: 'b' }] },
      body: {
        ...rest,
        threadId: 'thread',
        runId: 'm1',
        messages: [{ id: 'm1', role: 'user', content: 'hi' }],
        context: [{ description: 'a', value: 'b' }],
      },
    },
    {
      name: 'attachments',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'audio', url: 'https://a.example/s.mp3' },
            { kind: 'file', data: 'CC', mimeType: 'application/pdf', name: 'a.pdf' },
          ],
        }),
      ],
      body: {
        ...rest,
        threadId: 'thread',
        runId: 'm1',
        messages: [
          {
            id: 'm1',
            role: 'user',
            content: [
              { type: 'text', text: 'look' },
              { type: 'image', source: { type: 'data', value: 'AA', mimeType: 'image/png' } },
              { type: 'audio', source: { type: 'url', value: 'https://a.example/s.mp3' } },
              {
                type: 'document',
                source: { type: 'data', value: 'CC', mimeType: 'application/pdf' },
                metadata: { filename: 'a.pdf' },
              },
            ],
          },
        ],
      },
    },
    {
      name: 'a reply of another protocol, from its blocks; a failed tool has an error',
      messages: [
        user('hi'),
        assistant([
          { type: 'content', content: 'Wait' },
          toolBlock('c', 'f', '{}', 'no', true),
          { type: 'content', content: 'Done' },
        ]),
        user('more'),
      ],
      body: {
        ...rest,
        threadId: 'thread',
        runId: 'm3',
        messages: [
          { id: 'm1', role: 'user', content: 'hi' },
          {
            id: 'm2',
            role: 'assistant',
            content: 'Wait',
            toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { id: 'm2.2', role: 'tool', toolCallId: 'c', content: 'no', error: 'no' },
          { id: 'm2-1', role: 'assistant', content: 'Done' },
          { id: 'm3', role: 'user', content: 'more' },
        ],
      },
    },
  ]);

  it('sends a reply back in the server’s own form, with its encrypted parts', async () => {
    const messages = await after(
      run(
        ...think('z', 'Hm'),
        { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'z', encryptedValue: 'E1' },
        ...callTool('c', 'f', '{"a": 1}', 'm'),
        { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: 'c', encryptedValue: 'E2' },
        result('c', 'ok'),
        ...say('n', 'Yes'),
      ),
    );
    expect((await send({ messages })).messages.slice(1)).to.deep.equal([
      { id: 'z', role: 'reasoning', content: 'Hm', encryptedValue: 'E1' },
      {
        id: 'm',
        role: 'assistant',
        toolCalls: [
          { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a": 1}' }, encryptedValue: 'E2' },
        ],
      },
      { id: 'c-r', role: 'tool', toolCallId: 'c', content: 'ok' },
      { id: 'n', role: 'assistant', content: 'Yes' },
    ]);
  });

  it('sends the calls of one id with the arguments of each', async () => {
    const interrupt = interrupted({ id: 'x', reason: 'tool_call', toolCallId: 'c' });
    for (const name of ['read', 'delete']) {
      const messages = await after(
        sse(
          started,
          ...callTool('c', 'read', '{"p":1}', 'm'),
          result('c', 'ok'),
          ...callTool('c', name, '{"p":"/"}', 'm'),
          interrupt,
        ),
      );
      const calls = (await send({ messages, answers: [answer('x', {})] })).messages.flatMap(
        ({ toolCalls }) => (toolCalls ?? []) as readonly { readonly function: object }[],
      );
      expect(calls.map((call) => call.function)).to.deep.equal([
        { name: 'read', arguments: '{"p":1}' },
        { name, arguments: '{"p":"/"}' },
      ]);
    }
  });

  it('uses the blocks if their text was changed or continued since', async () => {
    const messages = await after(run(...say('m', 'Yes')));
    const withWords = (content: string): readonly ChatMessage[] =>
      messages.map((message) => ({
        ...message,
        blocks: message.blocks.map((block) =>
          block.type === 'content' && message.role === 'assistant' ? { ...block, content } : block,
        ),
      }));
    const sentContents = async (content: string): Promise<unknown> =>
      (await send({ messages: withWords(content) })).messages.slice(1).map((message) => message['content']);
    expect(await sentContents('No')).to.deep.equal(['No']);
    expect(await sentContents('Yes, and')).to.deep.equal(['Yes', ', and']);
  });

  it('sends the results of the page’s tools, each in a run with a new id', async () => {
    const [asked, reply] = await after(run(...say('m', 'Pick'), ...callTool('k', 'pick', '{}', 'm')));
    if (!asked || !reply) throw new Error('There is no reply.');
    const blocks = reply.blocks.map((block) =>
      block.type === 'tool_call'
        ? {
            ...block,
            status: 'error' as const,
            tool_call: { ...block.tool_call, response: 'Broken' },
            error: { message: 'Broken' },
          }
        : block,
    );
    const before = await send({ messages: [asked, { ...reply, blocks: [], metadata: {} }] });
    const sent = await send({ messages: [asked, { ...reply, blocks }] });
    expect(sent.messages.slice(1)).to.deep.equal([
      {
        id: 'm',
        role: 'assistant',
        content: 'Pick',
        toolCalls: [{ id: 'k', type: 'function', function: { name: 'pick', arguments: '{}' } }],
      },
      { id: reply.blocks[1]?.id, role: 'tool', toolCallId: 'k', content: 'Broken', error: 'Broken' },
    ]);
    expect(sent.runId).not.to.equal(before.runId);
  });

  it('sends the older form of reasoning to no server: those that speak it may refuse the role', async () => {
    const thinking = [
      { type: 'THINKING_START' },
      { type: 'THINKING_TEXT_MESSAGE_START' },
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'Hm' },
      { type: 'THINKING_TEXT_MESSAGE_END' },
      { type: 'THINKING_END' },
    ];
    const roles = async (...events: readonly object[]): Promise<unknown> =>
      (await send({ messages: await after(run(...events)) })).messages.map(({ role }) => role);
    expect(await roles(...thinking, ...say('m', 'Yes'))).to.deep.equal(['user', 'assistant']);
    expect(await roles(...think('z', 'Hm'), ...say('m', 'Yes'))).to.deep.equal(['user', 'reasoning', 'assistant']);
    const snapshot = {
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: 'm1', role: 'user', content: 'hi' },
        { id: 'm', role: 'assistant', content: 'Yes!' },
      ],
    };
    expect(await roles(...thinking, ...say('m', 'Yes'), snapshot)).to.deep.equal(['user', 'assistant']);
    const [, reply] = await after(run(...thinking, ...say('m', 'Yes'), snapshot));
    expect(
      reply?.blocks.map(({ type }) => type),
      'the chat keeps it',
    ).to.deep.equal(['reasoning_content', 'content']);
  });

  it('names the run before only to servers that have named one, since the oldest refuse the field', async () => {
    const first = await after(run(...say('m', 'Yes')));
    expect(await send({ messages: first })).not.to.have.property('parentRunId');
    const named = await after(sse({ ...started, runId: 's', parentRunId: 'r' }, ...say('m', 'Yes'), finished));
    expect((await send({ messages: named })).parentRunId).to.equal('s');
    const [, reply] = await after(run(...say('n', 'Yes')));
    if (!reply) throw new Error('There is no reply.');
    const later = [...named, ...conversation(user('more', { id: 'u2' })), reply];
    expect((await send({ messages: later })).parentRunId, 'once named is known').to.equal('r');
  });

  it('sends the latest state', async () => {
    const messages = await after(run({ type: 'STATE_SNAPSHOT', snapshot: { a: 1 } }, ...say('m', 'Hi')));
    expect((await send({ messages })).state).to.deep.equal({ a: 1 });
  });

  describe('of answers', () => {
    const ask = (...interrupts: readonly object[]): string =>
      sse(started, ...callTool('c', 'f', '{}', 'm'), interrupted(...interrupts));
    const edit = {
      type: 'object',
      properties: { approved: { type: 'boolean' }, editedArgs: {}, reason: { type: 'string' } },
    };

    it('sends all in one: yes with changed arguments, no with a reason, a value of its schema, and dismissals', async () => {
      const messages = await after(
        ask(
          { id: 'a', reason: 'tool_call', toolCallId: 'c', responseSchema: edit },
          { id: 'b', reason: 'tool_call', toolCallId: 'c', responseSchema: edit },
          { id: 'c', reason: 'input_required', responseSchema: { type: 'object', properties: { size: {} } } },
          { id: 'd', reason: 'confirmation', responseSchema: { type: 'boolean' } },
          { id: 'e', reason: 'x:y' },
          { id: 'f', reason: 'x:y' },
          { id: 'g', reason: 'tool_call', toolCallId: 'c' },
        ),
      );
      const sent = await send({
        messages,
        answers: [
          answer('a', { toolCallId: 'c', arguments: { to: 'b' } }),
          answer('b', { toolCallId: 'c', decision: 'denied', note: 'Too far' }),
          answer('c', { decision: 'answered', payload: 'L' }),
          answer('d', {}),
          answer('e', { decision: 'dismissed' }),
          answer('f', { decision: 'answered', payload: { any: 1 } }),
          answer('g', { toolCallId: 'c', decision: 'denied' }),
        ],
      });
      const resolved = (interruptId: string, payload: unknown): object => ({
        interruptId,
        status: 'resolved',
        payload,
      });
      expect(sent.resume).to.deep.equal([
        resolved('a', { approved: true, editedArgs: { to: 'b' } }),
        resolved('b', { approved: false, reason: 'Too far' }),
        resolved('c', { size: 'L' }),
        resolved('d', true),
        { interruptId: 'e', status: 'cancelled' },
        resolved('f', { any: 1 }),
        resolved('g', { approved: false }),
      ]);
      expect(sent.messages[1], 'the call that waits goes along').to.have.property('toolCalls');
    });

    it('rule 83: sends a denial for an interrupt of which one call was denied', async () => {
      const messages = await after(
        sse(
          started,
          ...callTool('c', 'f', '{}', 'm'),
          ...callTool('d', 'g', '{}', 'm'),
          interrupted(
            { id: 'a', reason: 'tool_call', toolCallId: 'c' },
            { id: 'a', reason: 'tool_call', toolCallId: 'd' },
          ),
        ),
      );
      for (const decisions of [
        ['granted', 'denied'],
        ['denied', 'granted'],
      ] as const) {
        const answers = decisions.map((decision, index) =>
          answer('a', { decision, toolCallId: index === 0 ? 'c' : 'd' }),
        );
        const { resume } = await send({ messages, answers });
        expect(JSON.stringify(resume)).to.contain('"approved":false').and.not.to.contain('"approved":true');
      }
    });

    it('finds the answer to a question that an older version has stored without the id of its call', async () => {
      const messages = await after(ask({ id: 'a', reason: 'tool_call', toolCallId: 'c' }));
      const stored = messages.map((message) => {
        const interrupts = message.metadata?.['interrupts'] as readonly object[] | undefined;
        if (!interrupts) return message;
        const older = interrupts.map((interrupt) => ({ ...interrupt, callId: undefined }));
        return { ...message, metadata: { ...message.metadata, interrupts: older } };
      });
      const { resume } = await send({ messages: stored, answers: [answer('a', { toolCallId: 'c' })] });
      expect(resume).to.deep.equal([{ interruptId: 'a', status: 'resolved', payload: { approved: true } }]);
    });

    it('rule 83: an interrupt whose id looks like the key of another one is another question', async () => {
      const ids = ['x', 'x', 'x (2)', 'x (2)+'];
      const messages = await after(sse(started, interrupted(...ids.map((id) => ({ id, reason: 'confirmation' })))));
      const cards = messages.flatMap(({ blocks }) => blocks.filter((block) => block.type === 'action'));
      expect(cards.map(({ status }) => status)).to.deep.equal(['pending', 'pending', 'pending', 'pending']);
      const pressed = [cards[0], cards[2], cards[3]];
      const answers = pressed.map((card) => ({ ...answer('', {}), blockId: card?.id ?? '', extra: card?.extra ?? {} }));
      const { resume } = await send({ messages, answers });
      expect((resume as { status: string }[]).map(({ status }) => status)).to.deep.equal([
        ...['cancelled', 'cancelled'],
        ...['resolved', 'resolved'],
      ]);
    });

    for (const [field, value] of [
      ['approve', true],
      ['allow', true],
      ['isConfirmed', true],
      ['denied', false],
      ['reject', false],
      ['cancel', false],
    ] as const) {
      it(`rule 84: sends "${field}" as it is meant, also beside other fields`, async () => {
        const responseSchema = {
          type: 'object',
          properties: { remember: { type: 'boolean' }, [field]: { type: 'boolean' } },
        };
        const only = { type: 'object', properties: { [field]: { type: 'boolean' } } };
        const messages = await after(
          ask(
            { id: 'a', reason: 'tool_call', toolCallId: 'c', responseSchema },
            { id: 'b', reason: 'tool_call', toolCallId: 'c', responseSchema: only },
          ),
        );
        const payloads = async (decision: Answer['decision']): Promise<unknown> => {
          const { resume } = await send({
            messages,
            answers: ['a', 'b'].map((id) => answer(id, { decision, toolCallId: 'c' })),
          });
          return (resume as readonly { payload: unknown }[]).map(({ payload }) => payload);
        };
        expect(await payloads('granted')).to.deep.equal([{ [field]: value }, { [field]: value }]);
        expect(await payloads('denied')).to.deep.equal([{ [field]: !value }, { [field]: !value }]);
      });
    }

    it('rule 84: sends no field for a denial that none of the schema stands for', async () => {
      for (const name of ['cancelExisting', 'allow_overwrite', 'notify']) {
        const responseSchema = { type: 'object', properties: { [name]: { type: 'boolean' } } };
        const messages = await after(ask({ id: 'a', reason: 'tool_call', toolCallId: 'c', responseSchema }));
        const resume = async (decision: Answer['decision']): Promise<unknown> =>
          (await send({ messages, answers: [answer('a', { decision, toolCallId: 'c' })] })).resume;
        expect(await resume('denied'), name).to.deep.equal([{ interruptId: 'a', status: 'cancelled' }]);
        expect(await resume('granted'), name).to.deep.equal([
          { interruptId: 'a', status: 'resolved', payload: { [name]: true } },
        ]);
      }
    });

    it('cancels open requests when the user sends a message, and none after the run has continued', async () => {
      const messages = await after(ask({ id: 'a', reason: 'x:y' }));
      const more = conversation(user('other', { id: 'u2' }));
      expect((await send({ messages: [...messages, ...more] })).resume).to.deep.equal([
        { interruptId: 'a', status: 'cancelled' },
      ]);
      const next = await after(sse(started, ...say('n', 'Ok'), finished));
      expect(await send({ messages: [...messages, ...more, ...next.slice(1)] })).not.to.have.property('resume');
    });

    describe('that expire', () => {
      const answers = [answer('a', { decision: 'answered', payload: 'x' })];
      /** Sends an answer given a second after the question came. */
      const sendLater = async (expires: number) => {
        const messages = await after(ask({ id: 'a', reason: 'x:y', expiresAt: new Date(NOW + expires).toISOString() }));
        const decided = messages.map((message) => ({
          ...message,
          blocks: message.blocks.map((block) => ({ ...block, extra: { ...block.extra, decided: NOW + 1000 } })),
        }));
        return send({ messages: decided, answers });
      };

      it('are answered before that', async () => {
        expect((await sendLater(1001)).resume).to.have.length(1);
      });

      it('are not answered later', async () => {
        expect(await sendLater(999).catch((error: unknown) => error)).to.be.instanceOf(ChatError);
      });

      it('are answered if they had expired when they came: the clock of the user is wrong', async () => {
        expect((await sendLater(-300_000)).resume).to.have.length(1);
      });
    });

    it('rule 83: of two questions in the older convention, a no to one is a no to all', async () => {
      const custom = (value: unknown): object => ({ type: 'CUSTOM', name: 'on_interrupt', value });
      const old = await after(run(custom('{"question":"Read?"}'), custom('{"question":"Delete?"}')));
      const ids = ['on_interrupt-0', 'on_interrupt-1'] as const;
      for (const [decisions, resume, question] of [
        [['granted', 'denied'], { approved: false }, 'Delete?'],
        [['denied', 'granted'], { approved: false }, 'Read?'],
        [['granted', 'dismissed'], { approved: false }, 'Delete?'],
        [['granted', 'granted'], { approved: true }, 'Read?'],
      ] as const) {
        const answers = decisions.map((decision, index) => answer(ids[index] ?? '', { decision }));
        const sent = await send({ messages: old, answers });
        expect(sent.forwardedProps, decisions.join()).to.deep.equal({
          command: { resume, interruptEvent: { question } },
        });
      }
    });

    it('uses the older convention if the request did: beside the run’s input', async () => {
      const custom = (value: unknown): object => ({ type: 'CUSTOM', name: 'on_interrupt', value });
      const old = await after(run(custom('{"question":"Go?"}')));
      const sent = await send({
        messages: old,
        answers: [answer('on_interrupt-0', { decision: 'answered', payload: 'yes' })],
      });
      expect(sent.forwardedProps).to.deep.equal({ command: { resume: 'yes', interruptEvent: { question: 'Go?' } } });
      expect(sent).not.to.have.property('resume');
      const both = await after(run(custom({ id: 'i', reason: 'x:y', message: 'Go?' })));
      expect(
        (await send({ messages: both, answers: [answer('i', { decision: 'answered', payload: 'yes' })] })).resume,
      ).to.deep.equal([{ interruptId: 'i', status: 'resolved', payload: 'yes' }]);
    });
  });
});
