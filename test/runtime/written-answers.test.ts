/** A message that the user writes while the agent asks something. */
import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../src/model/message.ts';
import { sse } from '../support/play-body.ts';
import { makeChat, pending, until } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';

const ids = { task_id: 't', message_id: 'm', conversation_id: 'c' };
const form = (...actions: readonly string[]) =>
  stream(
    sse(
      {
        event: 'human_input_required',
        ...ids,
        workflow_run_id: 'w',
        data: {
          form_id: 'f',
          form_token: 'tok',
          form_content: 'Delete the account?',
          inputs: [{ type: 'paragraph', output_variable_name: 'comment' }],
          actions: actions.map((id) => ({ id, title: id })),
        },
      },
      { event: 'workflow_paused', ...ids, data: {} },
    ),
  );
const accepted = (): Response => new Response('{}', { headers: { 'content-type': 'application/json' } });
const ended = stream(sse({ event: 'message', ...ids, answer: 'Ok.' }, { event: 'message_end', ...ids, metadata: {} }));
const settings = { protocol: 'dify', endpoint: 'https://agent.example/v1/chat-messages' };

describe('rule 84: a message that is written beside a form', () => {
  it('presses none of its buttons: it waits until the user has', async () => {
    const { chat, server } = makeChat([form('approve', 'reject'), accepted, ended, ended], settings);
    const first = chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    const second = chat.send('No, please don’t!');
    expect(pending(chat).status).to.equal('pending');
    expect(chat.messages.at(-1)?.status).to.equal('queued');
    void chat.respond(pending(chat).id, 'answered', { payload: 'reject' });
    await Promise.all([first, second]);
    const bodies = server.bodies as readonly ({ readonly action?: string; readonly query?: string } | undefined)[];
    expect(bodies.map((body) => body?.action ?? body?.query)).to.deep.equal([
      'Hi',
      'reject',
      undefined,
      'No, please don’t!',
    ]);
  });

  it('with one button is the text for its field', async () => {
    const { chat, server } = makeChat([form('continue'), accepted, ended], settings);
    const first = chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    void chat.send('Rome');
    await first;
    expect(server.bodies[1]).to.deep.include({ action: 'continue', inputs: { comment: 'Rome' } });
  });
});

describe('rule 84: a question whose form is needed', () => {
  const schema = { type: 'boolean' };
  for (const [name, ask, extra] of [
    ['that a text answers', { schema }, { needsChoice: false }],
    ['its form beside the question', {}, { schema: JSON.stringify(schema) }],
  ] as const) {
    it(`shows no form that a text answers, if the server says ${name}`, async () => {
      const question = {
        ask: { action_type: 'question', content: 'Delete all?', ...ask },
        request: { id: 'q', extra },
      };
      const events = [question, { finish: 'tool_use' }].map((data) => ({
        type: 'response',
        data: { eventId: 'e', ...data },
      }));
      const { chat } = makeChat([stream(sse(...events))], { protocol: 'deepchat-events' });
      void chat.send('Hi');
      await until(chat, () => chat.status === 'awaiting-action');
      const { schema: shown, needsChoice } = pending(chat).extra ?? {};
      expect(shown !== undefined).to.equal(needsChoice === true);
      chat.stop();
    });
  }

  const unanswered: readonly (readonly [name: string, schema: object])[] = [
    ['a choice', schema],
    ['a password', { type: 'string', format: 'password' }],
    ['a form with a password', { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } }],
    ['an object that is a secret', { type: 'object', writeOnly: true, properties: { pin: { type: 'string' } } }],
  ];
  for (const [name, form] of unanswered)
    it(`is not answered by a text: ${name}`, async () => {
      const question = {
        ask: { action_type: 'question', content: 'Delete all?', schema: form },
        request: { id: 'q', extra: { needsChoice: false } },
      };
      const data = { eventId: 'e', ...question, finish: 'tool_use' };
      const { chat } = makeChat([stream(sse({ type: 'response', data }))], { protocol: 'deepchat-events' });
      void chat.send('Hi');
      await until(chat, () => chat.status === 'awaiting-action');
      void chat.send('No, wait');
      expect(pending(chat).status).to.equal('pending');
      expect(chat.messages.at(-1)?.status).to.equal('queued');
      chat.stop();
    });
});

