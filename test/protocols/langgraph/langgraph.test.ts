import { expect } from '@open-wc/testing';
import type { Adapter } from '../../../src/protocols/core/adapter.ts';
import { adapter as langgraph } from '../../../src/protocols/langgraph/langgraph.ts';
import type { RunState } from '../../../src/protocols/langgraph/run-location.ts';
import type { Frame } from '../../../src/transport/frame.ts';
import { testNeverThrows } from '../../support/adapter-tests.ts';
import { call, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { playBody } from '../../support/play-body.ts';
import { ai, callPiece, events, human, metadata, node, piece, run, toolMessage, values } from './streams.ts';
import { testShown, done } from './shown.ts';

/** Frames without a name are sent with every possible name, one after the other. */
const NAMES = ['messages', 'values', 'updates', 'metadata', 'messages/partial', 'custom', 'tools', 'messages|n:1'];
async function* named(batches: AsyncIterable<readonly Frame[]>): AsyncGenerator<readonly Frame[]> {
  let count = 0;
  for await (const batch of batches) {
    yield batch.map((frame) => ({ event: NAMES[count++ % NAMES.length] ?? '', ...frame }));
  }
}

const used = { usage_metadata: { input_tokens: 20, output_tokens: 5, total_tokens: 25 } };
const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
const SHOWN_PICTURE = { type: 'image', image_data: { data: 'AA', mimeType: 'image/png' } };
const answered = call('c', 'f', { params: '{"a":1}', response: 'ok' }, { extra: { remote: true } });

describe('langgraph', () => {
  testShown([
    { name: 'chunks of a message', body: run(piece('a', 'H'), piece('a', 'i')), messages: [done([text('Hi')])] },
    {
      name: 'the state repeats it, with its tokens: nothing is shown twice',
      body: run(
        values(human),
        callPiece('a', { index: 0, id: 'c', name: 'f', args: '' }),
        callPiece('a', { index: 0, args: '{"a":1}' }),
        ['messages', [toolMessage('c', 'ok', { status: 'success' }), {}]],
        values(human, ai('a', '', { tool_calls: [{ id: 'c', name: 'f', args: { a: 1 } }] }), toolMessage('c', 'ok')),
        piece('b', 'Yes', used),
        values(
          human,
          ai('a', '', { tool_calls: [{ id: 'c', name: 'f', args: { a: 1 } }] }),
          toolMessage('c', 'ok'),
          ai('b', 'Yes', used),
        ),
      ),
      messages: [done([answered, text('Yes')], { usage })],
    },
    {
      name: 'a usage without a count of the answer, and one without a total',
      body: run(
        values(human),
        piece('a', 'Hel', { usage_metadata: { input_tokens: 20 } }),
        piece('a', 'lo', { usage_metadata: { output_tokens: 5 } }),
      ),
      messages: [done([text('Hello')], { usage })],
    },
    {
      name: 'a node that recreates its message gives it another id',
      body: run(piece('a', 'Yes'), values(human, ai('b', 'Yes'))),
      messages: [done([text('Yes')])],
    },
    {
      name: 'chunks after the state, which has them already, with tokens',
      body: run(
        values(human),
        piece('a', 'Hel'),
        values(human, ai('a', 'Hello', used)),
        piece('a', 'lo'),
        piece('a', '', used),
      ),
      messages: [done([text('Hello')], { usage })],
    },
    {
      name: 'the state wins',
      body: run(piece('inner', 'Not meant to be said'), values(human, ai('b', 'Yes'))),
      messages: [done([text('Yes')])],
    },
    {
      name: 'only the state; messages from before this turn are ignored',
      body: run(
        values(ai('old', 'Old'), human),
        values(
          ai('old', 'Old'),
          human,
          ai('a', [
            { type: 'reasoning', reasoning: 'Hm' },
            { type: 'text', text: 'Yes' },
          ]),
        ),
      ),
      messages: [done([thought('Hm'), text('Yes')])],
    },
    {
      name: 'complete messages that grow, in the older mode',
      body: run(
        ['messages/complete', [human]],
        ['messages/metadata', { a: {} }],
        ['messages/partial', [ai('a', 'Hel')]],
        ['messages/partial', [ai('a', 'Hello')]],
        ['messages/complete', [ai('a', 'Hello')]],
      ),
      messages: [done([text('Hello')])],
    },
    {
      name: 'node outputs, without the state; removed messages',
      body: run(
        ['updates', { plan: { messages: [ai('a', 'Old')] } }],
        ['updates', { act: { messages: [{ type: 'remove', id: 'a' }, ai('b', 'New')] } }],
      ),
      messages: [
        done([{ type: 'status', phase: 'act', extra: { steps: [{ phase: 'plan' }, { phase: 'act' }] } }, text('New')]),
      ],
    },
    {
      name: 'reasoning in every form, and an image',
      body: run(
        piece('a', [{ type: 'thinking', thinking: 'A', index: 0 }]),
        piece('a', [{ type: 'reasoning', reasoning: 'B' }]),
        piece('a', '', { additional_kwargs: { reasoning_content: 'C' } }),
        piece('a', '', { additional_kwargs: { reasoning: { summary: [{ type: 'summary_text', text: 'D' }] } } }),
        piece('a', [
          { type: 'text', text: 'Yes' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          { type: 'tool_use', id: 'c' },
        ]),
      ),
      messages: [
        done([thought('ABCD'), text('Yes'), { type: 'image', image_data: { data: 'AA', mimeType: 'image/png' } }]),
      ],
    },
    {
      name: 'messages as LangChain’s constructors, and with roles',
      body: run(
        [
          'messages',
          [
            {
              lc: 1,
              type: 'constructor',
              id: ['langchain_core', 'messages', 'AIMessageChunk'],
              kwargs: { id: 'a', content: 'Hi' },
            },
            {},
          ],
        ],
        ['messages', [{ role: 'assistant', id: 'a', content: '!' }, {}]],
        ['messages', [{ type: 'HumanMessageChunk', id: 'h', content: 'me' }, {}]],
      ),
      messages: [done([text('Hi!')])],
    },
    {
      name: 'hidden messages, and those of a tool’s own model, are not shown',
      body: run(
        ['messages', [ai('a', 'secret'), { tags: ['nostream'] }]],
        ['messages', [ai('b', 'secret'), { tags: ['langsmith:hidden'] }]],
        ['messages|tools:1|inner:2', [ai('d', 'inner'), node('inner')]],
        ['messages|team:1', [ai('e', 'Shown'), {}]],
        ['values|team:1', { messages: [human, ai('e', 'Shown'), ai('f', 'private')] }],
      ),
      messages: [done([text('Shown')])],
    },
    {
      name: 'nodes are phases',
      body: run(['messages', [ai('a', 'Hi'), node('agent')]], ['updates', { agent: {}, __start__: {} }]),
      messages: [done([{ type: 'status', phase: 'agent', extra: { steps: [{ phase: 'agent' }] } }, text('Hi')])],
    },
    {
      name: 'data of the graph: one block each, components in their place',
      body: run(
        ['custom', { progress: 50 }],
        ['custom', { type: 'ui', id: 'u', name: 'chart', props: { n: 1 } }],
        ['custom', { type: 'ui', id: 'u', name: 'chart', props: { n: 2 } }],
      ),
      messages: [
        done([
          { type: 'data', data: { data_type: 'custom', data: { progress: 50 } } },
          {
            type: 'data',
            data: { data_type: 'custom', data: { type: 'ui', id: 'u', name: 'chart', props: { n: 2 } } },
            extra: { dataId: 'u' },
          },
        ]),
      ],
    },
    {
      name: 'tools that report progress, and their end',
      body: run(
        callPiece('a', { index: 0, id: 'c', name: 'f', args: '{}' }),
        callPiece('a', { index: 1, id: 'd', name: 'g', args: '{}' }),
        ['tools', { event: 'on_tool_event', toolCallId: 'c', name: 'f', data: 'half' }],
        [
          'tools',
          { event: 'on_tool_end', toolCallId: 'c', name: 'f', output: { content: [{ type: 'text', text: 'ok' }] } },
        ],
        ['messages', [toolMessage('d', 'no', { status: 'error' }), {}]],
      ),
      messages: [
        done([
          call('c', 'f', { params: '{}', response: 'ok' }, { extra: { remote: true } }),
          call('d', 'g', { params: '{}', response: 'no' }, { status: 'error', extra: { remote: true } }),
        ]),
      ],
    },
    {
      name: 'an error ends it, as an object or as text',
      body: run(piece('a', 'Half'), ['error', { error: 'ValueError', message: 'Boom' }], piece('a', 'x')),
      messages: [done([text('Half'), failure('Boom', { code: 'ValueError' })], { status: 'error', finish: 'error' })],
    },
    {
      name: 'an error with only text',
      body: run(['error', 'Boom']),
      messages: [done([failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'an error whose message is in an object',
      body: run(['error', { error: { message: 'Boom' } }]),
      messages: [done([failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'an error that is not JSON',
      body: `${run(piece('a', 'Half'))}event: error\ndata: boom happened\n\n`,
      messages: [done([text('Half'), failure('boom happened')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'an error without data',
      body: `${run(piece('a', 'Half'))}event: error\ndata: \n\n`,
      messages: [done([text('Half'), failure('The run has failed.')], { status: 'error', finish: 'error' })],
    },
    ...[['finish_reason', 'length'] as const, ['stop_reason', 'max_tokens'] as const].flatMap(([name, reason]) => [
      {
        name: `an answer that was cut (${name}), in its last chunk`,
        body: run(piece('a', 'Half'), piece('a', '', { response_metadata: { [name]: reason } })),
        messages: [done([text('Half')], { finish: 'max_tokens' })],
      },
      {
        name: `an answer that was cut (${name}), in the state`,
        body: run(piece('a', 'Half'), values(human, ai('a', 'Half', { response_metadata: { [name]: reason } }))),
        messages: [done([text('Half')], { finish: 'max_tokens' })],
      },
    ]),
    {
      name: 'an answer that a filter has ended, in the older mode',
      body: run(['messages/partial', [ai('a', 'Half', { response_metadata: { finish_reason: 'content_filter' } })]]),
      messages: [done([text('Half')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'the last message tells why the run has ended',
      body: run(
        piece('a', 'Cut', { response_metadata: { finish_reason: 'length' } }),
        piece('b', 'Whole', { response_metadata: { finish_reason: 'stop' } }),
      ),
      messages: [done([text('Cut')]), done([text('Whole')])],
    },
    {
      name: 'a refusal, as a block and as a field',
      body: run(
        values(
          human,
          ai('a', [{ type: 'refusal', refusal: 'I cannot help.' }]),
          ai('b', '', { additional_kwargs: { refusal: 'Nor here.' } }),
        ),
      ),
      messages: [done([text('I cannot help.')]), done([text('Nor here.')])],
    },
    ...[values(human, ai('a', [PICTURE])), ['messages/partial', [ai('a', [PICTURE])]] as const].map((event) => ({
      name: `an image of a message that comes only as a whole, in ${event[0]}`,
      body: run(event, event),
      messages: [done([SHOWN_PICTURE])],
    })),
    {
      name: 'an image beside streamed text, which is in the state only',
      body: run(piece('a', 'Here'), values(human, ai('a', [{ type: 'text', text: 'Here' }, PICTURE]))),
      messages: [done([text('Here'), SHOWN_PICTURE])],
    },
    {
      name: 'an image that the state repeats in another form is shown once',
      body: run(
        piece('a', [PICTURE]),
        values(human, ai('a', [{ type: 'image', base64: 'AA', mime_type: 'image/png' }])),
      ),
      messages: [done([SHOWN_PICTURE])],
    },
    {
      name: 'an empty end marker, debugging, heartbeats, CRLF',
      body: `: heartbeat\r\n\r\n${run(piece('a', 'Hi'), ['debug', {}], ['tasks', {}], ['checkpoints', {}], ['end', null]).replaceAll('\n', '\r\n')}`,
      messages: [done([text('Hi')])],
    },
    {
      name: 'data on several lines',
      body: `${events(metadata)}event: messages\ndata: [{"type":"ai","id":"a",\ndata: "content":"Hi"},{}]\n\n`,
      messages: [done([text('Hi')])],
    },
    {
      name: 'unknown events are ignored, malformed ones a warning',
      body: run(['new|x', {}], piece('a', 'Hi')) + 'event: messages\ndata: {"a":\n\n',
      messages: [done([text('Hi')])],
      warnings: ['malformed', 'unknown'],
    },
    {
      name: 'a call of the page waits for it',
      body: run(callPiece('a', { index: 0, id: 'c', name: 'f', args: '{}' })),
      messages: [done([call('c', 'f', { params: '{}' }, { status: 'loading' })], { finish: 'tool_use' })],
    },
  ]);

  it('emits the state without its questions, and the ids that are sent back', async () => {
    const { events: told, seen } = await playBody(
      langgraph,
      events(
        ['metadata', { run_id: 'r', thread_id: 't' }],
        ['values', { messages: [human], n: 1, __interrupt__: [{ id: 'i', value: 'Go?' }] }],
      ),
    );
    const states = told.flatMap((event) =>
      event.type === 'response' && event.data.state ? [event.data.state.value] : [],
    );
    expect(states).to.deep.equal([{ messages: [human], n: 1 }]);
    expect(seen[0]?.['metadata']).to.include({ runId: 'r', threadId: 't' });
  });

  describe('questions', () => {
    const actionsOf = async (...list: readonly (readonly [string, unknown])[]): Promise<readonly ExpectedFields[]> => {
      const { seen } = await playBody(langgraph, run(...list));
      return seen.flatMap(({ blocks }) =>
        (blocks as readonly ExpectedFields[]).filter(({ type }) => type === 'action'),
      );
    };
    const permission = (id: string, name: string, params: string, extra: ExpectedFields): ExpectedFields => ({
      type: 'action',
      action_type: 'tool_call_permission',
      status: 'pending',
      tool_call: { id, name, params },
      extra: { requestId: 'i', permissionType: 'all', serverName: '', toolName: name, ...extra },
    });

    it('are asked once; actions in both spellings, with the calls that they are about', async () => {
      const js = {
        actionRequests: [
          { name: 'f', args: { a: 1 } },
          { name: 'f', args: { a: 2 } },
        ],
        reviewConfigs: [{ actionName: 'f', allowedDecisions: ['approve', 'edit'] }],
      };
      const python = {
        action_requests: js.actionRequests,
        review_configs: [{ action_name: 'f', allowed_decisions: ['approve', 'edit'] }],
      };
      for (const value of [js, python]) {
        const list = [{ id: 'i', value }];
        expect(
          await actionsOf(
            callPiece('m', { index: 0, id: 'c', name: 'f', args: '{ "a": 1 }' }),
            ['updates', { __interrupt__: list }],
            ['values', { __interrupt__: list }],
          ),
        ).to.deep.equal([
          permission('c', 'f', '{"a":1}', { index: 0, editable: true, decisions: 'approve edit' }),
          permission('i/1', 'f', '{"a":2}', { index: 1, editable: true, decisions: 'approve edit' }),
        ]);
      }
    });

    it('of any other kind are text, a choice or JSON; several in parallel; a breakpoint is a yes or no', async () => {
      const interrupt = (content: string, id: string, more: ExpectedFields = {}): ExpectedFields => ({
        type: 'action',
        action_type: 'interrupt',
        status: 'pending',
        content,
        extra: { requestId: id, ...more },
      });
      const list = [
        { id: 'a', value: 'Go?' },
        { id: 'b', value: { question: 'Which?', options: ['x', 'y'] } },
        { id: 'c', value: { n: 1 } },
      ];
      expect(await actionsOf(['values', { __interrupt__: list }])).to.deep.equal([
        interrupt('Go?', 'a'),
        interrupt('Which?', 'b', {
          options: [
            { label: 'x', value: 'x' },
            { label: 'y', value: 'y' },
          ],
        }),
        interrupt('{\n  "n": 1\n}', 'c'),
      ]);
      expect(await actionsOf(['updates', { __interrupt__: [] }])).to.deep.equal([
        {
          type: 'action',
          action_type: 'confirmation',
          status: 'pending',
          extra: { requestId: 'breakpoint', deniedEndsTurn: true },
        },
      ]);
    });

    it('for a page tool are that tool’s call', async () => {
      const value = { type: 'tool', toolCall: { id: 'c', name: 'locate', args: { fine: true } } };
      const { seen, outcome } = await playBody(langgraph, run(['values', { __interrupt__: [{ id: 'i', value }] }]));
      expect(seen[0]?.['blocks']).to.deep.equal([
        call('c', 'locate', { params: '{"fine":true}' }, { status: 'loading' }),
      ]);
      expect(outcome.finish).to.equal('tool_use');
    });
  });

  const namedFrames: Adapter<RunState> = {
    ...langgraph,
    decode: (batches, context) => langgraph.decode(named(batches), context),
  };
  testNeverThrows(namedFrames, [
    ...[
      piece(
        'a',
        [
          { type: 'text', text: 'x' },
          { type: 'reasoning', summary: [{ text: 'y' }] },
          { type: 'file', data: 'A', mime_type: 'a/b' },
        ],
        used,
      )[1],
    ],
    [ai('a', 'x', { tool_calls: [{ id: 'c', name: 'f', args: {} }] }), node('n')],
    callPiece('a', { index: 0, id: 'c', name: 'f', args: '{' })[1],
    [toolMessage('c', [{ type: 'text', text: 'x' }]), {}],
    values(human, ai('a', 'x', used), toolMessage('c', 'x'))[1],
    { n: { messages: [ai('a', 'x'), { type: 'remove', id: 'a' }] }, __interrupt__: [{ id: 'i', value: 'x' }] },
    { run_id: 'r', thread_id: 't' },
    {
      type: 'event',
      method: 'messages',
      seq: 1,
      params: { namespace: [], data: { event: 'message-start', id: 'm', role: 'tool', tool_call_id: 'c' } },
    },
    {
      type: 'event',
      method: 'messages',
      params: {
        namespace: ['n:1'],
        data: {
          event: 'content-block-delta',
          index: 0,
          delta: { type: 'block-delta', fields: { type: 'tool_call_chunk', id: 'c', name: 'f', args: '{' } },
        },
      },
    },
    {
      type: 'event',
      method: 'messages',
      params: {
        namespace: [],
        data: { event: 'content-block-finish', index: 0, content: { type: 'text', text: 'x' } },
      },
    },
    {
      type: 'event',
      method: 'tools',
      params: { namespace: [], data: { event: 'tool-finished', tool_call_id: 'c', output: { content: 'x' } } },
    },
    {
      type: 'event',
      method: 'input.requested',
      params: { namespace: [], data: { interrupt_id: 'i', payload: { action_requests: [{ name: 'f', args: {} }] } } },
    },
    { type: 'event', method: 'lifecycle', params: { namespace: [], data: { event: 'completed' } } },
  ]);
});
