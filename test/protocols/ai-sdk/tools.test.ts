import { expect } from '@open-wc/testing';
import { adapter as aiSdk } from '../../../src/protocols/ai-sdk/ai-sdk.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { bareBlock, call, type ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import {
  turnAfter,
  toolInput,
  finish,
  finishStep,
  toolOutput,
  continueReply,
  sentParts,
  replyOf,
  startStep,
  stream,
  withBlocks,
  withResults,
  textChunks,
} from './streams.ts';

const loading = { status: 'loading' };
const remote = { extra: { remote: true } };
const failed = { status: 'error' };
const approval = (toolCallId: string, more: ExpectedFields = {}): ExpectedFields => ({
  type: 'tool-approval-request',
  approvalId: `ap-${toolCallId}`,
  toolCallId,
  ...more,
});
/** A test case: the chunks of a stream, the blocks of its message, and the parts that are stored for the next request. */
const testCase = (
  name: string,
  chunks: readonly unknown[],
  blocks: readonly ExpectedFields[],
  items: readonly ExpectedFields[],
  more: ExpectedFields = {},
) => ({
  name,
  body: stream(...chunks),
  messages: [
    {
      status: 'complete',
      finish: 'complete',
      ...more,
      ...(items.length > 0 && { metadata: { rounds: [{ protocol: 'ai-sdk', items }] } }),
      blocks,
    },
  ],
});
const part = (id: string, name: string, state: string, more: ExpectedFields = {}): ExpectedFields => ({
  type: `tool-${name}`,
  toolCallId: id,
  state,
  ...more,
});

