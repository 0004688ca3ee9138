/**
 * How the servers of each protocol report that a reply or a tool did not succeed: the notation of the wire, and a body with
 * it. The table in `docs/guides/when-things-fail.md` has the same notations.
 */
import { ndjson, sse } from '../../support/play-body.ts';
import * as a2a from '../a2a/streams.ts';
import * as adk from '../adk/streams.ts';
import * as agUi from '../ag-ui/streams.ts';
import * as agentscope from '../agentscope/streams.ts';
import * as agentscopeMsg from '../agentscope-msg/streams.ts';
import * as agno from '../agno/streams.ts';
import * as aiSdk from '../ai-sdk/streams.ts';
import * as anthropic from '../anthropic/streams.ts';
import * as chatKit from '../chatkit/streams.ts';
import * as cohere from '../cohere/streams.ts';
import * as coze from '../coze/streams.ts';
import * as dify from '../dify/streams.ts';
import * as eve from '../eve/streams.ts';
import * as flowise from '../flowise/streams.ts';
import * as gemini from '../gemini/streams.ts';
import * as interactions from '../gemini-interactions/streams.ts';
import * as langgraph from '../langgraph/streams.ts';
import * as mastra from '../mastra/streams.ts';
import * as field from '../message-field/streams.ts';
import * as ollama from '../ollama/streams.ts';
import * as assistants from '../openai-assistants/streams.ts';
import * as openAiChat from '../openai-chat/streams.ts';
import * as responses from '../openai-responses/streams.ts';

/** `tool`: a failed tool in a reply. The others are outcomes of the reply. */
export const REASONS = ['limited', 'filtered', 'explained', 'failed', 'stopped', 'tool'] as const;
export type Reason = (typeof REASONS)[number];
type Ends = Readonly<Partial<Record<Reason, readonly [notation: string, body: string]>>>;

const strands = (...events: readonly object[]): string =>
  sse({ event: { messageStart: { role: 'assistant' } } }, { data: 'Half', delta: { text: 'Half' } }, ...events);
const messageStop = (stopReason: string): object => ({ event: { messageStop: { stopReason } } });
const transport = (finishReason: string): string =>
  sse(
    { type: 'part-start', part: { type: 'text' }, path: [] },
    { type: 'text-delta', textDelta: 'Half', path: [0] },
    { type: 'message-finish', finishReason },
    '[DONE]',
  );
const core = (...events: readonly object[]): string => sse({ type: 'text', content: 'Half' }, ...events);
const agent = (type: string, data: object = {}): object => ({ type, data: { eventId: 'e', ...data } });
const phase = (type: string, name: string, data: object): object => ({ type, phase: name, data });
const phases = (...events: readonly object[]): string =>
  ndjson(phase('text', 'generating', { content: 'Half' }), ...events);
const done = (finishReason: string): object => phase('done', 'completed', { finishReason });
let count = 0;
const session = (type: string, data: object): object => ({ type, data, metadata: { sequence: count++, timestamp: 1 } });
function sessionOf(...events: readonly (readonly [string, object])[]): string {
  count = 0;
  return sse(
    session('session_start', { session_id: 's', request_id: 'r' }),
    ...events.map(([type, data]) => session(type, data)),
  );
}
const data = (...parts: readonly unknown[]): string =>
  parts
    .map(
      (part) => (part as readonly [string, unknown])[0] + ':' + JSON.stringify((part as readonly [string, unknown])[1]),
    )
    .join('\n') + '\n';
const tool = 'Error: no such file';

