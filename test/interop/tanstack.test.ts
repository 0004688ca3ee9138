/** What a server made with TanStack AI streams, and what the user gets. It speaks AG-UI, with additions of its own. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { toolDefinition } from '@tanstack/ai';
import { z } from 'zod';
import type { ClientTool } from '../../src/agents/tools.ts';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { asked, inShort, realChat, shows, until } from './support/real-chat.ts';
import { begins, calls, ends, says, tanStackServer, type TanStackServer } from './support/tanstack-server.ts';

const weather = (more: { readonly needsApproval?: boolean } = {}) =>
  toolDefinition({
    name: 'weather',
    description: 'The weather.',
    inputSchema: z.object({ city: z.string() }),
    ...more,
  });
const card = 'success: weather({"city":"Rome"}) → {"sky":"clear"}';

describe('a server of TanStack AI', () => {
  let server: TanStackServer;
  before(async () => {
    server = await tanStackServer();
  });
  after(() => server.close());

  const chatWith = (settings: ChatSettings = {}) =>
    realChat({ endpoint: server.endpoint, protocol: 'auto', threadId: 'c', ...settings });

  for (const framing of ['sse', 'ndjson'] as const) {
    it(`is detected, and its next turn has the history, as ${framing}`, async () => {
      server.play([says('Grüße 👋🏽', 'm1'), says('Yes.', 'm2')], { framing });
      const { chat, errors } = chatWith();
      const reply = await chat.send('Hi');
      assert.deepEqual([inShort(reply), reply.status, chat.store.state.protocol], [['Grüße 👋🏽'], 'complete', 'ag-ui']);
      await chat.send('Sure?');
      assert.deepEqual(errors, []);
      const roles = (server.asked[1] as { role: string; content: unknown }[]).map(({ role, content }) => [
        role,
        content,
      ]);
      assert.deepEqual(roles, [
        ['user', 'Hi'],
        ['assistant', 'Grüße 👋🏽'],
        ['user', 'Sure?'],
      ]);
    });
  }

  it('runs its own tools, for as long as they take', async () => {
    server.play([calls('c1', 'weather', { city: 'Rome' }), says('Clear.')], {
      // Longer than the silence after which the run of another server counts as the last one.
      tools: [weather().server(() => setTimeout(700, { sky: 'clear' }))],
    });
    const { chat, errors } = chatWith();
    const reply = await chat.send('Weather?');
    assert.deepEqual([inShort(reply), reply.status, errors], [[card, 'Clear.'], 'complete', []]);
    assert.deepEqual(server.methods, ['POST']);
  });

  it('has the page run the page’s tools', async () => {
    server.play([calls('c1', 'weather', { city: 'Rome' }), says('Clear.')]);
    const own: ClientTool = {
      name: 'weather',
      description: 'The weather.',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
      execute: () => ({ sky: 'clear' }),
    };
    const { chat, errors } = chatWith({ tools: [own] });
    assert.deepEqual(inShort(await chat.send('Weather?')), [card, 'Clear.']);
    assert.deepEqual(errors, []);
    assert.match(JSON.stringify(server.asked[1]), /"role":"tool".*sky/);
  });

  for (const decision of ['granted', 'denied'] as const) {
    it(`asks for approval, which is ${decision}`, async () => {
      const ran: unknown[] = [];
      const tool = weather({ needsApproval: true }).server((input) => {
        ran.push(input);
        return { sky: 'clear' };
      });
      server.play([calls('c1', 'weather', { city: 'Rome' }), says('So be it.')], { tools: [tool] });
      const { chat, errors } = chatWith();
      const sending = chat.send('Weather?');
      const [question] = await asked(chat);
      assert.deepEqual([question?.action_type, ran], ['tool_call_permission', []]);
      await chat.respond(question?.id ?? '', decision);
      const reply = await sending;
      assert.equal(inShort(reply).at(-1), 'So be it.');
      assert.deepEqual([reply.status, errors], ['complete', []]);
      assert.deepEqual(ran, decision === 'granted' ? [{ city: 'Rome' }] : []);
    });
  }

  it('runs with the arguments that the user has changed', async () => {
    const ran: unknown[] = [];
    const tool = weather({ needsApproval: true }).server((input) => {
      ran.push(input);
      return { sky: 'clear' };
    });
    server.play([calls('c1', 'weather', { city: 'Rome' }), says('So be it.')], { tools: [tool] });
    const { chat } = chatWith();
    const sending = chat.send('Weather?');
    const [question] = await asked(chat);
    assert.equal(question?.extra?.['editable'], true);
    await chat.respond(question.id, 'granted', { arguments: { city: 'Lima' } });
    await sending;
    assert.deepEqual(ran, [{ city: 'Lima' }]);
  });

  it('continues a broken stream after its last event', async () => {
    const { chat, errors, sent } = chatWith();
    const gate = Promise.withResolvers<undefined>();
    const rest = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'upon a time.' };
    server.play([[...begins('Once '), gate.promise, rest, ...ends()]]);
    const sending = chat.send('Tell');
    await shows(chat, 'Once ');
    server.cut();
    await until(chat, () => chat.status === 'reconnecting');
    chat.store.state.wait?.now();
    gate.resolve(undefined);
    const reply = await sending;
    assert.deepEqual([inShort(reply), reply.status, errors], [['Once upon a time.'], 'complete', []]);
    assert.deepEqual(server.methods, ['POST', 'GET']);
    assert.match(sent[1]?.path ?? '', /^\/api\/chat\?offset=memory/);
  });

  it('continues in a page that was reloaded', async () => {
    const { chat: earlier } = chatWith({ protocol: 'ag-ui' });
    const gate = Promise.withResolvers<undefined>();
    const rest = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'upon a time.' };
    server.play([[...begins('Once '), gate.promise, rest, ...ends()]]);
    void earlier.send('Tell');
    await shows(earlier, 'Once ');
    earlier.interrupt();
    const { chat, errors } = chatWith({ protocol: 'ag-ui' });
    chat.messages = earlier.messages;
    const resuming = chat.resume();
    gate.resolve(undefined);
    const reply = await resuming;
    assert.deepEqual([inShort(reply), reply.status, errors], [['Once upon a time.'], 'complete', []]);
    assert.deepEqual(server.methods, ['POST', 'GET']);
  });

  it('stops on screen when the user stops', async () => {
    server.play([[...begins('Once '), new Promise(() => undefined)]]);
    const { chat, errors } = chatWith();
    const sending = chat.send('Tell');
    await shows(chat, 'Once ');
    chat.stop();
    const reply = await sending;
    assert.deepEqual([inShort(reply), reply.status, errors], [['Once '], 'cancelled', []]);
  });

  it('reports an error after the text', async () => {
    server.play([[...begins('Half'), { type: 'RUN_ERROR', message: 'Overloaded.' }]]);
    const reply = await chatWith().chat.send('Hi');
    assert.deepEqual([inShort(reply), reply.status], [['Half', 'error: Overloaded.'], 'error']);
  });
});