const run = (...events: readonly object[]) =>
  stream(sse({ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, ...events));
const finished = (outcome: object = {}): object => ({ type: 'RUN_FINISHED', threadId: 't', runId: 'r', ...outcome });

describe('rule 84: a message that is written beside a question', () => {
  const start = async (responseSchema: object) => {
    const interrupts = [{ id: 'q', reason: 'app:ask', message: 'Delete it?', responseSchema }];
    const { chat } = makeChat([run(finished({ outcome: { type: 'interrupt', interrupts } })), run(finished())], {
      protocol: 'ag-ui',
    });
    void chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    void chat.send('No!');
    return chat;
  };

  for (const [name, schema] of [
    ['with a field for yes or no', { type: 'object', properties: { approved: { type: 'boolean' } } }],
    ['for yes or no', { type: 'boolean' }],
  ] as const) {
    it(`${name} is no answer: any text would count as a yes`, async () => {
      const chat = await start(schema);
      expect(pending(chat).status).to.equal('pending');
      expect(chat.messages.at(-1)?.status).to.equal('queued');
      chat.stop();
    });
  }

  for (const [name, schema] of [
    ['a text in an object', { type: 'object', properties: { reason: { type: 'string' } }, required: ['reason'] }],
    ['a text', { type: 'string', maxLength: 20 }],
    ['anything', {}],
  ] as const) {
    it(`for ${name} is the answer`, async () => {
      const chat = await start(schema);
      expect(() => pending(chat)).to.throw();
      chat.stop();
    });
  }

  const text = { type: 'string' };
  for (const [name, schema] of [
    ['for two texts', { type: 'object', properties: { from: text, to: text } }],
    ['for a text and another required value', { type: 'object', properties: { from: text }, required: ['from', 'to'] }],
    ['for a number', { type: 'number' }],
    ['for a list', { type: 'array', items: text }],
    ['for a choice', { type: 'object', properties: { delete: { type: 'string', enum: ['Yes', 'No'] } } }],
    [
      'for a text in an object in it',
      { type: 'object', properties: { a: { type: 'object', properties: { b: text } } } },
    ],
    ['with a reference', { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: text } }],
    ['for an object', { type: 'object' }],
  ] as const) {
    it(`${name} is no answer: it waits until the user has used the form`, async () => {
      const chat = await start(schema);
      expect(pending(chat).status).to.equal('pending');
      expect(chat.messages.at(-1)?.status).to.equal('queued');
      chat.stop();
    });
  }
});

