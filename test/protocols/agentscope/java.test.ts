import { expect } from '@open-wc/testing';
import { adapter as agentscope } from '../../../src/protocols/agentscope/agentscope.ts';
import { detectors } from '../../../src/protocols/detectors.ts';
import { protocols } from '../../../src/protocols/registry.ts';
import { guessByUrl } from '../../../src/runtime/stream/detect-protocol.ts';
import { testBodies, testNeverThrows } from '../../support/adapter-tests.ts';
import { call as card, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { findProtocol } from '../../support/find-protocol.ts';
import { sse } from '../../support/play-body.ts';
import { contentDelta, response, start, textDelta } from './streams.ts';

type Json = Readonly<Record<string, unknown>>;

const replyMetadata = { messageId: 'rp', replyId: 'rp', replyStart: 'e1', dialect: 'java' };
const reply = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  name: 'Friday',
  status: 'complete',
  finish: 'complete',
  metadata: replyMetadata,
  blocks,
  ...more,
});
const event = (type: string, more: Json = {}): Json => ({ type, id: type, createdAt: 'x', replyId: 'rp', ...more });
const begin = event('AGENT_START', { id: 'e1', name: 'Friday', role: 'assistant' });
const say = (delta: string, more: Json = {}): Json => event('TEXT_BLOCK_DELTA', { blockId: 'b', delta, ...more });
const use = { id: 'k', name: 'f', input: { x: 1 }, content: '{"x":1}', state: 'asking' };

/** An older event with its message. */
const dump = (type: string, id: string, content: readonly Json[], isLast: boolean, role = 'ASSISTANT'): Json => ({
  type,
  message: { id, name: 'Friday', role, content, metadata: null, timestamp: 'x' },
  isLast,
});
const wordsOf = (said: string): readonly Json[] => [{ type: 'text', text: said }];

