import { expect } from '@open-wc/testing';
import { adapter as assistantTransport } from '../../../src/protocols/assistant-transport/assistant-transport.ts';
import { testRequests } from '../../support/adapter-tests.ts';
import { chunksOf } from '../../support/cuts.ts';
import { assistant, conversation, toolBlock, user } from '../../support/messages.ts';
import { decodeContext, emptyTurn, framesOf } from '../../support/play-body.ts';

const body = (commands: readonly object[], state: unknown = null): object => ({ commands, state, threadId: 'thread' });
const add = (...parts: readonly object[]): object => ({
  type: 'add-message',
  message: { role: 'user', parts },
  parentId: null,
  sourceId: null,
});
const state = { messages: [{ role: 'user', content: 'hi' }] };

describe('assistant-transport, request', () => {
  testRequests(assistantTransport, [
    {
      name: 'the first message',
      messages: [user('hi')],
      body: body([add({ type: 'text', text: 'hi' })]),
    },
    {
      name: 'only the new message, with the server’s latest state',
      messages: [user('hi'), assistant('Hello', { metadata: { agentState: state } }), user('more')],
      body: body([add({ type: 'text', text: 'more' })], state),
    },
    {
      name: 'the page’s settings beside it',
      messages: [user('hi')],
      options: {
        system: 'Be kind.',
        tools: [{ name: 'f', description: 'Does f', parameters: { type: 'object' } }],
      },
      body: {
        ...body([add({ type: 'text', text: 'hi' })]),
        system: 'Be kind.',
        tools: { f: { description: 'Does f', parameters: { type: 'object' } } },
      },
    },
    {
      name: 'images and other files',
      messages: [
        user('look', {
          attachments: [
            { kind: 'image', data: 'AA', mimeType: 'image/png' },
            { kind: 'file', data: 'BB', mimeType: 'application/pdf', name: 'd.pdf' },
          ],
        }),
      ],
      body: body([
        add(
          { type: 'text', text: 'look' },
          { type: 'image', image: 'data:image/png;base64,AA' },
          { type: 'file', data: 'data:application/pdf;base64,BB', mimeType: 'application/pdf', filename: 'd.pdf' },
        ),
      ]),
    },
    {
      name: 'the results of the page’s calls, and no text again',
      messages: [
        user('hi'),
        assistant(
          [
            toolBlock('z', 'f', '{}', 'the server’s own'),
            toolBlock('a', 'f', '{}', '{"y":2}'),
            toolBlock('b', 'g', '{}', 'Broken', true),
          ],
          { metadata: { openCalls: ['a', 'b'] } },
        ),
      ],
      body: body([
        { type: 'add-tool-result', toolCallId: 'a', toolName: 'f', result: { y: 2 }, isError: false },
        { type: 'add-tool-result', toolCallId: 'b', toolName: 'g', result: 'Broken', isError: true },
      ]),
    },
    {
      name: 'a call without an answer, before the new message',
      messages: [user('hi'), assistant([toolBlock('a', 'f', '{}')], { metadata: { openCalls: ['a'] } }), user('more')],
      body: body([
        {
          type: 'add-tool-result',
          toolCallId: 'a',
          toolName: 'f',
          result: 'The call was not finished.',
          isError: true,
        },
        add({ type: 'text', text: 'more' }),
      ]),
    },
  ]);

  it('changes the state of the previous reply, and forgets its calls', async () => {
    const messages = conversation(
      user('hi'),
      assistant('Hello', { metadata: { agentState: { a: 1, b: 'x' }, openCalls: ['a'] } }),
      user('more'),
    );
    const operations = [{ type: 'append-text', path: ['b'], value: 'y' }];
    const metadata = {};
    const context = { ...decodeContext(), turn: { ...emptyTurn, messages } };
    const frames = [framesOf({ type: 'update-state', operations })];
    for await (const batch of assistantTransport.decode(chunksOf(frames), context)) {
      for (const event of batch) if (event.type === 'response') Object.assign(metadata, event.data.metadata);
    }
    expect(metadata).to.deep.equal({ agentState: { a: 1, b: 'xy' }, openCalls: [] });
  });

  it('does not show the old messages of the state again', async () => {
    const old = [{ role: 'user' }, { role: 'assistant', content: 'Hello' }];
    const messages = conversation(
      user('hi'),
      assistant('Hello', { metadata: { agentState: { messages: old } } }),
      user('x'),
    );
    const context = { ...decodeContext(), turn: { ...emptyTurn, messages } };
    const set = (path: readonly string[], value: unknown): object => ({
      type: 'update-state',
      operations: [{ type: 'set', path, value }],
    });
    const frames = [
      framesOf(set(['running'], true)),
      framesOf(set(['messages', '2'], { role: 'user' }), set(['messages', '3'], { role: 'assistant', content: 'New' })),
    ];
    const said: unknown[] = [];
    for await (const batch of assistantTransport.decode(chunksOf(frames), context)) {
      for (const event of batch) if (event.type === 'response' && event.data.content) said.push(event.data.content);
    }
    expect(said).to.deep.equal(['New']);
  });
});