export const replyEnds: Readonly<Record<string, Ends>> = {
  'openai-chat': {
    limited: ['finish_reason: length', openAiChat.stream(openAiChat.say('Half'), openAiChat.stop('length'))],
    filtered: [
      'finish_reason: content_filter',
      openAiChat.stream(openAiChat.say('Half'), openAiChat.stop('content_filter')),
    ],
    explained: ['error.message', sse(openAiChat.say('Half'), { error: { message: 'Boom' } })],
    failed: ['finish_reason: error', openAiChat.stream(openAiChat.say('Half'), openAiChat.stop('error'))],
    stopped: ['finish_reason: abort', openAiChat.stream(openAiChat.say('Half'), openAiChat.stop('abort'))],
  },
  'openai-responses': {
    limited: [
      'incomplete: max_output_tokens',
      responses.events(responses.begin(), responses.say(0, 'Half'), responses.incomplete('max_output_tokens')),
    ],
    filtered: [
      'incomplete: content_filter',
      responses.events(responses.begin(), responses.say(0, 'Half'), responses.incomplete('content_filter')),
    ],
    explained: [
      'response.failed',
      responses.events(responses.begin(), responses.say(0, 'Half'), responses.failed({ code: 'x', message: 'Boom' })),
    ],
  },
  'openai-assistants': {
    limited: ['incomplete', assistants.stream(assistants.say('Half'), assistants.run('incomplete'), assistants.done)],
    filtered: [
      'incomplete: content_filter',
      assistants.stream(
        assistants.say('Half'),
        assistants.run('incomplete', { incomplete_details: { reason: 'content_filter' } }),
        assistants.done,
      ),
    ],
    explained: [
      'failed, last_error',
      assistants.stream(
        assistants.say('Half'),
        assistants.run('failed', { last_error: { message: 'Boom' } }),
        assistants.done,
      ),
    ],
    stopped: ['cancelled', assistants.stream(assistants.say('Half'), assistants.run('cancelled'), assistants.done)],
    tool: [
      'run step failed',
      assistants.stream(
        assistants.step('failed', [{ id: 'c1', type: 'file_search', file_search: {} }], {
          last_error: { message: 'Gone' },
        }),
        assistants.say('Sorry'),
        assistants.end,
        assistants.done,
      ),
    ],
  },
  anthropic: {
    limited: ['stop_reason: max_tokens', anthropic.stream(anthropic.textBlock(0, 'Half'), 'max_tokens')],
    filtered: ['stop_reason: refusal', anthropic.stream(anthropic.textBlock(0, 'Half'), 'refusal')],
    explained: [
      'error',
      sse(anthropic.start(), ...anthropic.textBlock(0, 'Half'), {
        type: 'error',
        error: { type: 'api_error', message: 'Boom' },
      }),
    ],
    tool: [
      '…_tool_result with is_error',
      anthropic.stream([
        ...anthropic.toolUseBlock(0, 'c', '{}', { type: 'mcp_tool_use' }),
        ...anthropic.completeBlock(1, {
          type: 'mcp_tool_result',
          tool_use_id: 'c',
          is_error: true,
          content: [{ type: 'text', text: 'No' }],
        }),
        ...anthropic.textBlock(2, 'Sorry'),
      ]),
    ],
  },
  gemini: {
    limited: ['finishReason: MAX_TOKENS', gemini.stream(gemini.say('Half'), gemini.stop('MAX_TOKENS'))],
    filtered: ['finishReason: SAFETY', gemini.stream(gemini.say('Half'), gemini.stop('SAFETY'))],
    explained: ['error.message', gemini.stream(gemini.say('Half'), { error: { message: 'Boom' } })],
  },
  'gemini-interactions': {
    limited: ['incomplete', interactions.stream(...interactions.say(0, 'Half'), interactions.completed('incomplete'))],
    explained: [
      'failed, error',
      interactions.stream(
        ...interactions.say(0, 'Half'),
        interactions.completed('failed', { error: { message: 'Boom' } }),
      ),
    ],
    stopped: ['cancelled', interactions.stream(...interactions.say(0, 'Half'), interactions.completed('cancelled'))],
  },
  ollama: {
    limited: ['done_reason: length', ndjson(ollama.say('Half'), ollama.done({ done_reason: 'length' }))],
    explained: ['error', ndjson(ollama.say('Half'), { error: 'Boom' })],
  },
  cohere: {
    limited: ['MAX_TOKENS', cohere.stream(...cohere.textBlock('Half'), cohere.end('MAX_TOKENS'))],
    filtered: ['ERROR_TOXIC', cohere.stream(...cohere.textBlock('Half'), cohere.end('ERROR_TOXIC'))],
    explained: ['ERROR, error', cohere.stream(...cohere.textBlock('Half'), cohere.end('ERROR', { error: 'Boom' }))],
    stopped: ['USER_CANCEL', cohere.stream(...cohere.textBlock('Half'), cohere.end('USER_CANCEL'))],
  },
  'ai-sdk': {
    limited: ['finishReason: length', aiSdk.stream(...aiSdk.textChunks('1', 'Half'), aiSdk.finish('length'))],
    filtered: [
      'finishReason: content-filter',
      aiSdk.stream(...aiSdk.textChunks('1', 'Half'), aiSdk.finish('content-filter')),
    ],
    explained: ['error', aiSdk.stream(...aiSdk.textChunks('1', 'Half'), { type: 'error', errorText: 'Boom' })],
    failed: ['finishReason: error', aiSdk.stream(...aiSdk.textChunks('1', 'Half'), aiSdk.finish('error'))],
    stopped: ['abort', aiSdk.stream(...aiSdk.textChunks('1', 'Half'), { type: 'abort' })],
    tool: [
      'tool-output-error',
      aiSdk.stream(
        aiSdk.toolInput('c', 'f'),
        { type: 'tool-output-error', toolCallId: 'c', errorText: 'No' },
        ...aiSdk.textChunks('1', 'Sorry'),
        aiSdk.finish('stop'),
      ),
    ],
  },
  'ai-sdk-v4': {
    limited: ['d: length', data(['0', 'Half'], ['d', { finishReason: 'length' }])],
    filtered: ['d: content-filter', data(['0', 'Half'], ['d', { finishReason: 'content-filter' }])],
    explained: ['3:', data(['0', 'Half'], ['3', 'Boom'])],
    failed: ['d: error', data(['0', 'Half'], ['d', { finishReason: 'error' }])],
    tool: [
      'a: with isError',
      data(
        ['9', { toolCallId: 'c', toolName: 'f', args: {} }],
        ['a', { toolCallId: 'c', result: 'No', isError: true }],
        ['0', 'Sorry'],
        ['d', { finishReason: 'stop' }],
      ),
    ],
  },
  'assistant-transport': {
    limited: ['finishReason: length', transport('length')],
    filtered: ['finishReason: content-filter', transport('content-filter')],
    failed: ['finishReason: error', transport('error')],
  },
  'ag-ui': {
    explained: ['RUN_ERROR', sse(agUi.started, ...agUi.say('m', 'Half'), { type: 'RUN_ERROR', message: 'Boom' })],
    stopped: [
      'outcome: cancelled',
      sse(agUi.started, ...agUi.say('m', 'Half'), { ...agUi.finished, outcome: { type: 'cancelled' } }),
    ],
    tool: [
      `text: Error: …`,
      agUi.run(...agUi.callTool('c', 'f', '{}'), agUi.result('c', tool), ...agUi.say('m', 'Sorry')),
    ],
  },
  langgraph: {
    explained: [
      'error',
      langgraph.run(langgraph.piece('a', 'Half'), ['error', { error: 'ValueError', message: 'Boom' }]),
    ],
    tool: [
      'status: error',
      langgraph.run(
        langgraph.callPiece('a', { index: 0, id: 'c', name: 'f', args: '{}' }),
        ['messages', [langgraph.toolMessage('c', 'No', { status: 'error' }), {}]],
        langgraph.piece('b', 'Sorry'),
        ['end', null],
      ),
    ],
  },
  a2a: {
    explained: [
      'FAILED, REJECTED',
      a2a.stream(a2a.artifact('a', a2a.textParts('Half')), a2a.status('FAILED', a2a.agentMessage('s', 'Boom'))),
    ],
    stopped: ['CANCELED', a2a.stream(a2a.artifact('a', a2a.textParts('Half')), a2a.status('CANCELED'))],
  },
  agentscope: {
    explained: [
      'REPLY_END: error',
      sse(
        agentscope.start(),
        agentscope.textDelta('Half'),
        agentscope.end('error', { error: { type: 'x', message: 'Boom' } }),
      ),
    ],
    tool: [
      'state: error',
      sse(
        agentscope.start(),
        ...agentscope.call('c', 'f', '{}'),
        ...agentscope.result('c', 'No', 'error'),
        agentscope.textDelta('Sorry'),
        agentscope.end(),
      ),
    ],
  },
  mastra: {
    limited: ['reason: length', mastra.stream(mastra.say('Half'), mastra.finish('length'))],
    filtered: ['reason: content-filter', mastra.stream(mastra.say('Half'), mastra.finish('content-filter'))],
    explained: ['error', mastra.stream(mastra.say('Half'), mastra.chunk('error', { error: { message: 'Boom' } }))],
    failed: ['reason: error', mastra.stream(mastra.say('Half'), mastra.finish('error'))],
    stopped: ['abort', mastra.stream(mastra.say('Half'), mastra.chunk('abort'))],
    tool: [
      'tool-error',
      mastra.stream(
        mastra.toolCall('c'),
        mastra.chunk('tool-error', { toolCallId: 'c', toolName: 'weather', error: { message: 'No' } }),
        mastra.say('Sorry'),
        mastra.finish(),
      ),
    ],
  },
  adk: {
    limited: [
      'errorCode: MAX_TOKENS',
      adk.run(adk.event([{ text: 'Half' }], { errorCode: 'MAX_TOKENS', finishReason: 'MAX_TOKENS' })),
    ],
    filtered: [
      'errorCode: SAFETY',
      adk.run(adk.event([{ text: 'Half' }], { errorCode: 'SAFETY', finishReason: 'SAFETY' })),
    ],
    explained: ['error', adk.run(adk.event([{ text: 'Half' }]), { error: 'Boom' })],
    tool: [
      'response.error',
      adk.run(adk.call('c', 'f'), adk.result('c', 'f', { error: 'No' }), adk.event([{ text: 'Sorry' }])),
    ],
  },
  agno: {
    explained: ['RunError', agno.stream(agno.say('Half'), agno.event('RunError', { content: 'Boom' }))],
    stopped: ['RunCancelled', agno.stream(agno.say('Half'), agno.event('RunCancelled', { reason: 'x' }))],
    tool: [
      'tool_call_error',
      agno.stream(
        agno.event('ToolCallStarted', { tool: agno.tool() }),
        agno.event('ToolCallError', { tool: agno.tool({ tool_call_error: true }), error: 'No' }),
        agno.say('Sorry'),
        agno.completed(),
      ),
    ],
  },
  eve: {
    limited: [
      'finishReason: length',
      eve.turn(eve.messageAppended('Half'), eve.event('step.completed', { finishReason: 'length' })),
    ],
    filtered: [
      'finishReason: content-filter',
      eve.turn(eve.messageAppended('Half'), eve.event('step.completed', { finishReason: 'content-filter' })),
    ],
    explained: ['turn.failed', eve.stream(eve.messageAppended('Half'), eve.event('turn.failed', { message: 'Boom' }))],
    stopped: ['turn.cancelled', eve.stream(eve.messageAppended('Half'), eve.event('turn.cancelled'), eve.waiting)],
    tool: [
      'status: failed',
      eve.turn(
        eve.event('actions.requested', { actions: [eve.action('c')] }),
        eve.result('c', { message: 'No' }, { status: 'failed', error: { message: 'No' } }),
        eve.messageCompleted('Sorry'),
      ),
    ],
  },
  dify: {
    explained: ['error, failed', dify.stream(dify.say('Half'), dify.event('error', { message: 'Boom' }))],
    stopped: [
      'status: stopped',
      dify.stream(dify.flow('text_chunk', { text: 'Half' }), dify.flow('workflow_finished', { status: 'stopped' })),
    ],
  },
  flowise: {
    explained: ['error', flowise.stream(flowise.say('Half'), flowise.frame('error', 'Boom'), flowise.end)],
    stopped: ['abort', flowise.stream(flowise.say('Half'), flowise.frame('abort', '[DONE]'))],
    tool: [
      'usedTools, error',
      flowise.stream(
        flowise.frame('usedTools', [{ tool: 'f', toolInput: {}, toolOutput: '', error: 'No' }]),
        flowise.say('Sorry'),
        flowise.end,
      ),
    ],
  },
  coze: {
    explained: [
      'chat.failed',
      coze.stream(coze.say('Half'), coze.chat('failed', { last_error: { code: 1, msg: 'Boom' } }), coze.done),
    ],
    stopped: ['chat.canceled', coze.stream(coze.say('Half'), coze.chat('canceled'))],
  },
  chatkit: {
    explained: [
      'error',
      chatKit.stream(chatKit.done(chatKit.assistantMessage('a', 'Half')), {
        type: 'error',
        code: 'custom',
        message: 'Boom',
      }),
    ],
  },
  agentcore: {
    limited: ['max_tokens', strands(messageStop('max_tokens'))],
    filtered: ['guardrail_intervened', strands(messageStop('guardrail_intervened'))],
    explained: ['error, …Exception', strands({ error: 'Boom' })],
    stopped: ['cancelled', strands(messageStop('cancelled'))],
  },
  'deepchat-events': {
    limited: ['stop_reason: max_tokens', core({ type: 'stop', stop_reason: 'max_tokens' })],
    explained: ['error', core({ type: 'error', error_message: 'Boom' }, { type: 'stop', stop_reason: 'error' })],
    failed: ['stop_reason: error', core({ type: 'stop', stop_reason: 'error' })],
    stopped: ['userStop', sse(agent('response', { content: 'Half' }), agent('end', { userStop: true }))],
    tool: [
      'tool_call: error',
      sse(
        agent('response', { tool_call: 'start', tool_call_id: 'c', tool_call_name: 'f' }),
        agent('response', { tool_call: 'error', tool_call_id: 'c', tool_call_response: 'No' }),
        agent('response', { content: 'Sorry' }),
        agent('end'),
      ),
    ],
  },
  'message-field': {
    tool: [
      'is_error, or text: Error: …',
      sse(
        field.start('a'),
        field.result('a', '', {
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        }),
        field.start('t', { role: 'tool', tool_call_id: 'c' }),
        field.result('t', tool, { role: 'tool', tool_call_id: 'c' }),
        field.start('b'),
        field.result('b', 'Sorry'),
      ),
    ],
  },
  'agent-phase': {
    limited: ['finishReason: length', phases(done('length'))],
    filtered: ['finishReason: content-filter', phases(done('content-filter'))],
    explained: ['error', phases(phase('error', 'error', { code: 'E', message: 'Boom', recoverable: false }))],
    failed: ['finishReason: error', phases(done('error'))],
    stopped: ['finishReason: cancelled', phases(done('cancelled'))],
    tool: [
      'success: false',
      ndjson(
        phase('tool_start', 'tool_calling', { toolName: 'f', params: {} }),
        phase('tool_end', 'tool_calling', { toolName: 'f', success: false, summary: 'Failed', error: 'No' }),
        phase('text', 'generating', { content: 'Sorry' }),
        done('stop'),
      ),
    ],
  },
  'agent-session': {
    explained: [
      'error',
      sessionOf(
        ['content', { content: 'Half' }],
        ['error', { error_type: 'system', message: 'Boom' }],
        ['session_end', { status: 'error' }],
      ),
    ],
    failed: ['status: error', sessionOf(['content', { content: 'Half' }], ['session_end', { status: 'error' }])],
    stopped: [
      'status: cancelled',
      sessionOf(['content', { content: 'Half' }], ['session_end', { status: 'cancelled' }]),
    ],
    tool: [
      'status: failed',
      sessionOf(
        ['tool_call_start', { tool_id: 'c', tool_name: 'f', arguments: {} }],
        ['tool_call_end', { tool_id: 'c', status: 'failed', error: { message: 'No', code: 'E' } }],
        ['content', { content: 'Sorry' }],
        ['session_end', { status: 'completed' }],
      ),
    ],
  },
  'agentscope-msg': {
    tool: [
      'state, or text: Error: …',
      sse(
        agentscopeMsg.msg('a', [agentscopeMsg.toolUse('c')]),
        agentscopeMsg.msg('t', [agentscopeMsg.toolResult({ toolUseId: 'c' }, tool)], { role: 'TOOL' }),
        agentscopeMsg.msg('b', agentscopeMsg.textContent('Sorry')),
      ),
    ],
  },
  'json-stream': {
    limited: ['finish_reason: length', sse({ token: 'Ha' }, { token: 'lf' }, { token: '.', finish_reason: 'length' })],
    filtered: [
      'finish_reason: content_filter',
      sse({ token: 'Ha' }, { token: 'lf' }, { token: '.', finish_reason: 'content_filter' }),
    ],
    explained: ['error', sse({ token: 'Ha' }, { token: 'lf' }, { error: { message: 'Boom' } })],
    tool: [
      'error, status, or text: Error: …',
      sse(
        { type: 'tool_start', tool: 'f', id: 'c', input: {} },
        { type: 'tool_end', tool: 'f', id: 'c', output: tool },
        { token: 'Sor' },
        { token: 'ry' },
        { done: true },
      ),
    ],
  },
};