describe('rule 84: a message that is written beside a form of another protocol', () => {
  const text = { type: 'string' };
  const two = { type: 'object', properties: { from: text, to: text }, required: ['from', 'to'] };
  const item = (...inputs: readonly object[]) => {
    const asked = { id: 's', type: 'structured_input', status: 'pending', inputs };
    return sse(
      { type: 'thread.created', thread: { id: 'T' } },
      { type: 'thread.item.added', item: asked },
      { type: 'thread.item.done', item: asked },
    );
  };
  const question = (id: string, options: readonly object[] = []) => ({ id, type: 'x', question: `${id}?`, options });
  const paused = (...names: readonly string[]) =>
    sse({
      event: 'RunPaused',
      run_id: 'R',
      session_id: 'S',
      tools: [
        {
          tool_call_id: 'x',
          tool_name: 'pay',
          tool_args: { to: 'Mallory' },
          requires_user_input: true,
          user_input_schema: names.map((name) => ({ name, field_type: 'str', value: null })),
        },
      ],
    });
  const suspended = (resumeSchema?: object) =>
    sse(
      { type: 'start', runId: 'R', from: 'AGENT', payload: {} },
      {
        type: 'tool-call-suspended',
        runId: 'R',
        from: 'AGENT',
        payload: {
          toolCallId: 'c',
          toolName: 'pay',
          args: {},
          suspendPayload: { message: 'Any greeting?' },
          ...(resumeSchema && { resumeSchema: JSON.stringify(resumeSchema) }),
        },
      },
    );
  const requested = (response_schema: object) =>
    sse({
      id: 'e',
      author: 'a',
      invocationId: 'i',
      content: {
        role: 'model',
        parts: [{ functionCall: { id: 'k', name: 'adk_request_input', args: { message: 'Dates?', response_schema } } }],
      },
      longRunningToolIds: ['k'],
    });
  const json = (body: unknown) => (): Response =>
    new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
  const adk = { endpoint: 'https://agent.example/run_sse', protocol: 'adk', body: { app_name: 'app' } };
  const agno = { endpoint: 'https://agent.example/agents/x/runs', protocol: 'agno' };
  const mastra = { endpoint: 'https://agent.example/api/agents/x', protocol: 'mastra' };

  for (const [name, settings, before, asks] of [
    ['agno, with one field', agno, [], paused('greeting')],
    ['agno, with two fields', agno, [], paused('a', 'b')],
    ['mastra, a suspended tool', mastra, [], suspended({ type: 'object', properties: { greeting: text } })],
    ['adk', adk, [json({ id: 'S' })], requested(two)],
    ['chatkit, with two questions', { protocol: 'chatkit' }, [], item(question('i1'), question('i2'))],
    ['chatkit, with choices', { protocol: 'chatkit' }, [], item(question('i1', [{ value: 'Yes' }, { value: 'No' }]))],
    [
      'deepchat-events',
      { protocol: 'deepchat-events' },
      [],
      sse(
        {
          type: 'response',
          data: { eventId: 'e', ask: { action_type: 'question', schema: two }, request: { id: 'q' } },
        },
        { type: 'end', data: { eventId: 'e', userStop: false } },
      ),
    ],
  ] as const) {
    it(`${name}: waits until the user has used the form`, async () => {
      const { chat, server } = makeChat([...before, stream(asks)], settings);
      void chat.send('Hi');
      await until(chat, () => chat.status === 'awaiting-action');
      const count = server.bodies.length;
      void chat.send('No, do not');
      expect(pending(chat).status).to.equal('pending');
      expect(chat.messages.at(-1)?.status).to.equal('queued');
      expect(server.bodies).to.have.length(count);
      chat.stop();
    });
  }

  for (const [name, settings, before, asks] of [
    ['mastra, without a schema', mastra, [], suspended()],
    ['chatkit, one question', { protocol: 'chatkit' }, [], item(question('i1'))],
    ['adk, one text', adk, [json({ id: 'S' })], requested({ type: 'object', properties: { city: text } })],
  ] as const) {
    it(`${name}: is the answer`, async () => {
      const { chat, server } = makeChat([...before, stream(asks), stream('')], settings);
      void chat.send('Hi');
      await until(chat, () => chat.status === 'awaiting-action');
      await chat.send('Rome');
      expect(() => pending(chat)).to.throw();
      // Mastra's body is no plain object.
      if (settings !== mastra) expect(JSON.stringify(server.bodies.at(-1))).to.contain('Rome');
    });
  }
});

/** The data of a message that a button of a surface sends. */
const PRESS_DATA = { surfaceId: 's', name: 'book', context: { who: 'Mia' }, sourceComponentId: 'go' };

