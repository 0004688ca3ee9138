/** Conversations with an AG-UI agent that reads and writes with the vendor's own schemas and encoder. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Message } from '@ag-ui/core';
import type { ClientTool } from '../../src/agents/tools.ts';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import {
  agUiServer,
  callTool,
  interrupted,
  result,
  textMessage,
  think,
  type AgUiServer,
} from './support/ag-ui-server.ts';
import { pendingActions, inShort, realChat, type RealChat } from './support/real-chat.ts';

const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } };
const weather: ClientTool = {
  name: 'weather',
  description: 'The weather of a city',
  parameters,
  execute: (args) => ({ sky: 'clear', ...(args as object) }),
};

describe('ag-ui', () => {
  let server: AgUiServer;
  before(async () => {
    server = await agUiServer();
  });
  after(() => server.close());

  for (const protocol of ['auto', 'ag-ui']) {
    describe(`with protocol="${protocol}"`, () => {
      const open = (settings: ChatSettings = {}): RealChat => realChat({ endpoint: server.url, protocol, ...settings });
      let before = 0;
      beforeEach(() => {
        before = server.faults.length;
      });
      /** The vendor's schema accepted every request. */
      const allValid = (): void => {
        assert.deepEqual(server.faults.slice(before), []);
      };

      it('shows reasoning and text, and sends them back unchanged', async () => {
        server.play([...think('z', 'Let me ', 'see.'), ...textMessage('m', 'Hel', 'lo')], textMessage('n', 'Again'));
        const { chat } = open({ system: 'Be brief.', context: { page: 'Shop' } });
        const reply = await chat.send('Hi');
        assert.deepEqual(inShort(reply), ['thought: Let me see.', 'Hello']);
        assert.deepEqual([reply.status, reply.finish], ['complete', 'complete']);
        await chat.send('More');
        allValid();
        const [first, second] = server.inputs;
        assert.equal(first?.threadId, second?.threadId);
        assert.notEqual(first?.runId, second?.runId);
        assert.equal(first?.messages.at(-1)?.content, 'Hi');
        assert.deepEqual(
          second?.messages.map(({ role, content }) => [role, content]),
          [
            ['system', 'Be brief.'],
            ['user', 'Hi'],
            ['reasoning', 'Let me see.'],
            ['assistant', 'Hello'],
            ['user', 'More'],
          ],
        );
        assert.deepEqual(second.context, [{ description: 'page', value: 'Shop' }]);
      });

      it('runs a tool of the page, and sends its result', async () => {
        server.play(
          [...textMessage('m', 'I look.'), ...callTool('c', 'weather', '{"city":"Lisbon"}', 'm')],
          textMessage('n', 'It is clear.'),
        );
        const { chat } = open({ tools: [weather] });
        const reply = await chat.send('Weather?');
        assert.deepEqual(inShort(reply), [
          'I look.',
          'success: weather({"city":"Lisbon"}) → {"sky":"clear","city":"Lisbon"}',
          'It is clear.',
        ]);
        assert.equal(reply.status, 'complete');
        allValid();
        const [first, second] = server.inputs;
        if (protocol === 'ag-ui') {
          assert.deepEqual(first?.tools, [{ name: 'weather', description: 'The weather of a city', parameters }]);
        }
        assert.equal(server.inputs.length, 2);
        assert.deepEqual(summariesOf(second?.messages ?? []), [
          'user Weather?',
          'assistant I look. weather({"city":"Lisbon"})',
          `tool c ${JSON.stringify('{"sky":"clear","city":"Lisbon"}')}`,
        ]);
        assert.notEqual(first?.runId, second?.runId);
      });

      it('reports to the agent that a tool of the page has failed', async () => {
        server.play(callTool('c', 'weather', '{"city":"Atlantis"}', 'm'), textMessage('n', 'I see.'));
        const broken: ClientTool = {
          ...weather,
          execute: () => {
            throw new Error('No such city.');
          },
        };
        const { chat } = open({ tools: [broken] });
        const reply = await chat.send('Weather?');
        assert.deepEqual(inShort(reply).at(-1), 'I see.');
        allValid();
        const toolMessage = server.inputs[1]?.messages.find(({ role }) => role === 'tool');
        assert.equal(toolMessage?.role === 'tool' && toolMessage.error, 'No such city.');
      });

      it('asks for a permission, and resumes with the answer', async () => {
        server.play(
          [
            ...callTool('c', 'pay', '{"amount":5}', 'm'),
            ...interrupted({
              id: 'i',
              reason: 'tool_call',
              toolCallId: 'c',
              message: 'Pay?',
              responseSchema: { type: 'object', properties: { approved: { type: 'boolean' } } },
            }),
          ],
          [...result('c', 'paid'), ...textMessage('n', 'Done.')],
        );
        const { chat } = open();
        const done = chat.send('Buy');
        const [question] = await pendingActions(chat);
        assert.equal(question?.action_type, 'tool_call_permission');
        await chat.respond(question.id, 'granted');
        const reply = await done;
        assert.equal(reply.status, 'complete');
        assert.deepEqual(inShort(reply).slice(-1), ['Done.']);
        assert.ok(inShort(reply).includes('success: pay({"amount":5}) → paid'));
        allValid();
        assert.deepEqual(server.inputs[1]?.resume, [
          { interruptId: 'i', status: 'resolved', payload: { approved: true } },
        ]);
        assert.deepEqual(summariesOf(server.inputs[1].messages), ['user Buy', 'assistant  pay({"amount":5})']);
      });

      it('asks a question, and cancels it when the user sends another message', async () => {
        server.play(
          [
            ...textMessage('m', 'One thing.'),
            ...interrupted({ id: 'i', reason: 'input_required', message: 'Which size?' }),
          ],
          textMessage('n', 'Never mind.'),
        );
        const { chat } = open();
        const done = chat.send('Buy');
        const [question] = await pendingActions(chat);
        assert.equal(question?.action_type, 'question');
        await chat.respond(question.id, 'dismissed');
        assert.equal((await done).status, 'complete');
        assert.equal(server.inputs.length, 1, 'nothing is sent before the reader says something else');
        assert.deepEqual(inShort(await chat.send('Something else')), ['Never mind.']);
        allValid();
        assert.deepEqual(server.inputs[1]?.resume, [{ interruptId: 'i', status: 'cancelled' }]);
      });

      it('stores the state that the agent shares, and sends it back', async () => {
        server.play(
          [
            { type: 'STATE_SNAPSHOT', snapshot: { cart: [], n: 1 } },
            ...textMessage('m', 'Ok'),
            {
              type: 'STATE_DELTA',
              delta: [
                { op: 'add', path: '/cart/-', value: 'tea' },
                { op: 'replace', path: '/n', value: 2 },
              ],
            },
          ],
          textMessage('n', 'Yes'),
        );
        const { chat, states } = open();
        await chat.send('Hi');
        assert.deepEqual(states, [
          { cart: [], n: 1 },
          { cart: ['tea'], n: 2 },
        ]);
        assert.deepEqual(chat.store.state.agentState, { cart: ['tea'], n: 2 });
        await chat.send('More');
        allValid();
        assert.deepEqual(server.inputs[1]?.state, { cart: ['tea'], n: 2 });
      });

      it('shows why a run has failed, after its text', async () => {
        server.play([...textMessage('m', 'Half'), { type: 'RUN_ERROR', message: 'No more fuel.', code: 'fuel' }]);
        const { chat, errors } = open();
        const reply = await chat.send('Hi');
        assert.deepEqual(inShort(reply), ['Half', 'error: No more fuel.']);
        assert.deepEqual([reply.status, reply.finish], ['error', 'error']);
        assert.deepEqual(
          errors.map(({ kind, message, code }) => [kind, message, code]),
          [['agent', 'No more fuel.', 'fuel']],
        );
      });

      it('shows a run that the server stopped as stopped', async () => {
        server.play([...textMessage('m', 'Half'), { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } }]);
        const { chat, errors } = open();
        const reply = await chat.send('Hi');
        assert.deepEqual(inShort(reply), ['Half']);
        assert.deepEqual([reply.status, reply.finish], ['cancelled', 'cancelled']);
        assert.deepEqual(errors, []);
      });

      it('sends an image and a document as parts of the message', async () => {
        server.play(textMessage('m', 'Nice.'));
        const { chat } = open();
        await chat.send('First');
        await chat.send({
          text: 'Look',
          attachments: [
            { kind: 'image', data: btoa('x'), mimeType: 'image/png', name: 'a.png' },
            { kind: 'file', data: btoa('%PDF'), mimeType: 'application/pdf', name: 'a.pdf' },
          ],
        });
        allValid();
        const lastMessage = server.inputs.at(-1)?.messages.at(-1);
        assert.ok(lastMessage?.role === 'user' && typeof lastMessage.content !== 'string');
        assert.deepEqual(
          lastMessage.content.map(({ type }) => type),
          ['text', 'image', 'document'],
        );
      });
    });
  }
});

/** The roles and texts of messages. */
const summariesOf = (messages: readonly Message[]): readonly string[] =>
  messages.map((message) => {
    const { role } = message;
    if (role === 'tool') return `${role} ${message.toolCallId} ${JSON.stringify(message.content)}`;
    const calls = role === 'assistant' ? (message.toolCalls ?? []) : [];
    const text = typeof message.content === 'string' ? message.content : '';
    return [`${role} ${text}`, ...calls.map((call) => `${call.function.name}(${call.function.arguments})`)].join(' ');
  });
