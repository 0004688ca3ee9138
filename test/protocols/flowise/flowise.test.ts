import { expect } from '@open-wc/testing';
import { adapter as flowise } from '../../../src/protocols/flowise/flowise.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { chunksOf } from '../../support/cuts.ts';
import { testDetection } from '../../support/detection-tests.ts';
import { decodeContext, framesOf, sse } from '../../support/play-body.ts';
import { buttons, end, frame, say, stream } from './streams.ts';

const done = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});
const failed = (...blocks: readonly ExpectedFields[]): ExpectedFields =>
  done(blocks, { status: 'error', finish: 'error' });
const used = (tool: string, toolInput: unknown, toolOutput: unknown, more: object = {}): object => ({
  tool,
  toolInput,
  toolOutput,
  ...more,
});
const tool = (
  id: string,
  name: string,
  params: string,
  response: string,
  more: ExpectedFields = {},
): ExpectedFields => ({
  type: 'tool_call',
  tool_call: { id, name, params, response },
  extra: { remote: true },
  ...more,
});
const question = (content: string | undefined, extra: ExpectedFields): ExpectedFields => ({
  type: 'action',
  status: 'pending',
  action_type: 'confirmation',
  ...(content !== undefined && { content }),
  extra,
});
const waiting = (...blocks: readonly ExpectedFields[]): ExpectedFields =>
  done(blocks, { status: 'streaming', finish: 'tool_use' });
const proceed = {
  approve: 'Proceed',
  reject: 'Reject',
  nodeId: 'human_0',
  requestId: 'a1',
  options: [
    { label: 'Proceed', value: 'Proceed' },
    { label: 'Reject', value: 'Reject' },
  ],
};
const oldButtons = {
  id: 'a2',
  mapping: { approve: 'Yes', reject: 'No', toolCalls: [{ name: 'mail', args: { to: 'x' } }] },
  elements: [
    { type: 'approve-button', label: 'Yes' },
    { type: 'reject-button', label: 'No' },
  ],
};
const ids = { chatId: 'c', chatMessageId: 'm', sessionId: 'c' };