describe('rule 91: a button that is pressed while the agent asks something', () => {
  const asks = run(
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'One question.' },
    finished({
      outcome: { type: 'interrupt', interrupts: [{ id: 'q', reason: 'input_required', message: 'Delete it?' }] },
    }),
  );
  const done = run(finished());

  for (const [name, input] of [
    ['of a surface', { text: 'Yes', data: PRESS_DATA }],
    ['of an app', { text: 'Yes', data: { uri: 'ui://app' } }],
    ['of a suggestion', 'Yes'],
  ] as const) {
    it(`${name} is not the answer: its message waits, and is then sent with its action`, async () => {
      const { chat, server } = makeChat([asks, done, done], { protocol: 'ag-ui' });
      const first = chat.send('Hi');
      await until(chat, () => chat.status === 'awaiting-action');
      const pressed = chat.messages.at(-1);
      const second = chat.send(input, { sameAgentAs: pressed });
      expect(pending(chat).status).to.equal('pending');
      expect(chat.messages.at(-1)?.status).to.equal('queued');
      void chat.respond(pending(chat).id, 'denied');
      await Promise.all([first, second]);
      const bodies = server.bodies as readonly {
        readonly resume?: readonly { readonly status: string }[];
        readonly forwardedProps?: { readonly a2uiAction?: { readonly userAction: { readonly name: string } } };
        readonly messages: readonly { readonly content?: unknown }[];
      }[];
      expect(bodies).to.have.length(3);
      expect(JSON.stringify(bodies[1])).not.to.contain('Yes');
      expect(JSON.stringify(bodies[2]?.messages.at(-1))).to.contain('Yes');
      const action = bodies[2]?.forwardedProps?.a2uiAction?.userAction.name;
      expect(action).to.equal(name === 'of a surface' ? 'book' : undefined);
    });
  }

  it('“Try again” of a message that was not sent is no answer either', async () => {
    const { chat, server } = makeChat([asks, done, done], { protocol: 'ag-ui' });
    chat.messages = [{ id: 'f', role: 'user', text: 'Yes, please', status: 'failed' }];
    const first = chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    const again = chat.resend('f');
    expect(pending(chat).status).to.equal('pending');
    void chat.respond(pending(chat).id, 'denied');
    await Promise.all([first, again]);
    expect(JSON.stringify(server.bodies[1])).not.to.contain('Yes, please');
    expect(JSON.stringify(server.bodies[2])).to.contain('Yes, please');
  });
});

describe('rule 101: a text that is written while the agent asks something', () => {
  const done = run(finished());
  const interrupts = ['q', 'r'].map((id) => ({ id, reason: 'input_required', message: `Delete ${id}?` }));
  const rows: readonly {
    readonly name: string;
    readonly asked?: readonly object[];
    readonly isSeen?: boolean;
    readonly change?: object;
    readonly answers: boolean;
  }[] = [
    { name: 'that the user began to write before the question was in view', isSeen: false, answers: false },
    { name: 'that the user began to write after it', isSeen: true, answers: true },
    { name: 'while two questions are open', asked: interrupts, answers: false },
    { name: 'for another endpoint', change: { endpoint: '/other' }, answers: false },
    {
      name: 'for another agent',
      change: { agents: [{ id: 'b', name: 'B', endpoint: '/b' }], agent: 'b' },
      answers: false,
    },
  ];
  for (const { name, asked = interrupts.slice(0, 1), isSeen, change = {}, answers } of rows) {
    it(`a text ${name} is ${answers ? 'the' : 'no'} answer`, async () => {
      const question = run(finished({ outcome: { type: 'interrupt', interrupts: asked } }));
      const { chat, server, set } = makeChat([question, done, done], { protocol: 'ag-ui' });
      void chat.send('Hi');
      await until(chat, () => chat.status === 'awaiting-action');
      set(change);
      const seen = isSeen === undefined ? undefined : isSeen ? [pending(chat)] : [];
      const origin = { seen, taken: () => undefined, restoreDraft: () => undefined };
      const sent = chat.send('Secret', { origin });
      if (answers) await sent;
      else expect(chat.messages.at(-1)?.status).to.equal('queued');
      expect(JSON.stringify(server.bodies[1] ?? {}).includes('Secret')).to.equal(answers);
      chat.stop();
    });
  }
});