describe('ai-sdk, tools', () => {
  testBodies(aiSdk, [
    testCase(
      'streamed arguments; a delta after the complete arguments is ignored',
      [
        { type: 'tool-input-start', toolCallId: 'c', toolName: 'get-it', title: 'Get it' },
        { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"x":' },
        toolInput('c', 'get-it', { x: 2 }),
        { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '1}' },
        finish('tool-calls'),
      ],
      [call('c', 'get-it', { params: '{"x":2}' }, { ...loading, description: 'Get it' })],
      [part('c', 'get-it', 'input-available', { title: 'Get it', input: { x: 2 } })],
      { finish: 'tool_use' },
    ),
    testCase(
      'a call that the page must run, although the finish reason is stop',
      [toolInput('c', 'f'), finishStep, finish('stop')],
      [call('c', 'f', { params: '{}' }, loading)],
      [part('c', 'f', 'input-available', { input: {} })],
      { finish: 'tool_use' },
    ),
    testCase(
      'a call that the page must run, without a finish chunk',
      [toolInput('c', 'f'), finishStep],
      [call('c', 'f', { params: '{}' }, loading)],
      [part('c', 'f', 'input-available', { input: {} })],
      { finish: 'tool_use' },
    ),
    {
      name: 'a truncated call is not run',
      body: sse(toolInput('c', 'f')),
      messages: [
        {
          ...testCase(
            '',
            [],
            [call('c', 'f', { params: '{}' }, loading)],
            [part('c', 'f', 'input-available', { input: {} })],
          ).messages[0],
          status: 'interrupted',
          finish: 'error',
        },
      ],
      problem: 'cut',
    },
    testCase(
      'a call that the provider runs is not run by the page',
      [
        toolInput('c', 'web_search', { q: 1 }, { providerExecuted: true, dynamic: true }),
        ...textChunks('1', 'Hi'),
        finish('stop'),
      ],
      [call('c', 'web_search', { params: '{"q":1}' }, { ...loading, ...remote }), { type: 'content', content: 'Hi' }],
      [
        {
          type: 'dynamic-tool',
          toolName: 'web_search',
          toolCallId: 'c',
          providerExecuted: true,
          state: 'input-available',
          input: { q: 1 },
        },
        { type: 'text', text: 'Hi', state: 'done' },
      ],
    ),
    testCase(
      'results of every type, also preliminary ones and errors',
      [
        toolInput('a', 'f'),
        toolInput('b', 'f'),
        toolInput('c', 'f'),
        toolOutput('a', 'plain'),
        toolOutput('b', { n: 1 }, { preliminary: true }),
        toolOutput('b', null),
        { type: 'tool-output-error', toolCallId: 'c', errorText: 'Broken' },
        { type: 'tool-input-error', toolCallId: 'd', toolName: 'f', input: 'x', errorText: 'Bad input' },
        finish('stop'),
      ],
      [
        call('a', 'f', { params: '{}', response: 'plain' }),
        call('b', 'f', { params: '{}', response: 'null' }, remote),
        call('c', 'f', { params: '{}', response: 'Broken' }, failed),
        call('d', 'f', { params: 'x', response: 'Bad input' }, failed),
      ],
      [
        part('a', 'f', 'output-available', { input: {}, output: 'plain' }),
        part('b', 'f', 'output-available', { input: {}, output: null }),
        part('c', 'f', 'output-error', { input: {}, errorText: 'Broken' }),
        part('d', 'f', 'output-error', { input: undefined, rawInput: 'x', errorText: 'Bad input' }),
      ],
    ),
    testCase(
      'a request for approval',
      [toolInput('c', 'f', { p: 1 }), approval('c', { signature: 'sig' }), finishStep, finish('tool-calls')],
      [
        call('c', 'f', { params: '{"p":1}' }, { ...loading, ...remote }),
        {
          type: 'action',
          status: 'pending',
          action_type: 'tool_call_permission',
          tool_call: { id: 'c', name: 'f', params: '{"p":1}' },
          extra: { signature: 'sig', requestId: 'ap-c', permissionType: 'all', serverName: '', toolName: 'f' },
        },
      ],
      [part('c', 'f', 'approval-requested', { input: { p: 1 }, approval: { id: 'ap-c', signature: 'sig' } })],
      { status: 'streaming', finish: 'tool_use' },
    ),
    testCase(
      'an automatic approval does not ask the user',
      [
        toolInput('c', 'f'),
        approval('c', { isAutomatic: true }),
        { type: 'tool-approval-response', approvalId: 'ap-c', approved: true },
        toolOutput('c', 1),
        finish('stop'),
      ],
      [call('c', 'f', { params: '{}', response: '1' }, remote)],
      [
        part('c', 'f', 'output-available', {
          input: {},
          output: 1,
          approval: { id: 'ap-c', isAutomatic: true, approved: true },
        }),
      ],
    ),
    testCase(
      'a denial by the server itself',
      [
        toolInput('c', 'f'),
        approval('c', { isAutomatic: true }),
        { type: 'tool-approval-response', approvalId: 'ap-c', approved: false, reason: 'Not now' },
        { type: 'tool-output-denied', toolCallId: 'c' },
        finish('stop'),
      ],
      [
        call(
          'c',
          'f',
          { params: '{}', response: 'Not now' },
          { ...failed, ...remote, error: { message: 'Not now', code: 'denied' } },
        ),
      ],
      [
        part('c', 'f', 'output-denied', {
          input: {},
          approval: { id: 'ap-c', isAutomatic: true, approved: false, reason: 'Not now' },
        }),
      ],
    ),
  ]);

  describe('results from the page', () => {
    const replyWithCalls = (): ReturnType<typeof replyOf> =>
      replyOf(
        { type: 'start', messageId: 'm' },
        startStep,
        toolInput('a', 'f', { x: 1 }, { providerMetadata: { p: { id: 'i' } } }),
        toolInput('b', 'f'),
        finishStep,
        finish('tool-calls'),
      );
    const sentPart = (id: string, state: string, more: ExpectedFields): ExpectedFields => ({
      type: 'tool-f',
      toolCallId: id,
      state,
      ...more,
    });

    it('are sent back in the parts of their calls', async () => {
      const message = withResults(withResults(await replyWithCalls(), { a: '{"n":1}' }), { b: 'Broken' }, true);
      expect(await sentParts(turnAfter(message))).to.deep.equal([
        { type: 'step-start' },
        sentPart('a', 'output-available', {
          input: { x: 1 },
          output: { n: 1 },
          callProviderMetadata: { p: { id: 'i' } },
        }),
        sentPart('b', 'output-error', { input: {}, errorText: 'Broken' }),
      ]);
    });

    it('continue the reply in the same message', async () => {
      const turn = turnAfter(withResults(await replyWithCalls(), { a: 'one', b: '2' }));
      const message = await continueReply(
        turn,
        { type: 'start', messageId: 'm' },
        startStep,
        ...textChunks('1', 'Done.'),
        finishStep,
        finish('stop'),
      );
      expect(message.blocks.map(bareBlock)).to.deep.equal([
        call('a', 'f', { params: '{"x":1}', response: 'one' }),
        call('b', 'f', { params: '{}', response: '2' }),
        { type: 'content', content: 'Done.' },
      ]);
      expect(await sentParts({ ...turn, text: 'x', messages: [...turn.messages.slice(0, 1), message] })).to.deep.equal([
        { type: 'step-start' },
        sentPart('a', 'output-available', { input: { x: 1 }, output: 'one', callProviderMetadata: { p: { id: 'i' } } }),
        sentPart('b', 'output-available', { input: {}, output: 2 }),
        { type: 'step-start' },
        { type: 'text', text: 'Done.', state: 'done' },
      ]);
    });

    it('are sent with the arguments that the user has changed', async () => {
      const message = withBlocks(withResults(await replyWithCalls(), { a: 'one', b: 'two' }), (block) =>
        block.type === 'tool_call' && block.tool_call.id === 'a'
          ? { ...block, tool_call: { ...block.tool_call, params: '{"x":9}' } }
          : block,
      );
      expect(((await sentParts(turnAfter(message))) as readonly ExpectedFields[])[1]).to.deep.include({
        input: { x: 9 },
        output: 'one',
      });
    });

    it('are replaced by an error if they are missing, because no model accepts a call without a result', async () => {
      const sent = (await sentParts(turnAfter(await replyWithCalls()))) as readonly ExpectedFields[];
      expect(sent.slice(1).map(({ state, errorText }) => [state, errorText])).to.deep.equal([
        ['output-error', 'The call was not finished.'],
        ['output-error', 'The call was not finished.'],
      ]);
    });

    it('are not sent for a call whose arguments were truncated', async () => {
      const message = await replyOf(
        { type: 'tool-input-start', toolCallId: 'c', toolName: 'f' },
        ...textChunks('1', 'Hi'),
      );
      expect(await sentParts(turnAfter(message))).to.deep.equal([{ type: 'text', text: 'Hi', state: 'done' }]);
    });
  });
});