describe('flowise', () => {
  testRecordings(flowise, 'flowise');

  testBodies(flowise, [
    {
      name: 'reasoning in tags',
      body: stream(say('<thi'), say('nk>Hm'), say('</think>\n\nHel'), say('lo <think>'), end),
      messages: [done([thought('Hm'), text('Hello <think>')])],
    },
    {
      name: 'an end without any content',
      body: stream(frame('metadata', { chatId: 'c', chatMessageId: 'm', sessionId: 'c' }), end),
      messages: [
        done([], {
          status: 'interrupted',
          finish: 'error',
          metadata: { chatId: 'c', chatMessageId: 'm', sessionId: 'c' },
        }),
      ],
      problem: 'empty',
    },
    {
      name: 'the text of a start event is not shown',
      body: stream(frame('start', 'Hi'), say('Hi'), end),
      messages: [done([text('Hi')])],
    },
    {
      name: 'no end: interrupted',
      body: stream(say('Hi')),
      messages: [done([text('Hi')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'an abort keeps the text',
      body: stream(say('Hi'), frame('abort', '[DONE]')),
      messages: [done([text('Hi')], { status: 'cancelled', finish: 'cancelled' })],
    },
    {
      name: 'reasoning, with its duration at the end',
      body: stream(frame('thinking', 'Hm'), frame('thinking', '', { duration: 3 }), say('Yes'), end),
      messages: [done([thought('Hm'), text('Yes')])],
    },
    ...[
      'Error: predictionsServices.buildChatflow - Error: Key is wrong',
      'predictionsServices.buildChatflow - utils.run - Error: Key is wrong',
    ].map((words) => ({
      name: `an error without its position: ${words}`,
      body: stream(say('Hi'), frame('error', words), end),
      messages: [failed(text('Hi'), failure('Error: Key is wrong'))],
    })),
    {
      name: 'an error whose connection is dropped',
      body: stream(frame('error', 'Boom')),
      messages: [failed(failure('Boom'))],
    },
    {
      name: 'tools that are announced, and then have run',
      body: stream(
        frame('calledTools', [{ tool: 'f', toolInput: { x: 1 }, toolOutput: '' }]),
        frame('usedTools', [used('f', { x: 1 }, 'one')]),
        say('Hi'),
        end,
      ),
      messages: [done([tool('new1', 'f', '{"x":1}', 'one'), text('Hi')])],
    },
    {
      name: 'a tool that a node only names',
      body: stream(frame('calledTools', [{ tool: 'f', toolInput: {}, toolOutput: '' }]), say('Hi'), end),
      messages: [
        done([
          { type: 'tool_call', tool_call: { id: 'new1', name: 'f', params: '{}' }, extra: { remote: true } },
          text('Hi'),
        ]),
      ],
    },
    {
      name: 'a repeated list, a failed tool, one of another agent',
      body: stream(
        frame('usedTools', [used('f', { x: 1 }, 'one')]),
        frame('usedTools', [used('f', { x: 1 }, 'one'), null, used('g', 'in', '', { error: 'Gone' })]),
        frame('usedTools', [used('h', {}, { a: 1 })]),
        end,
      ),
      messages: [
        done([
          tool('new1', 'f', '{"x":1}', 'one'),
          tool('new2', 'g', 'in', 'Gone', { status: 'error' }),
          tool('new3', 'h', '{}', '{"a":1}'),
        ]),
      ],
    },
    {
      name: 'several agents, as a growing string of JSON',
      body: stream(
        frame(
          'agentReasoning',
          JSON.stringify([{ agentName: 'A', messages: ['One.'], usedTools: [used('f', {}, 'x')] }]),
        ),
        frame('agentReasoning', [
          { agentName: 'A', messages: ['One.'], usedTools: [used('f', {}, 'x')] },
          { agentName: 'B', messages: [], nextAgent: 'C' },
        ]),
        frame('nextAgent', 'C'),
        say('Hi'),
        end,
      ),
      messages: [
        done([
          thought('A: One.\n\n'),
          tool('new1', 'f', '{}', 'x'),
          {
            type: 'status',
            phase: 'C',
            message: 'C',
            extra: { steps: [{ phase: 'C', message: 'C' }] },
          },
          text('Hi'),
        ]),
      ],
    },
    {
      name: 'sources: two passages of one document, sent twice',
      body: stream(
        say('Hi'),
        ...[1, 2].map(() =>
          frame('sourceDocuments', [
            { pageContent: 'p', metadata: { source: 'https://b.example/a', title: 'A' } },
            { pageContent: 'q', metadata: { source: 'https://b.example/a', title: 'A' } },
            { pageContent: 'r', metadata: {} },
          ]),
        ),
        end,
      ),
      messages: [
        done([
          text('Hi', {
            citations: [
              ...['p', 'q'].map((quote) => ({
                id: 'https://b.example/a',
                url: 'https://b.example/a',
                title: 'A',
                quote,
                extra: { source: 'https://b.example/a', title: 'A' },
              })),
              { id: 'document 2', quote: 'r', extra: {} },
            ],
          }),
        ]),
      ],
    },
    {
      name: 'artifacts: HTML, Markdown, code, an image',
      body: stream(
        frame('artifacts', [
          { type: 'html', data: '<b>x</b>' },
          { type: 'markdown', data: '# x' },
          { type: 'png', data: 'https://b.example/x.png' },
        ]),
        end,
      ),
      messages: [
        done([
          text('<b>x</b>', { format: 'html' }),
          text('\n\n# x\n\n'),
          { type: 'image', url: 'https://b.example/x.png' },
        ]),
      ],
    },
    {
      name: 'a file to download',
      body: stream(frame('fileAnnotations', [{ filePath: 'https://b.example/x.csv', fileName: 'x.csv' }]), end),
      messages: [done([{ type: 'file', url: 'https://b.example/x.csv', name: 'x.csv' }])],
    },
    {
      name: 'the tokens of all nodes',
      body: stream(
        say('Hi'),
        frame('usageMetadata', { input_tokens: 1, output_tokens: 2, total_tokens: 3 }),
        frame('usageMetadata', { input_tokens: 10, output_tokens: 20 }),
        end,
      ),
      messages: [done([text('Hi')], { usage: { prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 } })],
    },
    {
      name: 'prompts as a string of JSON',
      body: stream(say('Hi'), frame('metadata', { ...ids, followUpPrompts: '["More?"]' }), end),
      messages: [done([text('Hi')], { metadata: ids, suggestions: [{ label: 'More?', prompt: 'More?' }] })],
    },
    {
      name: 'a flow that waits, without a question',
      body: stream(frame('agentFlowEvent', 'STOPPED'), frame('action', buttons()), end),
      messages: [waiting(question('Is it right?', proceed))],
    },
    {
      name: 'a flow that has asked, with its buttons sent twice',
      body: stream(
        say('Right?'),
        frame('action', JSON.stringify(buttons())),
        frame('metadata', { action: buttons() }),
        end,
      ),
      messages: [{ ...waiting(text('Right?'), question(undefined, proceed)), metadata: {} }],
    },
    {
      name: 'a call that needs approval',
      body: stream(say('I write.'), frame('action', oldButtons), end),
      messages: [
        waiting(
          text('I write.'),
          question('mail({"to":"x"})', {
            approve: 'Yes',
            reject: 'No',
            action: JSON.stringify(oldButtons),
            requestId: 'a2',
            options: [
              { label: 'Yes', value: 'Yes' },
              { label: 'No', value: 'No' },
            ],
          }),
        ),
      ],
    },
    {
      name: 'a flow whose node has failed',
      body: stream(
        say('Hi'),
        frame('nextAgentFlow', { nodeId: 'n', nodeLabel: 'Agent', status: 'ERROR', error: 'bad key' }),
        frame('agentFlowEvent', 'ERROR'),
        end,
      ),
      messages: [failed(text('Hi'), failure('bad key'))],
    },
    {
      name: 'an error that is an object',
      body: stream(say('Hi'), frame('error', { statusCode: 500, message: 'Error: utils.run - boom' }), end),
      messages: [failed(text('Hi'), failure('boom'))],
    },
    {
      name: 'a flow that timed out',
      body: stream(say('Hi'), frame('agentFlowEvent', 'TIMEOUT'), end),
      messages: [failed(text('Hi'), failure('The flow ended: TIMEOUT.'))],
    },
    {
      name: 'audio in chunks',
      body: stream(
        frame('tts_start', { format: 'mp3' }),
        frame('tts_data', { audioChunk: btoa('a') }),
        frame('tts_data', { audioChunk: btoa('b') }),
        frame('tts_end', {}),
        end,
      ),
      messages: [done([{ type: 'audio', data: btoa('ab'), mimeType: 'audio/mpeg' }])],
    },
    {
      name: 'a flow that does not stream',
      body: JSON.stringify({ text: 'Hi', question: 'x', ...ids, usedTools: [used('f', {}, 'one')] }),
      messages: [done([tool('new1', 'f', '{}', 'one'), text('Hi')], { metadata: ids })],
    },
    {
      name: 'an error as a document',
      body: JSON.stringify({ statusCode: 500, success: false, message: 'Error: utils.run - Gone', stack: {} }),
      messages: [failed(failure('Gone'))],
    },
    {
      name: 'each unknown event is one warning, each malformed one too',
      body: stream(say('a'), frame('dream', 1), 'data:{"a\n\n', say('b'), end),
      messages: [done([text('ab')])],
      warnings: ['malformed', 'unknown'],
    },
  ]);

  it('a stored image is on the server, in the chat of its creation', async () => {
    const events = [];
    const context = { ...decodeContext(), url: 'https://f.example/api/v1/prediction/flow?x=1' };
    const frames = framesOf({ event: 'artifacts', data: [{ type: 'png', data: 'FILE-STORAGE::a b.png' }] });
    for await (const batch of flowise.decode(chunksOf([frames]), context)) events.push(...batch);
    expect(events).to.deep.equal([
      {
        type: 'response',
        data: {
          eventId: 'reply',
          media: {
            kind: 'image',
            url: 'https://f.example/api/v1/get-upload-file?chatflowId=flow&chatId=thread&fileName=a+b.png',
            name: 'a b.png',
          },
        },
      },
    ]);
  });

  testNeverThrows(flowise, [
    { event: 'token', data: 'x' },
    { event: 'thinking', data: 'x', duration: 1 },
    { event: 'usedTools', data: [used('f', { x: 1 }, 'one', { error: 'e' })] },
    { event: 'calledTools', data: [{ name: 'f', args: {} }] },
    { event: 'sourceDocuments', data: [{ pageContent: 'p', metadata: { source: 's' } }] },
    {
      event: 'agentReasoning',
      data: [{ agentName: 'A', messages: ['x'], usedTools: [], artifacts: [], nextAgent: 'B' }],
    },
    {
      event: 'artifacts',
      data: [
        { type: 'png', data: 'FILE-STORAGE::x' },
        { type: 'html', data: 'x' },
      ],
    },
    { event: 'fileAnnotations', data: [{ filePath: 'x', fileName: 'y' }] },
    { event: 'action', data: buttons() },
    { event: 'action', data: oldButtons },
    { event: 'usageMetadata', data: { input_tokens: 1, output_tokens: 2 } },
    { event: 'metadata', data: { ...ids, followUpPrompts: ['x'], action: buttons() } },
    { event: 'nextAgentFlow', data: { nodeId: 'n', nodeLabel: 'N', status: 'INPROGRESS' } },
    { event: 'agentFlowEvent', data: 'ERROR' },
    { event: 'tts_data', data: { audioChunk: 'AA==' } },
    { event: 'tts_end', data: {} },
    { event: 'error', data: 'x' },
    { event: 'abort', data: '[DONE]' },
    { event: 'end', data: '[DONE]' },
    { text: 'x', chatMessageId: 'm', success: false, usedTools: [], sourceDocuments: [], artifacts: [], action: {} },
  ]);

  testDetection('flowise', {
    own: {
      tokens: stream(frame('start', ''), say('Hi'), end),
      'a flow of the second version': stream(frame('agentFlowEvent', 'INPROGRESS')),
      'an error in front': stream(frame('error', 'x'), say('Hi')),
      'events without the field in front': sse({ event: 'token', data: 'x' }),
      'a flow that does not stream': JSON.stringify({ text: 'Hi', question: 'x', ...ids }),
    },
    others: {
      'Dify, which has a task': [sse({ event: 'message', task_id: 't', answer: 'x' }), 'dify'],
      'Langflow, whose token is an object': [sse({ event: 'token', data: { chunk: 'x', id: 'm' } }), 'langflow'],
      'an end alone': [sse({ event: 'end', data: '[DONE]' }), 'unsupported-stream'],
    },
    urls: ['https://f.example/api/v1/prediction/flow'],
    otherUrls: ['https://f.example/api/v1/feedback/flow'],
  });
});