describe('rule 101: a text for another agent than the one that asks', () => {
  const agents = ['a', 'b'].map((id) => ({ id, name: id, endpoint: `https://${id}.example/agent`, protocol: 'ag-ui' }));
  const interrupts = [{ id: 'q', reason: 'input_required', message: 'Delete it?' }];

  async function asked(): Promise<readonly ChatMessage[]> {
    const question = run(finished({ outcome: { type: 'interrupt', interrupts } }));
    const { chat } = makeChat([question], { agents, agent: 'b' });
    void chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    const messages = JSON.parse(JSON.stringify(chat.messages)) as ChatMessage[];
    chat.stop();
    return messages;
  }

  for (const { agent, answers } of [
    { agent: 'a', answers: false },
    { agent: 'b', answers: true },
  ]) {
    const name = `is ${answers ? 'the' : 'no'} answer if it is for ${agent} and b asks`;
    it(`restored: ${name}`, async () => {
      const stored = await asked();
      const { chat, server } = makeChat([run(finished()), run(finished())], { agents, agent });
      chat.messages = stored;
      const sent = chat.send('Secret');
      if (answers) await sent;
      else expect(chat.messages.at(-1)?.status).to.equal('queued');
      expect(server.asked.map(({ url }) => url)).to.deep.equal(answers ? ['https://b.example/agent'] : []);
      chat.stop();
    });

    it(`in another tab: ${name}`, async () => {
      const [message, ...reply] = await asked();
      const { chat } = makeChat([], { agents, agent });
      const given: unknown[] = [];
      const tab = {
        stop: () => undefined,
        done: () => new Promise<never>(() => undefined),
        ended: () => undefined,
        remove: () => undefined,
        putBack: () => undefined,
        respond: (_block: string, _decision: unknown, options: object) => {
          given.push(options);
        },
      };
      chat.followRemote({ path: message ? [message] : [], hidden: [] }, reply, 'parked', tab);
      void chat.send('Secret');
      await Promise.resolve();
      expect(given).to.deep.equal(answers ? [{ payload: 'Secret' }] : []);
      expect(chat.messages.at(-1)?.status === 'queued').to.equal(!answers);
    });
  }

  it('restored from another endpoint, which a listener has set: is the answer if it is set again', async () => {
    const endpoint = 'https://b.example/agent';
    const stored = (await asked()).map((message) =>
      message.role === 'assistant' ? { ...message, agentId: endpoint } : message,
    );
    const { chat, server } = makeChat([run(finished())], { endpoint, protocol: 'ag-ui' });
    chat.messages = stored;
    await chat.send('Secret');
    expect(JSON.stringify(server.bodies[0])).to.contain('Secret').and.to.contain('"interruptId":"q"');
  });
});

