/**
 * The mapping from events to blocks, case by case, and the reducer's part of the renderer checklist. Source: DeepChat,
 * sections 5 and 6.
 */
import { expect } from '@open-wc/testing';
import type { ReduceContext } from '../../src/conversation/block-list.ts';
import { reduceMessage } from '../../src/conversation/reduce.ts';
import type { LLMAgentEvent } from '../../src/model/events/agent-events.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { bareBlock, call, failure, text, thought, type ExpectedFields } from '../support/bare.ts';
import { end, error, response } from '../support/events.ts';
import { NOW } from '../support/play-body.ts';

const empty: ChatMessage = { id: 'm', role: 'assistant', status: 'streaming', blocks: [], timestamp: NOW };

function reduceAll(events: readonly LLMAgentEvent[], context: Partial<ReduceContext> = {}): ChatMessage {
  let count = 0;
  const whole = { now: NOW, newId: () => `b${String(++count)}`, ...context };
  return events.reduce((message, event) => reduceMessage(message, event, whole), empty);
}

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const limit = { providerId: 'p', qpsLimit: 1, currentQps: 2, queueLength: 3 };
const permission = { toolName: 'rm', serverName: 'files', permissionType: 'write', description: 'May it?' } as const;
const start = response({ tool_call: 'start', tool_call_id: 't', tool_call_name: 'f', tool_call_params: '{"a"' });
const asked = response({ tool_call: 'permission-required', tool_call_id: 't', permission_request: permission });
const askedBlock = (status: string, more: ExpectedFields = {}): ExpectedFields => ({
  type: 'action',
  status,
  action_type: 'tool_call_permission',
  content: 'May it?',
  tool_call: { id: 't', name: 'rm' },
  extra: { permissionType: 'write', serverName: 'files', toolName: 'rm', ...more },
});
const rate = (status: string, more: ExpectedFields = {}): ExpectedFields => ({
  type: 'action',
  status,
  action_type: 'rate_limit',
  extra: { ...limit, ...more },
});

interface Row {
  readonly name: string;
  readonly events: readonly LLMAgentEvent[];
  readonly blocks: readonly ExpectedFields[];
}

