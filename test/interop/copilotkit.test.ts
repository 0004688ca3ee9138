/** CopilotKit's runtime by its base URL: several agents, runs that outlive their connection, one route or several. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { textMessage } from './support/ag-ui-server.ts';
import { copilotKitServer, type CopilotKitServer } from './support/copilotkit-server.ts';
import { received, inShort, pendingActions, realChat, shows, until } from './support/real-chat.ts';

const calls = (toolCallId: string, name: string, args: string): readonly object[] => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName: name },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: args },
  { type: 'TOOL_CALL_END', toolCallId },
];
const startText = (text: string): readonly object[] => [
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: text },
];
const ends = (text: string): readonly object[] => [
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: text },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
];

const interrupt = (interrupt: object): readonly object[] => [
  { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ id: 'i1', ...interrupt }] } },
];
const approval = interrupt({
  reason: 'tool_call',
  toolCallId: 'c1',
  message: 'Book it?',
  responseSchema: { type: 'object', properties: { approved: { type: 'boolean' } } },
});

for (const [single, protocol] of [
  [false, 'ag-ui'],
  [false, 'auto'],
  [true, 'ag-ui'],
  [true, 'auto'],
] as const) {
  const routes = single ? 'a single route' : 'a route for each action';
  describe(`CopilotKit’s runtime with ${routes}, with protocol="${protocol}"`, () => {
    let server: CopilotKitServer;
    before(async () => {
      server = await copilotKitServer();
    });
    after(() => server.close());

    const chatWith = (settings: ChatSettings = {}) =>
      realChat({ endpoint: server.base, protocol, threadId: 'c', ...settings });
    const path = (action: 'run' | 'connect' | 'stop'): string =>
      single ? `agent/${action}` : `/agent/default/${action}${action === 'stop' ? '/c' : ''}`;
    const info = single ? ['info'] : ['/info'];

    it('answers, and its next turn has the history', async () => {
      server.play([textMessage('m1', 'Hel', 'lo'), textMessage('m2', 'Yes.')], { single });
      const { chat, errors } = chatWith();
      assert.deepEqual(inShort(await chat.send('Hi')), ['Hello']);
      await chat.send('Sure?');
      assert.deepEqual(errors, []);
      assert.deepEqual(server.requests, [...info, path('run'), path('run')]);
      const messages = server.inputs[1]?.messages.map(({ role, content }) => [role, content]);
      assert.deepEqual(messages, [
        ['user', 'Hi'],
        ['assistant', 'Hello'],
        ['user', 'Sure?'],
      ]);
    });

    it('runs tools of the agent, and the next turn has their results', async () => {
      const result = {
        type: 'TOOL_CALL_RESULT',
        messageId: 'r',
        toolCallId: 'c1',
        role: 'tool',
        content: '{"degrees":21}',
      };
      server.play(
        [
          [...calls('c1', 'weather', '{"city":"Bergen"}'), result, ...textMessage('m1', '21 degrees.')],
          textMessage('m2', 'Yes.'),
        ],
        { single },
      );
      const { chat, errors } = chatWith();
      const reply = await chat.send('Weather?');
      assert.deepEqual(inShort(reply), ['success: weather({"city":"Bergen"}) → {"degrees":21}', '21 degrees.']);
      assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
      assert.deepEqual(
        server.inputs[1]?.messages.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'assistant', 'user'],
      );
      assert.deepEqual(errors, []);
    });

    for (const decision of ['granted', 'denied'] as const)
      it(`asks for permission, and the agent hears that it was ${decision}`, async () => {
        const isGranted = decision === 'granted';
        const content = isGranted ? 'Booked.' : 'Not booked.';
        const result = { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c1', role: 'tool', content };
        server.play(
          [
            [...calls('c1', 'book', '{"city":"Oslo"}'), ...approval],
            [result, ...textMessage('m1', 'Fine.')],
            textMessage('m2', 'Yes.'),
          ],
          { single },
        );
        const { chat, errors } = chatWith();
        const sending = chat.send('Book it');
        const [question] = await pendingActions(chat);
        assert.equal(question?.content, 'Book it?');
        await chat.respond(question.id, decision);
        await sending;
        await until(chat, () => chat.status === 'idle');
        assert.deepEqual(chat.messages.slice(1).flatMap(inShort), [
          `success: book({"city":"Oslo"}) → ${content}`,
          `tool_call_permission: ${decision}`,
          'Fine.',
        ]);
        assert.deepEqual(server.inputs[1]?.resume, [
          { interruptId: 'i1', status: 'resolved', payload: { approved: isGranted } },
        ]);
        assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
        assert.deepEqual(errors, []);
      });

    it('asks a question, which the user answers', async () => {
      const responseSchema = { type: 'object', properties: { colour: { type: 'string', enum: ['Red', 'Blue'] } } };
      const asks = interrupt({ reason: 'input_required', message: 'Which colour?', responseSchema });
      server.play([[...textMessage('m1', 'One moment.'), ...asks], textMessage('m2', 'Red it is.')], { single });
      const { chat, errors } = chatWith();
      const sending = chat.send('Paint it');
      const [question] = await pendingActions(chat);
      await chat.respond(question?.id ?? '', 'answered', { payload: 'Red' });
      await sending;
      await until(chat, () => chat.status === 'idle');
      assert.deepEqual(chat.messages.slice(1).flatMap(inShort), ['One moment.', 'question: granted', 'Red it is.']);
      assert.deepEqual(server.inputs[1]?.resume, [
        { interruptId: 'i1', status: 'resolved', payload: { colour: 'Red' } },
      ]);
      assert.deepEqual(errors, []);
    });

    it('has the page run the page’s tools', async () => {
      server.play([calls('c1', 'where', '{}'), textMessage('m', 'At home.')], { single });
      const locationTool = {
        name: 'where',
        description: '',
        parameters: { type: 'object' },
        execute: () => ({ at: 'home' }),
      };
      const { chat, errors } = chatWith({ tools: [locationTool] });
      assert.deepEqual(inShort(await chat.send('Where?')), ['success: where({}) → {"at":"home"}', 'At home.']);
      assert.deepEqual([errors, server.inputs[0]?.tools.map(({ name }) => name)], [[], ['where']]);
    });

    it('replays the run when its connection breaks, without the earlier run', async () => {
      const { chat, errors } = chatWith();
      const gate = Promise.withResolvers<undefined>();
      server.play([textMessage('m0', 'Earlier.'), [...startText('Once '), gate.promise, ...ends('upon a time.')]], {
        single,
      });
      await chat.send('Hi');
      const sending = chat.send('Tell');
      await shows(chat, 'Once ');
      server.cut();
      await until(chat, () => chat.status === 'reconnecting');
      chat.store.state.wait?.now();
      await until(chat, () => chat.status === 'streaming');
      gate.resolve(undefined);
      const reply = await sending;
      assert.deepEqual([inShort(reply), reply.status, errors], [['Once upon a time.'], 'complete', []]);
      assert.deepEqual(server.requests, [...info, path('run'), path('run'), path('connect')]);
    });

    it('replays the finished run in a page that was reloaded', async () => {
      const { chat: earlier } = chatWith();
      const gate = Promise.withResolvers<undefined>();
      server.play([[...startText('Once '), gate.promise, ...ends('upon a time.')]], { single });
      void earlier.send('Tell');
      await shows(earlier, 'Once ');
      earlier.interrupt();
      gate.resolve(undefined);
      const { chat, errors } = chatWith();
      chat.messages = earlier.messages;
      const reply = await chat.resume();
      assert.deepEqual([inShort(reply), reply.status, errors], [['Once upon a time.'], 'complete', []]);
    });

    it('replays the run after an answer in a page that was reloaded, and keeps what came before it', async () => {
      const gate = Promise.withResolvers<undefined>();
      const result = { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c1', role: 'tool', content: 'Booked.' };
      server.play(
        [
          [...calls('c1', 'book', '{"city":"Oslo"}'), ...approval],
          [result, ...startText('Once '), gate.promise, ...ends('upon a time.')],
        ],
        { single },
      );
      const { chat: earlier } = chatWith();
      void earlier.send('Book it');
      const [question] = await pendingActions(earlier);
      void earlier.respond(question?.id ?? '', 'granted');
      await shows(earlier, 'Once ');
      earlier.interrupt();
      gate.resolve(undefined);
      const { chat, errors } = chatWith();
      chat.messages = earlier.messages;
      await chat.resume();
      assert.deepEqual(chat.messages.slice(1).map(inShort), [
        ['success: book({"city":"Oslo"}) → Booked.', 'tool_call_permission: granted', 'Once upon a time.'],
      ]);
      assert.deepEqual(errors, []);
    });

    it('is informed of a stop, and then answers the next turn', async () => {
      server.play([[...startText('Once '), new Promise(() => undefined)], textMessage('m2', 'Yes.')], { single });
      const { chat, errors } = chatWith();
      const sending = chat.send('Tell');
      await shows(chat, 'Once ');
      chat.stop();
      assert.equal((await sending).status, 'cancelled');
      await received(() => server.requests.length >= 3);
      assert.deepEqual(server.requests, [...info, path('run'), path('stop')]);
      assert.deepEqual(inShort(await chat.send('Sure?')), ['Yes.']);
      assert.deepEqual(errors, []);
    });

    it('reports an error after the text', async () => {
      server.play([[...textMessage('m', 'Half'), { type: 'RUN_ERROR', message: 'Overloaded.' }]], { single });
      const reply = await chatWith().chat.send('Hi');
      assert.deepEqual([inShort(reply), reply.status], [['Half', 'error: Overloaded.'], 'error']);
    });

    it('lets the page choose the agent', async () => {
      server.play([textMessage('m', 'Hello')], { single });
      const reply = await chatWith({ model: 'sales' }).chat.send('Hi');
      assert.deepEqual(inShort(reply), ['Hello']);
      assert.deepEqual(server.requests, [...info, single ? 'agent/run' : '/agent/sales/run']);
    });
  });
}