describe('rule 91: an A2A agent that waits for the user', () => {
  const waits = (...parts: readonly object[]) =>
    stream(
      sse({
        jsonrpc: '2.0',
        id: 1,
        result: {
          kind: 'task',
          id: 'T',
          contextId: 'C',
          status: { state: 'input-required', message: { kind: 'message', messageId: 'q', role: 'agent', parts } },
        },
      }),
    );
  const over = stream(
    sse({
      jsonrpc: '2.0',
      id: 1,
      result: { kind: 'task', id: 'T', contextId: 'C', status: { state: 'completed' } },
    }),
  );
  const text = { kind: 'text', text: 'Which table?' };
  const surface = { kind: 'data', data: { beginRendering: { surfaceId: 's', root: 'root' } } };
  const file = { kind: 'file', data: 'aGk=', mimeType: 'text/plain', name: 'a.txt' } as const;

  interface Sent {
    readonly params: { readonly message: Readonly<Record<string, unknown>> };
  }
  const sentAt = (index: number, bodies: readonly unknown[]) => (bodies[index] as Sent).params.message;

  it('gets the button of its surface as an action of its task', async () => {
    const { chat, server } = makeChat([waits(text, surface), over], { protocol: 'a2a' });
    await chat.send('Hi');
    expect(() => pending(chat)).to.throw();
    const data = { ...PRESS_DATA, dataModel: { who: 'Mia' } };
    await chat.send({ text: 'Book it\nwho: Mia', data }, { sameAgentAs: chat.messages.at(-1) });
    const message = sentAt(1, server.bodies);
    expect(message).to.deep.include({ taskId: 'T', contextId: 'C' });
    const [part] = message['parts'] as readonly { readonly data?: { readonly action: object } }[];
    expect(part?.data?.action).to.deep.include({ name: 'book', surfaceId: 's', context: { who: 'Mia' } });
    expect(message['metadata']).to.deep.equal({
      a2uiClientDataModel: { version: 'v0.9', surfaces: { s: { who: 'Mia' } } },
    });
  });

  it('gets a text beside its surface as the next message of its task', async () => {
    const { chat, server } = makeChat([waits(text, surface), over], { protocol: 'a2a' });
    await chat.send('Hi');
    await chat.send({ text: 'The round one', attachments: [file] });
    const message = sentAt(1, server.bodies);
    expect(message).to.deep.include({ taskId: 'T' });
    expect(JSON.stringify(message['parts'])).to.contain('aGk=').and.to.contain('The round one');
  });

  it('gets a file after its question was skipped', async () => {
    const { chat, server } = makeChat([waits(text), over], { protocol: 'a2a' });
    const reply = chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    const second = chat.send({ text: 'Here', attachments: [file] });
    expect(chat.messages.at(-1)?.status).to.equal('queued');
    void chat.respond(pending(chat).id, 'dismissed');
    await Promise.all([reply, second]);
    expect(server.bodies).to.have.length(2);
    expect(sentAt(1, server.bodies)).to.deep.include({ taskId: 'T' });
    expect(JSON.stringify(sentAt(1, server.bodies)['parts'])).to.contain('aGk=');
  });
});