const table: readonly Row[] = [
  { name: 'response content → content, success', events: [response({ content: 'a' })], blocks: [text('a')] },
  {
    name: 'response content: continues a last block of its type',
    events: [response({ content: 'a' }), response({ content: 'b' })],
    blocks: [text('ab')],
  },
  {
    name: 'response content: begins a new block after a block of another type',
    events: [response({ content: 'a' }), start, response({ content: 'b' })],
    blocks: [text('a'), call('t', 'f', { params: '{"a"' }, { status: 'loading' }), text('b')],
  },
  {
    name: 'response content: continues the text across a phase',
    events: [response({ content: 'a' }), response({ phase: { name: 'p' } }), response({ content: 'b' })],
    blocks: [text('ab'), { type: 'status', status: 'loading', phase: 'p', extra: { steps: [{ phase: 'p' }] } }],
  },
  {
    name: 'response content: another format begins another block, Markdown is the default',
    events: [
      response({ content: 'a' }),
      response({ content: 'b', format: 'markdown' }),
      response({ content: 'c', format: 'html' }),
    ],
    blocks: [text('ab'), text('c', { format: 'html' })],
  },
  { name: 'response content: an empty text makes no block', events: [response({ content: '' })], blocks: [] },
  {
    name: 'response reasoning_content → reasoning_content, success',
    events: [response({ reasoning_content: 'a' }), response({ reasoning_content: 'b' })],
    blocks: [thought('ab')],
  },
  {
    name: 'response reasoning_content: another thought starts a paragraph',
    events: [
      response({ reasoning_content: 'a', content_begins: true }),
      response({ reasoning_content: 'b', content_begins: true }),
      response({ reasoning_content: 'c' }),
    ],
    blocks: [thought('a\n\nbc')],
  },
  {
    name: 'response reasoning_content and content in one event: the reasoning comes first',
    events: [response({ content: 'b', reasoning_content: 'a' })],
    blocks: [thought('a'), text('b')],
  },
  {
    name: 'response reasoning_content: its stage is the label of the block',
    events: [response({ reasoning_content: 'a', stage: 'planning' })],
    blocks: [thought('a', { extra: { stage: 'planning' } })],
  },
  {
    name: 'response.tool_call start → tool_call, loading',
    events: [start],
    blocks: [call('t', 'f', { params: '{"a"' }, { status: 'loading' })],
  },
  {
    name: 'response.tool_call start: a second one activates the block with that id',
    events: [start, response({ tool_call: 'start', tool_call_id: 't', tool_call_params: '{"b":1}' })],
    blocks: [call('t', 'f', { params: '{"b":1}' }, { status: 'loading' })],
  },
  {
    name: 'response.tool_call start: without an id each is a call of its own',
    events: [
      response({ tool_call: 'start', tool_call_name: 'f' }),
      response({ tool_call: 'start', tool_call_name: 'g' }),
    ],
    blocks: [
      { type: 'tool_call', status: 'loading', tool_call: { name: 'f' } },
      { type: 'tool_call', status: 'loading', tool_call: { name: 'g' } },
    ],
  },
  {
    name: 'response.tool_call running / update → loading, appends params and intermediate output',
    events: [
      start,
      response({ tool_call: 'running', tool_call_id: 't', tool_call_params: ':', tool_call_response: 'x' }),
      response({ tool_call: 'update', tool_call_id: 't', tool_call_params: '1}', tool_call_response: 'y' }),
    ],
    blocks: [call('t', 'f', { params: '{"a":1}', response: 'xy' }, { status: 'loading' })],
  },
  {
    name: 'response.tool_call running: a call without a start event',
    events: [response({ tool_call: 'running', tool_call_id: 't', tool_call_name: 'f' })],
    blocks: [call('t', 'f', {}, { status: 'loading' })],
  },
  {
    name: 'response.tool_call end → success, writes response',
    events: [
      start,
      response({ tool_call: 'running', tool_call_id: 't', tool_call_response: 'partly' }),
      response({ tool_call: 'end', tool_call_id: 't', tool_call_response: 'done' }),
    ],
    blocks: [call('t', 'f', { params: '{"a"', response: 'done' })],
  },
  {
    name: 'response.tool_call end: the complete arguments replace the streamed ones',
    events: [
      response({ tool_call: 'start', tool_call_id: 't', tool_call_name: 'f', tool_call_params: '{"a":1}' }),
      response({ tool_call: 'running', tool_call_id: 't', tool_call_params: '{"a": 1}' }),
      response({ tool_call: 'end', tool_call_id: 't', tool_call_params: '{"a":1}', tool_call_response: 'done' }),
    ],
    blocks: [call('t', 'f', { params: '{"a":1}', response: 'done' })],
  },
  {
    name: 'response.tool_call end: without a response keeps the interim output',
    events: [
      start,
      response({ tool_call: 'running', tool_call_id: 't', tool_call_response: 'partly' }),
      response({ tool_call: 'end', tool_call_id: 't' }),
    ],
    blocks: [call('t', 'f', { params: '{"a"', response: 'partly' })],
  },
  {
    name: 'response.tool_call end: a call without a start event',
    events: [response({ tool_call: 'end', tool_call_id: 't', tool_call_name: 'f', tool_call_response: 'x' })],
    blocks: [call('t', 'f', { response: 'x' })],
  },
  {
    name: 'response.tool_call end: joins the texts of an MCP list, writes anything else as JSON',
    events: [
      start,
      response({
        tool_call: 'end',
        tool_call_id: 't',
        tool_call_response: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
          { type: 'image', data: 'AA' },
        ],
      }),
    ],
    blocks: [call('t', 'f', { params: '{"a"', response: 'ab{"type":"image","data":"AA"}' })],
  },
  {
    name: 'response.tool_call error (gap) → error, response is the result',
    events: [start, response({ tool_call: 'error', tool_call_id: 't', tool_call_response: 'boom' })],
    blocks: [call('t', 'f', { params: '{"a"', response: 'boom' }, { status: 'error' })],
  },
  {
    name: 'response.tool_call error (gap): without a response uses the error’s text',
    events: [start, response({ tool_call: 'error', tool_call_id: 't', error: 'boom' })],
    blocks: [call('t', 'f', { params: '{"a"', response: 'boom' }, { status: 'error' })],
  },
  {
    name: 'response.tool_call: complete arguments replace the fragments',
    events: [start, response({ tool_call: 'running', tool_call_id: 't', tool_call_params_complete: '{}' })],
    blocks: [call('t', 'f', { params: '{}' }, { status: 'loading' })],
  },
  {
    name: 'response.tool_call: server, progress, duration, summary and error are stored in the block',
    events: [
      response({
        tool_call: 'start',
        tool_call_id: 't',
        tool_call_name: 'f',
        tool_call_server_name: 's',
        tool_call_server_icons: 'i',
        tool_call_server_description: 'd',
        tool_call_description: 'Finds',
      }),
      response({ tool_call: 'running', tool_call_id: 't', tool_call_progress: { value: 0.5 } }),
      response({
        tool_call: 'error',
        tool_call_id: 't',
        tool_call_duration: 7,
        tool_call_summary: 'failed',
        tool_call_error: { message: 'boom', code: 'E' },
      }),
    ],
    blocks: [
      call(
        't',
        'f',
        { server_name: 's', server_icons: 'i', server_description: 'd', response: 'boom' },
        {
          status: 'error',
          description: 'Finds',
          duration: 7,
          summary: 'failed',
          error: { message: 'boom', code: 'E' },
        },
      ),
    ],
  },
  {
    name: 'response permission-required → action, tool_call_permission, pending',
    events: [asked],
    blocks: [askedBlock('pending')],
  },
  {
    name: 'response permission-required: an action and a tool_call may share one id',
    events: [start, asked],
    blocks: [call('t', 'f', { params: '{"a"' }, { status: 'loading' }), askedBlock('pending')],
  },
  {
    name: 'response permission-required: a repeated request is the same question',
    events: [asked, asked],
    blocks: [askedBlock('pending')],
  },
  {
    name: 'response permission-required: other arguments make another question',
    events: [
      asked,
      response({
        tool_call: 'permission-required',
        tool_call_id: 't',
        tool_call_params: '{}',
        permission_request: permission,
      }),
    ],
    blocks: [askedBlock('cancel'), { ...askedBlock('pending'), tool_call: { id: 't', name: 'rm', params: '{}' } }],
  },
  {
    name: 'response rate_limit → action, rate_limit, pending, extra is the info',
    events: [response({ rate_limit: limit })],
    blocks: [rate('pending')],
  },
  {
    name: 'response rate_limit: merged by providerId',
    events: [
      response({ rate_limit: limit }),
      response({ rate_limit: { ...limit, providerId: 'q' } }),
      response({ rate_limit: { ...limit, queueLength: 1 } }),
    ],
    blocks: [rate('pending', { queueLength: 1 }), rate('pending', { providerId: 'q' })],
  },
  {
    name: 'response rate_limit: an error when the wait is too long',
    events: [response({ rate_limit: { ...limit, estimatedWaitTime: 60_001 } })],
    blocks: [rate('error', { estimatedWaitTime: 60_001 })],
  },
  {
    name: 'response rate_limit: a wait of one minute is still pending',
    events: [response({ rate_limit: { ...limit, estimatedWaitTime: 60_000 } })],
    blocks: [rate('pending', { estimatedWaitTime: 60_000 })],
  },
  {
    name: 'response image_data → image, success',
    events: [response({ image_data: { data: 'AA', mimeType: 'image/png' } })],
    blocks: [{ type: 'image', image_data: { data: 'AA', mimeType: 'image/png' } }],
  },
  { name: 'error → error, error', events: [error('boom')], blocks: [failure('boom')] },
  {
    name: 'error: code, kind and `retryable` are stored in extra, details are not stored',
    events: [error('boom', { code: 'C', error_type: 'timeout', recoverable: true, details: { stack: 's' } })],
    blocks: [failure('boom', { code: 'C', error_type: 'timeout', recoverable: true })],
  },
  {
    name: 'error: only error events make error blocks',
    events: [response({ error: 'boom', userStop: true })],
    blocks: [],
  },
  {
    name: 'end: makes no block and closes blocks that are loading',
    events: [start, end()],
    blocks: [call('t', 'f', { params: '{"a"' }, { status: 'error' })],
  },
  { name: 'response totalUsage → no block', events: [response({ totalUsage: usage })], blocks: [] },
  {
    name: 'response: each field of one event is mapped separately',
    events: [response({ content: 'a', totalUsage: usage, image_data: { data: 'AA', mimeType: 'image/png' } })],
    blocks: [text('a'), { type: 'image', image_data: { data: 'AA', mimeType: 'image/png' } }],
  },
  {
    name: 'response maximum_tool_calls_reached (gap) → action, pending, one question at a time',
    events: [response({ maximum_tool_calls_reached: true }), response({ maximum_tool_calls_reached: true })],
    blocks: [{ type: 'action', status: 'pending', action_type: 'maximum_tool_calls_reached' }],
  },
  {
    name: 'response maximum_tool_calls_reached: false has no effect',
    events: [response({ maximum_tool_calls_reached: false })],
    blocks: [],
  },
  {
    name: 'response media → a block of its kind',
    events: (['image', 'audio', 'video', 'file'] as const).map((kind) =>
      response({ media: { kind, url: 'https://a.example/x', name: 'x', size: 1 } }),
    ),
    blocks: ['image', 'audio', 'video', 'file'].map((type) => ({
      type,
      url: 'https://a.example/x',
      name: 'x',
      size: 1,
    })),
  },
  {
    name: 'response media inline: an image is stored in image_data, other media in data',
    events: (['image', 'audio'] as const).map((kind) => response({ media: { kind, data: 'AA', mimeType: 'a/b' } })),
    blocks: [
      { type: 'image', image_data: { data: 'AA', mimeType: 'a/b' } },
      { type: 'audio', data: 'AA', mimeType: 'a/b' },
    ],
  },
  {
    name: 'response data → data',
    events: [response({ data: { data_type: 'chart', data: { a: 1 }, metadata: { b: 2 } } })],
    blocks: [{ type: 'data', data: { data_type: 'chart', data: { a: 1 }, metadata: { b: 2 } } }],
  },
  {
    name: 'response plan → one block with the latest plan',
    events: [
      response({ plan: [{ title: 'a', state: 'active' }] }),
      response({ content: 'x' }),
      response({ plan: [{ title: 'a', state: 'done' }] }),
    ],
    blocks: [{ type: 'plan', plan: [{ title: 'a', state: 'done' }] }, text('x')],
  },
  {
    name: 'response phase → one status block with its steps in order',
    events: [
      response({ phase: { name: 'thinking', message: 'Hm' } }),
      response({ phase: { name: 'generating' } }),
      response({ phase: { name: 'generating', message: 'Writing' } }),
      response({ phase: { name: 'completed' } }),
    ],
    blocks: [
      {
        type: 'status',
        phase: 'completed',
        extra: {
          steps: [
            { phase: 'thinking', message: 'Hm' },
            { phase: 'generating', message: 'Writing' },
            { phase: 'completed' },
          ],
        },
      },
    ],
  },
  {
    name: 'response phase error → a status block with an error',
    events: [response({ phase: { name: 'error' } })],
    blocks: [{ type: 'status', status: 'error', phase: 'error', extra: { steps: [{ phase: 'error' }] } }],
  },
  {
    name: 'response content_was_reasoning: the previous text becomes reasoning',
    events: [response({ content: 'Hm' }), response({ content_was_reasoning: true }), response({ content: 'Yes' })],
    blocks: [thought('Hm'), text('Yes')],
  },
  {
    name: 'response content_was_reasoning: without text it changes nothing',
    events: [response({ content_was_reasoning: true })],
    blocks: [],
  },
  {
    name: 'response agent_response code → code',
    events: [
      response({ agent_response: { id: 'r', type: 'code', content: { code: { language: 'ts', content: 'x' } } } }),
    ],
    blocks: [{ type: 'code', code: { language: 'ts', content: 'x' } }],
  },
  {
    name: 'response agent_response code with an error → code, error',
    events: [
      response({
        agent_response: { id: 'r', type: 'code', content: { code: { language: 'ts', content: 'x', error: 'e' } } },
      }),
    ],
    blocks: [{ type: 'code', status: 'error', code: { language: 'ts', content: 'x', error: 'e' } }],
  },
  {
    name: 'response agent_response command_result → command_result',
    events: [true, false].map((success) =>
      response({
        agent_response: { id: 'r', type: 'command_result', content: { commandResult: { success, output: 'o' } } },
      }),
    ),
    blocks: [
      { type: 'command_result', commandResult: { success: true, output: 'o' } },
      { type: 'command_result', status: 'error', commandResult: { success: false, output: 'o' } },
    ],
  },
  {
    name: 'response agent_response file → file',
    events: [
      response({
        agent_response: {
          id: 'r',
          type: 'file',
          content: { file: { name: 'x', content: 'y', mimeType: 'text/plain' } },
        },
      }),
    ],
    blocks: [
      { type: 'file', name: 'x', mimeType: 'text/plain', file: { name: 'x', content: 'y', mimeType: 'text/plain' } },
    ],
  },
  {
    name: 'response agent_response progress → progress, updated by its id',
    events: (
      [
        ['r', 1],
        ['q', 1],
        ['r', 2],
      ] as const
    ).map(([id, current]) =>
      response({
        agent_response: { id, type: 'progress', content: { progress: { current, total: 2, message: 'm' } } },
      }),
    ),
    blocks: [
      { type: 'progress', progress: { current: 2, total: 2, message: 'm' }, extra: { responseId: 'r' } },
      {
        type: 'progress',
        status: 'loading',
        progress: { current: 1, total: 2, message: 'm' },
        extra: { responseId: 'q' },
      },
    ],
  },
  {
    name: 'response agent_response confirmation → action, confirmation, with its options as buttons',
    events: [
      response({
        agent_response: {
          id: 'r',
          type: 'confirmation',
          content: { confirmation: { type: 'action', message: 'Sure?', options: ['yes', 'no'] } },
        },
      }),
    ],
    blocks: [
      {
        type: 'action',
        status: 'pending',
        action_type: 'confirmation',
        content: 'Sure?',
        extra: { kind: 'action', options: [{ label: 'yes' }, { label: 'no' }], responseId: 'r' },
      },
    ],
  },
];