describe('agentscope, Java', () => {
  testBodies(agentscope, [
    {
      name: 'the events in camelCase; the result that repeats the reply is shown once',
      body: sse(
        begin,
        event('THINKING_BLOCK_DELTA', { blockId: 't', delta: 'Hm' }),
        event('TOOL_CALL_START', { toolCallId: 'c', toolCallName: 'f' }),
        event('TOOL_CALL_DELTA', { toolCallId: 'c', delta: '{}' }),
        event('MODEL_CALL_END', { usage: { inputTokens: 2, outputTokens: 3 } }),
        event('TOOL_RESULT_TEXT_DELTA', { toolCallId: 'c', delta: 'ok' }),
        event('TOOL_RESULT_END', { toolCallId: 'c', state: 'success' }),
        say('Hi'),
        { type: 'AGENT_RESULT', id: 'x', createdAt: 'x', result: { content: wordsOf('Hi') } },
        event('AGENT_END'),
      ),
      messages: [
        reply([thought('Hm'), card('c', 'f', { params: '{}', response: 'ok' }), text('Hi')], {
          usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
        }),
      ],
    },
    {
      name: 'only the result, without a stream',
      body: sse(
        begin,
        { type: 'AGENT_RESULT', createdAt: 'x', result: { content: wordsOf('Hi') } },
        event('AGENT_END'),
      ),
      messages: [reply([text('Hi')])],
    },
    {
      name: 'a sub-agent has its own messages, and its end is not the end of the reply',
      body: sse(
        begin,
        say('Look', { source: 'main/scout', replyId: 'sub' }),
        event('AGENT_END', { source: 'main/scout', replyId: 'sub' }),
        say('Done'),
        event('AGENT_END'),
      ),
      messages: [
        reply([text('Done')]),
        {
          name: 'scout',
          status: 'complete',
          finish: 'complete',
          metadata: { messageId: 'sub' },
          blocks: [text('Look')],
        },
      ],
    },
    {
      name: 'a confirmation, whose end waits too, and a denied one',
      body: sse(
        begin,
        event('TOOL_CALL_START', { toolCallId: 'd', toolCallName: 'g' }),
        { type: 'ALL_TOOLS_DENIED', createdAt: 'x', deniedToolCalls: [{ id: 'd', name: 'g', input: {} }] },
        event('REQUIRE_USER_CONFIRM', { toolCalls: [use] }),
        event('REQUEST_STOP', { replyId: undefined, reason: 'asks' }),
        event('AGENT_END'),
      ),
      messages: [
        reply(
          [
            card('d', 'g', { response: '' }, { status: 'error', error: { message: 'denied', code: 'denied' } }),
            card('k', 'f', { params: '{"x":1}' }, { status: 'loading' }),
            {
              type: 'action',
              status: 'pending',
              action_type: 'tool_call_permission',
              tool_call: { id: 'k', name: 'f', params: '{"x":1}' },
              extra: {
                replyId: 'rp',
                toolCall: JSON.stringify(use),
                editable: true,
                requestId: 'k',
                permissionType: 'all',
                serverName: '',
                toolName: 'f',
              },
            },
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    ...[
      { name: 'in chunks', frames: ['He', 'l', 'lo'] },
      { name: 'each with the complete text so far', frames: ['He', 'Hel', 'Hello'] },
      { name: 'in chunks that the last one corrects', frames: ['He', 'Helo', '?'] },
    ].map(({ name, frames }) => ({
      name: `older events, ${name}`,
      body: sse(
        ...frames.map((said) => dump('REASONING', 'm', wordsOf(said), false)),
        dump('REASONING', 'm', wordsOf('Hello'), true),
        dump('AGENT_RESULT', 'r', wordsOf('Hello'), true),
      ),
      messages: [
        {
          name: 'Friday',
          status: 'complete',
          finish: 'complete',
          metadata: { messageId: 'm' },
          blocks: [text('Hello')],
        },
      ],
    })),
    {
      name: 'older events: reasoning that goes on after it was complete, and repeats itself',
      body: sse(
        dump('REASONING', 'm', [{ type: 'thinking', thinking: 'Hm' }], true),
        dump('REASONING', 'm', [{ type: 'thinking', thinking: 'Hm, so' }], false),
        dump('REASONING', 'm', [], true),
      ),
      messages: [
        {
          name: 'Friday',
          status: 'complete',
          finish: 'complete',
          metadata: { messageId: 'm' },
          blocks: [thought('Hm, so')],
        },
      ],
    },
    {
      name: 'older events: thoughts and texts of several blocks are paragraphs',
      body: sse(
        dump('REASONING', 'm', [{ type: 'thinking', thinking: 'First.' }], false),
        dump(
          'REASONING',
          'm',
          [
            { type: 'thinking', thinking: 'First.' },
            { type: 'thinking', thinking: 'Second.' },
            ...wordsOf('One'),
            ...wordsOf('Two'),
          ],
          true,
        ),
      ),
      messages: [
        {
          name: 'Friday',
          status: 'complete',
          finish: 'complete',
          metadata: { messageId: 'm' },
          blocks: [thought('First.\n\nSecond.'), text('One\n\nTwo')],
        },
      ],
    },
    {
      name: 'older events with a tool, a hint and a second message',
      body: sse(
        dump('HINT', 'h', wordsOf('Note'), true, 'USER'),
        dump(
          'REASONING',
          'm',
          [
            { type: 'thinking', thinking: 'Hm' },
            { type: 'tool_use', id: 'c', name: 'f', input: { x: 1 } },
          ],
          true,
        ),
        dump('TOOL_RESULT', 't', [{ type: 'tool_result', id: 'c', name: 'f', output: wordsOf('ok') }], true, 'TOOL'),
        dump('REASONING', 'n', wordsOf('Done'), true),
      ),
      messages: [
        {
          name: 'Friday',
          status: 'complete',
          finish: 'complete',
          metadata: { messageId: 'm' },
          blocks: [
            {
              type: 'status',
              phase: 'hint',
              message: 'Note',
              extra: { steps: [{ phase: 'hint', message: 'Note' }] },
            },
            thought('Hm'),
            card('c', 'f', { params: '{"x":1}', response: 'ok' }, { extra: { remote: true } }),
          ],
        },
        {
          name: 'Friday',
          status: 'complete',
          finish: 'complete',
          metadata: { messageId: 'n' },
          blocks: [text('Done')],
        },
      ],
    },
    {
      name: 'older events that end within a message',
      body: sse(dump('REASONING', 'm', wordsOf('Half'), false)),
      messages: [
        {
          name: 'Friday',
          status: 'interrupted',
          finish: 'error',
          metadata: { messageId: 'm' },
          blocks: [text('Half')],
        },
      ],
      problem: 'cut',
    },
  ]);

  testNeverThrows(agentscope, [
    dump('REASONING', 'm', [...wordsOf('x'), { type: 'tool_use', id: 'c', name: 'f', input: {} }], true),
    dump('TOOL_RESULT', 't', [{ type: 'tool_result', id: 'c', output: wordsOf('x') }], false, 'TOOL'),
    dump('AGENT_RESULT', 'r', wordsOf('x'), true),
    dump('HINT', 'h', wordsOf('x'), true),
    begin,
    say('x', { source: 'a/b' }),
  ]);
});

describe('agentscope, detection', () => {
  const entries = protocols.list().filter(({ id }) => Object.hasOwn(detectors, id));
  for (const [name, body, found] of [
    ['the Runtime', sse(response('created')), /^agentscope$/],
    ['the Runtime’s pieces', sse(contentDelta('d', 'x')), /^agentscope$/],
    ['events of version 2', sse(start()), /^agentscope$/],
    ['events of version 2 that begin in the middle', sse(textDelta('x')), /^agentscope$/],
    ['Java’s events', sse(begin), /^agentscope$/],
    ['Java’s older events', sse(dump('REASONING', 'm', wordsOf('x'), false)), /^agentscope$/],
    ['events for the host before the first', sse({ type: 'CUSTOM', name: 'x', value: {} }, start()), /^agentscope$/],
    ['an object of OpenAI’s', JSON.stringify({ object: 'response', id: 'r', status: 'completed' }), /^(?!agentscope$)/],
    ['AG-UI', sse({ type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'f' }), /^(?!agentscope$)/],
  ] as const) {
    it(name, async () => {
      expect(await findProtocol(body, entries)).to.match(found);
    });
  }

  it('by its addresses', () => {
    const guess = (url: string): string | undefined => guessByUrl(new URL(url), entries)?.id;
    expect(guess('https://a.example/process')).to.equal('agentscope');
    expect(guess('https://a.example/chat/?agent_id=a')).to.equal('agentscope');
    expect(guess('https://a.example/sessions/s/stream?agent_id=a')).to.equal('agentscope');
    expect(guess('https://a.example/chat/')).to.equal(undefined);
  });
});
