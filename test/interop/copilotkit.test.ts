/** CopilotKit's runtime by its base URL: several agents, runs that outlive their connection, one route or several. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { textMessage } from './support/ag-ui-server.ts';
import { copilotKitServer, type CopilotKitServer } from './support/copilotkit-server.ts';
import { received, inShort, realChat, shows, until } from './support/real-chat.ts';

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

for (const single of [false, true]) {
  describe(`CopilotKit’s runtime with ${single ? 'a single route' : 'a route for each action'}`, () => {
    let server: CopilotKitServer;
    before(async () => {
      server = await copilotKitServer();
    });
    after(() => server.close());

    const chatWith = (settings: ChatSettings = {}) =>
      realChat({ endpoint: server.base, protocol: 'ag-ui', threadId: 'c', ...settings });
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