describe('mapping table', () => {
  for (const { name, events, blocks } of table) {
    it(name, () => {
      expect(reduceAll(events).blocks.map(bareBlock)).to.deep.equal(blocks);
    });
  }

  it('response suggestions and metadata are stored in the message', () => {
    const message = reduceAll([
      response({ suggestions: [{ label: 'l', prompt: 'p' }], metadata: { a: 1, b: 1 } }),
      response({ metadata: { b: 2 } }),
    ]);
    expect(message).to.deep.include({
      blocks: [],
      suggestions: [{ label: 'l', prompt: 'p' }],
      metadata: { a: 1, b: 2 },
    });
  });

  it('reasoning_content has a start and an end time', () => {
    const first = reduceAll([response({ reasoning_content: 'a' })]);
    const later = reduceMessage(first, response({ reasoning_content: 'b' }), { now: NOW + 5, newId: () => 'x' });
    expect(later.blocks[0]).to.deep.include({ reasoning_time: { start: NOW, end: NOW + 5 } });
  });

  it('a tool call without a reported duration has the measured one', () => {
    const later = reduceMessage(reduceAll([start]), response({ tool_call: 'end', tool_call_id: 't' }), {
      now: NOW + 5,
      newId: () => 'x',
    });
    expect(later.blocks[0]).to.have.property('duration', 5);
  });
});