describe('a message with files beside a question', () => {
  it('waits until the question is answered, because an answer has no files', async () => {
    const asks = run(
      finished({
        outcome: { type: 'interrupt', interrupts: [{ id: 'q', reason: 'input_required', message: 'Where?' }] },
      }),
    );
    const { chat, server } = makeChat([asks, run(finished()), run(finished())], { protocol: 'ag-ui' });
    const first = chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    const file = { kind: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    const second = chat.send({ text: 'Here', attachments: [file] });
    expect([pending(chat).status, chat.messages.at(-1)?.status]).to.deep.equal(['pending', 'queued']);
    void chat.respond(pending(chat).id, 'answered', { payload: 'There' });
    await Promise.all([first, second]);
    expect(JSON.stringify(server.bodies[1])).to.contain('There').and.not.to.contain('aGk=');
    expect(JSON.stringify(server.bodies[2])).to.contain('aGk=');
  });
});

describe('rule 91: a message that was sent before a stored conversation was restored', () => {
  it('does not answer its question, which the user has not seen', async () => {
    const asks = run(
      finished({
        outcome: { type: 'interrupt', interrupts: [{ id: 'q', reason: 'input_required', message: 'Where?' }] },
      }),
    );
    const before = makeChat([asks], { protocol: 'ag-ui' });
    void before.chat.send('Hi');
    await until(before.chat, () => before.chat.status === 'awaiting-action');
    const stored = JSON.parse(JSON.stringify(before.chat.messages)) as ChatMessage[];
    before.chat.stop();

    const read = Promise.withResolvers<undefined>();
    let ready: Promise<unknown> | undefined = read.promise;
    const guards = { ready: () => ready, terms: () => undefined, owner: () => undefined };
    const { chat, server } = makeChat([run(finished())], { protocol: 'ag-ui' }, { guards });
    const sent = chat.send('Good morning');
    chat.replace({ path: stored, hidden: [] });
    ready = undefined;
    read.resolve(undefined);
    await until(chat, () => chat.messages.at(-1)?.status === 'queued');
    expect(pending(chat).status).to.equal('pending');
    void chat.respond(pending(chat).id, 'answered', { payload: 'There' });
    await sent;
    expect(JSON.stringify(server.bodies[0])).to.contain('There').and.not.to.contain('Good morning');
    expect(JSON.stringify(server.bodies[1])).to.contain('Good morning');
  });
});

describe('rule 90: a press in a surface', () => {
  const agents = ['a', 'b'].map((id) => ({
    id,
    name: id,
    endpoint: `https://${id}.example/agent`,
    protocol: 'ag-ui',
  }));
  const says = run({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Hi' }, finished());

  it('goes to the agent that has shown it, whichever is chosen now', async () => {
    const { chat, server, set } = makeChat([says], { agents, agent: 'a' });
    await chat.send('Hello');
    set({ agent: 'b' });
    const pressed = chat.messages.at(-1);
    const reply = await chat.send({ text: 'Pay', data: PRESS_DATA }, { sameAgentAs: pressed });
    expect(server.asked.map(({ url }) => new URL(url).host)).to.deep.equal(['a.example', 'a.example']);
    expect(reply.agentId).to.equal('a');
    await chat.send('And you?');
    await chat.send('Yes', { sameAgentAs: pressed });
    expect(server.asked.map(({ url }) => new URL(url).host).slice(2)).to.deep.equal(['b.example', 'b.example']);
  });

  it('of the page’s endpoint goes there, also if a discovered agent is chosen now', async () => {
    const discovered = agents.map((agent) => ({ ...agent, discovered: true }));
    const { chat, server, set } = makeChat([says], { protocol: 'ag-ui', endpoint: 'https://page.example/agent' });
    await chat.send('Hello');
    set({ agents: discovered, agent: 'b' });
    const reply = await chat.send({ text: 'Pay', data: PRESS_DATA }, { sameAgentAs: chat.messages.at(-1) });
    expect(reply.agentId).to.equal(undefined);
    await chat.send('And you?');
    expect(server.asked.map(({ url }) => new URL(url).host)).to.deep.equal([
      'page.example',
      'page.example',
      'b.example',
    ]);
  });

  it('goes nowhere if that agent is gone', async () => {
    const { chat, server, set } = makeChat([says], { agents, agent: 'a' });
    await chat.send('Hello');
    set({ agents: agents.slice(1), agent: 'b' });
    const reply = await chat.send({ text: 'Pay', data: PRESS_DATA }, { sameAgentAs: chat.messages.at(-1) });
    expect([server.asked.length, reply.status]).to.deep.equal([1, 'error']);
  });

  it('goes nowhere if the page has set another endpoint, unless that is set again', async () => {
    const { chat, server, set } = makeChat([says], { protocol: 'ag-ui', endpoint: 'https://a.example/agent' });
    await chat.send('Hello');
    const pressed = chat.messages.at(-1);
    set({ endpoint: 'https://b.example/agent' });
    const reply = await chat.send({ text: 'Pay', data: PRESS_DATA }, { sameAgentAs: pressed });
    expect([server.asked.length, reply.status]).to.deep.equal([1, 'error']);
    set({ endpoint: 'https://a.example/agent' });
    await chat.send({ text: 'Pay', data: PRESS_DATA }, { sameAgentAs: pressed });
    expect(server.asked.map(({ url }) => new URL(url).host)).to.deep.equal(['a.example', 'a.example']);
  });

  it('whose text the user edits is sent as that text, without the old action', async () => {
    const { chat, server } = makeChat([says], { protocol: 'ag-ui' });
    await chat.send('Hello');
    await chat.send({ text: 'Book\nGuests: 2', data: PRESS_DATA }, { sameAgentAs: chat.messages.at(-1) });
    expect(JSON.stringify(server.bodies[1])).to.contain('a2uiAction');
    await chat.edit(chat.messages[2]?.id ?? '', 'Book\nGuests: 5');
    const last = JSON.stringify(server.bodies[2]);
    expect(last).to.contain('Guests: 5').and.not.to.contain('a2uiAction');
  });
});
