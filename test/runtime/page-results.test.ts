/** A server's later events never change what a function of the page has returned, or that the user has denied it. */
import { expect } from '@open-wc/testing';
import { sse } from '../support/play-body.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';

const RUN = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const END = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const asks = sse(
  RUN,
  { type: 'TOOL_CALL_START', toolCallId: 'a', toolCallName: 'wipe' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'a', delta: '{"q":1}' },
  { type: 'TOOL_CALL_END', toolCallId: 'a' },
  END,
);
const snapshot = (id: string, params: string): object => ({
  type: 'MESSAGES_SNAPSHOT',
  messages: [
    { id: 'u', role: 'user', content: 'Hi' },
    {
      id,
      role: 'assistant',
      toolCalls: [{ id: 'a', type: 'function', function: { name: 'wipe', arguments: params } }],
    },
    { id: 'ra', role: 'tool', toolCallId: 'a', content: 'wiped' },
    { id: 'm', role: 'assistant', content: 'Done' },
  ],
});

describe('rule 45: the result of a function of the page', () => {
  for (const [decision, expected] of [
    ['granted', ['success', 'ours']],
    ['denied', ['error', 'The user denied this call.']],
  ] as const) {
    for (const [what, event] of [
      ['a snapshot', snapshot('a', '{"q":1}')],
      ['a snapshot with other arguments', snapshot('a', '{"q":2}')],
      ['a late result', { type: 'TOOL_CALL_RESULT', toolCallId: 'a', messageId: 'ra', content: 'wiped' }],
    ] as const) {
      it(`that the user has ${decision} is not replaced by ${what}`, async () => {
        const tool = { name: 'wipe', description: 'Wipe', parameters: {}, needsApproval: true, execute: () => 'ours' };
        const done = sse(RUN, event, END);
        const { chat, server } = makeChat([stream(asks), stream(done), stream(done)], {
          protocol: 'ag-ui',
          tools: [tool],
        });
        const sent = chat.send('Hi');
        await until(chat, isAsking);
        void chat.respond(pending(chat).id, decision);
        await sent;
        await chat.send('Again');
        const calls = chat.messages.flatMap(({ blocks }) =>
          blocks.flatMap((block) =>
            block.type === 'tool_call' ? [[block.status, block.tool_call.response, block.tool_call.params]] : [],
          ),
        );
        expect(calls[0]).to.deep.equal([...expected, '{"q":1}']);
        const { messages } = server.bodies[2] as { messages: { role: string; content: string }[] };
        expect(messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).to.deep.equal([
          expected[1],
        ]);
      });
    }
  }
});

describe('rule 45: the result of a function of the page, with LangGraph', () => {
  const values = (...messages: readonly object[]): string =>
    `event: values\ndata: ${JSON.stringify({ messages: [{ id: 'u', type: 'human', content: 'Hi' }, ...messages] })}\n\n`;
  const meta = 'event: metadata\ndata: {"run_id":"r"}\n\n';
  const call = {
    id: 'x',
    type: 'ai',
    content: '',
    tool_calls: [{ id: 'a', name: 'wipe', args: { q: 1 }, type: 'tool_call' }],
  };
  it('is not replaced by later states', async () => {
    const tool = { name: 'wipe', description: 'Wipe', parameters: {}, execute: () => 'ours' };
    const late = { id: 'ra', type: 'tool', tool_call_id: 'a', content: 'wiped' };
    const { chat, server } = makeChat(
      [
        stream(meta + values(call)),
        stream(
          meta +
            values(call, late, { id: 'm', type: 'ai', content: 'Wrong' }) +
            values(call, late, { id: 'm', type: 'ai', content: 'Right' }),
        ),
      ],
      { protocol: 'langgraph', endpoint: 'https://agent.example/threads/t/runs/stream', tools: [tool] },
    );
    await chat.send('Hi');
    const calls = chat.messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === 'tool_call' ? [[block.status, block.tool_call.response]] : [])),
    );
    expect([calls, server.bodies.length]).to.deep.equal([[['success', 'ours']], 2]);
  });
});

describe('rule 45: the result of a function of the page, with message-field', () => {
  it('is not replaced by the stored result of a thought with its id', async () => {
    const call = (name: string) => [{ id: 'x', type: 'function', function: { name, arguments: '{}' } }];
    const changed = (name: string) => ({
      type: 'message_field',
      message_id: 'm',
      field_name: 'tool_calls',
      field_value: call(name),
    });
    const result = { role: 'tool', tool_call_id: 'x', content: 'forged', signature: 's' };
    const { chat, server } = makeChat(
      [
        stream(
          sse(
            { type: 'message_start', message_id: 'm', role: 'assistant' },
            changed('think'),
            { type: 'message_start', message_id: 'r', role: 'tool', tool_call_id: 'x' },
            { type: 'message_result', message_id: 'r', message: result },
            changed('locate'),
            {
              type: 'message_result',
              message_id: 'm',
              message: { role: 'assistant', content: '', tool_calls: call('locate') },
            },
          ),
        ),
        stream(
          sse(
            { type: 'message_start', message_id: 'n', role: 'assistant' },
            { type: 'message_result', message_id: 'n', message: { role: 'assistant', content: 'Done' } },
          ),
        ),
      ],
      {
        protocol: 'message-field',
        tools: [{ name: 'locate', description: '', parameters: {}, execute: () => 'ours' }],
      },
    );
    await chat.send('Hi');
    const { messages } = server.bodies[1] as { messages: { role: string; content: string; signature?: string }[] };
    const results = messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ content, signature }) => [content, signature])).to.deep.equal([['ours', undefined]]);
  });
});

describe('rule 45: the result of a function of the page, in a message that is replaced', () => {
  const events = (...data: readonly object[]): string =>
    sse(...data.map((fields) => ({ type: 'response', data: { eventId: 'e', ...fields } })));
  const start = { tool_call: 'start', tool_call_id: 'a', tool_call_name: 'wipe', tool_call_params: '{"q":1}' };
  const end = { tool_call: 'end', tool_call_id: 'a', tool_call_response: 'wiped' };
  for (const [decision, expected] of [
    ['granted', ['success', 'ours']],
    ['denied', ['error', 'The user denied this call.']],
  ] as const) {
    for (const [what, again] of [
      ['the same call with another result', [start, end]],
      ['a call of another tool with its id', [{ ...start, tool_call_name: 'read' }, end]],
      ['a text', [{ content: 'Nothing has happened.' }]],
    ] as const) {
      it(`stays after the user has ${decision} it, if the replacement has ${what}`, async () => {
        const tool = { name: 'wipe', description: 'Wipe', parameters: {}, needsApproval: true, execute: () => 'ours' };
        const { chat } = makeChat(
          [
            stream(events({ message: { id: 'm' } }, start, { finish: 'tool_use' })),
            stream(events({ message: { id: 'm', replace: true } }, ...again, { finish: 'complete' })),
          ],
          { protocol: 'deepchat-events', tools: [tool] },
        );
        const sent = chat.send('Hi');
        await until(chat, isAsking);
        void chat.respond(pending(chat).id, decision);
        await sent;
        const calls = chat.messages.flatMap(({ blocks }) =>
          blocks.flatMap((block) => (block.type === 'tool_call' ? [[block.status, block.tool_call.response]] : [])),
        );
        expect(calls[0]).to.deep.equal(expected);
        expect(calls).to.have.length(what === 'a call of another tool with its id' ? 2 : 1);
      });
    }
  }
});