describe('renderer checklist', () => {
  const known = [
    'content',
    'reasoning_content',
    'tool_call',
    'action',
    'image',
    'error',
    'audio',
    'video',
    'file',
    'data',
    'plan',
    'status',
    'code',
    'command_result',
    'progress',
  ];

  it('1. the table makes only known block types', () => {
    const types = new Set(table.flatMap(({ events }) => reduceAll(events).blocks.map(({ type }) => type)));
    expect([...types].filter((type) => !known.includes(type))).to.deep.equal([]);
  });

  it('1. an event without a mapping is ignored and logged', () => {
    const reports: string[] = [];
    const message = reduceAll([response({ agent_response: { id: 'r', type: 'code', content: {} } })], {
      report: (problem) => reports.push(problem),
    });
    expect([message.blocks.length, reports.length]).to.deep.equal([0, 1]);
  });

  it('1. an error inside of a response is logged, because it is not shown', () => {
    const reports: string[] = [];
    reduceAll([response({ content: 'Half', error: 'boom' })], { report: (problem) => reports.push(problem) });
    expect(reports.join()).to.contain('boom');
  });

  for (const last of ['end', 'error'] as const) {
    for (const late of ['start', 'running', 'update', 'end', 'error'] as const) {
      it(`2. loading → success | error only: a late "${late}" after "${last}" is ignored and logged`, () => {
        const reports: string[] = [];
        const done = [start, response({ tool_call: last, tool_call_id: 't', tool_call_response: 'x' })];
        const more = response({ tool_call: late, tool_call_id: 't', tool_call_params: 'y', tool_call_response: 'z' });
        const context = { report: (problem: string) => reports.push(problem) };
        expect(reduceAll([...done, more], context).blocks).to.deep.equal(reduceAll(done).blocks);
        expect(reports.length).to.equal(1);
      });
    }
  }

  it('2. calls are matched by tool_call.id', () => {
    const two = ['t', 'u'].map((id) => response({ tool_call: 'start', tool_call_id: id, tool_call_name: 'f' }));
    const message = reduceAll([...two, response({ tool_call: 'end', tool_call_id: 't', tool_call_response: 'x' })]);
    expect(message.blocks.map(({ status }) => status)).to.deep.equal(['success', 'loading']);
  });

  for (const [state, status] of [
    ['permission-granted', 'granted'],
    ['permission-denied', 'denied'],
  ] as const) {
    it(`3. a permission is an action that is settled once, as ${status}`, () => {
      const reports: string[] = [];
      const other = state === 'permission-granted' ? 'permission-denied' : 'permission-granted';
      const answered = ([state, other] as const).map((tool_call) => response({ tool_call, tool_call_id: 't' }));
      const message = reduceAll([asked, ...answered], { report: (problem) => reports.push(problem) });
      expect(message.blocks.map(bareBlock)).to.deep.equal([askedBlock(status, { decidedBy: 'server' })]);
      expect(reports.length).to.equal(1);
    });
  }

  it('3. a permission that the server closes is not decided', () => {
    const message = reduceAll([asked, response({ tool_call: 'permission-closed', tool_call_id: 't' })]);
    expect(message.blocks.map(bareBlock)).to.deep.equal([askedBlock('cancel')]);
  });

  it('3. a request repeated after the answer changes nothing', () => {
    const message = reduceAll([asked, response({ tool_call: 'permission-granted', tool_call_id: 't' }), asked]);
    expect(message.blocks.map(bareBlock)).to.deep.equal([askedBlock('granted', { decidedBy: 'server' })]);
  });

  it('4. a rate limit keeps all of its numbers', () => {
    const all = { ...limit, estimatedWaitTime: 5 };
    expect(reduceAll([response({ rate_limit: all })]).blocks[0]?.extra).to.deep.equal(all);
  });

  it('5. a blocked image stays as a block with the reason and without its bytes', () => {
    const message = reduceAll([response({ image_data: { data: 'AA', mimeType: 'image/svg+xml' } })], {
      refuseMedia: () => 'type',
    });
    expect(message.blocks.map(bareBlock)).to.deep.equal([
      { type: 'image', status: 'error', extra: { reason: 'type', mimeType: 'image/svg+xml' } },
    ]);
  });

  const everything = [
    start,
    asked,
    response({ rate_limit: limit }),
    response({ maximum_tool_calls_reached: true }),
    response({ phase: { name: 'generating' } }),
    response({
      agent_response: { id: 'r', type: 'progress', content: { progress: { current: 1, total: 2, message: 'm' } } },
    }),
  ];
  it('6. end: loading blocks become errors, permissions and their calls stay open', () => {
    const other = response({ tool_call: 'start', tool_call_id: 'u', tool_call_name: 'g' });
    const blocks = reduceAll([other, ...everything, end()]).blocks.map(({ type, status }) => `${type} ${status}`);
    expect(blocks).to.deep.equal([
      'tool_call error',
      'tool_call loading',
      'action pending',
      'action success',
      'action pending',
      'status success',
      'progress error',
    ]);
  });

  it('6. end after the user stopped: loading blocks become cancelled', () => {
    expect(reduceAll([...everything, end(true)]).blocks.map(({ type, status }) => `${type} ${status}`)).to.deep.equal([
      'tool_call loading',
      'action pending',
      'action success',
      'action pending',
      'status success',
      'progress cancel',
    ]);
  });

  it('6. end: finished blocks stay the same objects', () => {
    const message = reduceAll([response({ content: 'a' }), response({ tool_call: 'end', tool_call_id: 't' })]);
    expect(reduceMessage(message, end(), { now: NOW, newId: () => 'x' })).to.equal(message);
  });

  it('7. every block has a timestamp, and timestamps never decrease', () => {
    const clock = [5, 3, 9, 1];
    const message = clock.reduce(
      (before, tick) =>
        reduceMessage(before, response({ data: { data_type: 'custom', data: tick } }), {
          now: NOW + tick,
          newId: () => String(tick),
        }),
      empty,
    );
    expect(message.blocks.map(({ timestamp }) => timestamp - NOW)).to.deep.equal([5, 5, 9, 9]);
  });

  it('7. no block is older than its message', () => {
    const message = reduceMessage(empty, response({ content: 'a' }), { now: NOW - 5, newId: () => 'x' });
    expect(message.blocks[0]?.timestamp).to.equal(NOW);
  });
});
