/**
 * How each protocol asks for permission to run a call, and how its server reads the answers. Ids are sent as a test
 * wants them: missing ids are omitted, even if the protocol requires them.
 */
import type { ProtocolMapping } from '../../../src/protocols/mapping/map-protocol.ts';
import { isRecord } from '../../../src/model/json.ts';
import { sse } from '../../support/play-body.ts';
import type { Asked } from './scripted-server.ts';

type Json = Readonly<Record<string, unknown>>;
export type WireId = string | number | null | undefined;

/** A call that the server runs if the user allows it. */
export interface WireQuestion {
  /** The id of the question. */
  readonly id: WireId;
  /** The id of the call. */
  readonly call: WireId;
  readonly name: string;
  readonly args: Json;
}

/** A decision, as the server reads it. */
interface WireDecision {
  /** All that the server identifies the question by. */
  readonly key: string;
  readonly isYes: boolean;
}

export interface ApprovalWire {
  readonly name: string;
  readonly protocol: string | ProtocolMapping;
  readonly path?: string;
  readonly contentType?: string;
  /** The reply that asks, in pieces: the questions one after the other, then its end. */
  readonly asks: (questions: readonly WireQuestion[]) => readonly string[];
  /** A reply without a question. */
  readonly done: string;
  /** What the server sends if it has got the answer elsewhere, or needs none any longer. */
  readonly withdraws?: (question: WireQuestion) => readonly string[];
  /** The key of a question: see {@link WireDecision}. */
  readonly key: (question: WireQuestion) => string;
  /** The decisions in a request. */
  readonly decisions: (asked: Asked) => readonly WireDecision[];
  /** The JSON response to a request that is not about the reply itself. */
  readonly side?: (asked: Asked) => object | undefined;
}

/** An id as it is in JSON. */
const keyOf = (...ids: readonly unknown[]): string => JSON.stringify(ids.map((id) => id ?? null));
const withId = (name: string, id: WireId): object => (id === undefined ? {} : { [name]: id });
const lines = (...events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const records = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const fieldOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);

const byId = ({ id }: WireQuestion): string => keyOf(id);
const byCall = ({ call }: WireQuestion): string => keyOf(call);

const say = (data: object): object => ({ type: 'response', data: { eventId: 'e', ...data } });

const agentScopeCall = ({ call, name, args }: WireQuestion, input: unknown = JSON.stringify(args)): object => ({
  type: 'tool_call',
  ...withId('id', call),
  name,
  input,
});
const agentScopeDecisions =
  (results: string, call: string) =>
  ({ body }: Asked): readonly WireDecision[] =>
    records(fieldOf(body, 'input', results)).map((result) => ({
      key: keyOf(fieldOf(result, call, 'id')),
      isYes: result['confirmed'] === true,
    }));

const agnoTool = ({ call, name, args }: WireQuestion): object => ({
  ...withId('tool_call_id', call),
  tool_name: name,
  tool_args: args,
  requires_confirmation: true,
});
const agno = (event: string, field: 'tools' | 'requirements') => ({
  protocol: 'agno',
  done: sse(
    { event: `${event}Started`, run_id: 'r', session_id: 's' },
    { event: `${event}Completed`, run_id: 'r', session_id: 's', content: 'Done' },
  ),
  asks: (questions: readonly WireQuestion[]) => [
    sse({ event: `${event}Started`, run_id: 'r', session_id: 's' }),
    sse({
      event: `${event}Paused`,
      run_id: 'r',
      session_id: 's',
      tools: questions.map(agnoTool),
      requirements: questions.map((question) => ({
        ...withId('id', question.id),
        tool_execution: agnoTool(question),
      })),
    }),
  ],
  key: byCall,
  decisions: ({ init: { body } }: Asked): readonly WireDecision[] => {
    const sent = body instanceof FormData ? body.get(field) : undefined;
    return records(typeof sent === 'string' ? JSON.parse(sent) : []).map((item) => {
      const tool = field === 'tools' ? item : item['tool_execution'];
      return { key: keyOf(fieldOf(tool, 'tool_call_id')), isYes: fieldOf(tool, 'confirmed') === true };
    });
  },
});

const mastra = (chunk: string) => ({
  protocol: 'mastra',
  done: sse(
    { type: 'start', runId: 'r', payload: {} },
    { type: 'finish', runId: 'r', payload: { stepResult: { reason: 'stop' }, output: {} } },
  ),
  asks: (questions: readonly WireQuestion[]) => [
    sse({ type: 'start', runId: 'r', payload: {} }),
    ...questions.map(({ call, name, args }) =>
      sse({ type: chunk, runId: 'r', payload: { ...withId('toolCallId', call), toolName: name, args } }),
    ),
  ],
});

const acme: ProtocolMapping = {
  id: 'acme',
  request: { body: { prompt: '{text}', decisions: '{answers}' } },
  events: [
    { approval: { id: 'ask', call: 'call', name: 'tool', arguments: 'input' } },
    { when: { done: true }, finish: 'complete' },
    { when: { paused: true }, finish: 'tool_use' },
  ],
};

export const approvalWires: readonly ApprovalWire[] = [
  {
    name: 'deepchat-events',
    protocol: 'deepchat-events',
    done: sse(say({ content: 'Done', finish: 'complete' })),
    asks: (questions) => [
      ...questions.map(({ id, call, name, args }) =>
        sse(
          say({
            tool_call: 'permission-required',
            ...withId('tool_call_id', call),
            tool_call_params: JSON.stringify(args),
            permission_request: { toolName: name, serverName: '', permissionType: 'write', description: '' },
            ...(id !== undefined && { request: { id } }),
          }),
        ),
      ),
      sse(say({ finish: 'tool_use' })),
    ],
    withdraws: ({ call }) => [sse(say({ tool_call: 'permission-denied', ...withId('tool_call_id', call) }))],
    key: ({ id, call }) => keyOf(id, call),
    decisions: ({ body }) =>
      records(fieldOf(body, 'permissions')).map(({ id, tool_call_id, decision }) => ({
        key: keyOf(id, tool_call_id),
        isYes: decision === 'granted',
      })),
  },
  {
    name: 'ai-sdk',
    protocol: 'ai-sdk',
    done: sse({ type: 'start' }, { type: 'finish', finishReason: 'stop' }, '[DONE]'),
    asks: (questions) => [
      sse({ type: 'start', messageId: 'm' }, { type: 'start-step' }),
      ...questions.map(({ id, call, name, args }) =>
        sse(
          { type: 'tool-input-available', ...withId('toolCallId', call), toolName: name, input: args },
          { type: 'tool-approval-request', ...withId('approvalId', id), ...withId('toolCallId', call) },
        ),
      ),
      sse({ type: 'finish-step' }, { type: 'finish', finishReason: 'tool-calls' }, '[DONE]'),
    ],
    key: byId,
    decisions: ({ body }) =>
      records(fieldOf(body, 'messages'))
        .flatMap(({ parts }) => records(parts))
        .filter(({ state, approval }) => state === 'approval-responded' && isRecord(approval))
        .map(({ approval }) => ({
          key: keyOf(fieldOf(approval, 'id')),
          isYes: fieldOf(approval, 'approved') === true,
        })),
  },
  {
    name: 'openai-responses',
    protocol: 'openai-responses',
    done: sse(
      { type: 'response.created', response: { id: 'r', status: 'in_progress' } },
      { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } },
    ),
    asks: (questions) => {
      const output = questions.map(({ id, name, args }) => ({
        type: 'mcp_approval_request',
        ...withId('id', id),
        name,
        server_label: 's',
        arguments: JSON.stringify(args),
      }));
      return [
        sse({ type: 'response.created', response: { id: 'r', status: 'in_progress' } }),
        ...output.map((item, output_index) => sse({ type: 'response.output_item.done', output_index, item })),
        sse({ type: 'response.completed', response: { id: 'r', status: 'completed', output } }),
      ];
    },
    key: byId,
    decisions: ({ body }) =>
      records(fieldOf(body, 'input'))
        .filter(({ type }) => type === 'mcp_approval_response')
        .map(({ approval_request_id: id, approve }) => ({ key: keyOf(id), isYes: approve === true })),
  },
  {
    name: 'ag-ui',
    protocol: 'ag-ui',
    done: sse({ type: 'RUN_STARTED', threadId: 't', runId: 'r' }, { type: 'RUN_FINISHED', threadId: 't', runId: 'r' }),
    asks: (questions) => [
      sse({ type: 'RUN_STARTED', threadId: 't', runId: 'r' }),
      ...questions.map(({ call, name, args }) =>
        sse(
          { type: 'TOOL_CALL_START', ...withId('toolCallId', call), toolCallName: name },
          { type: 'TOOL_CALL_ARGS', ...withId('toolCallId', call), delta: JSON.stringify(args) },
          { type: 'TOOL_CALL_END', ...withId('toolCallId', call) },
        ),
      ),
      sse({
        type: 'RUN_FINISHED',
        threadId: 't',
        runId: 'r',
        outcome: {
          type: 'interrupt',
          interrupts: questions.map(({ id, call }) => ({
            ...withId('id', id),
            reason: 'tool_call',
            ...withId('toolCallId', call),
            responseSchema: { type: 'object', properties: { approved: { type: 'boolean' } } },
          })),
        },
      }),
    ],
    key: byId,
    decisions: ({ body }) =>
      records(fieldOf(body, 'resume')).map(({ interruptId, status, payload }) => ({
        key: keyOf(interruptId),
        isYes: status === 'resolved' && fieldOf(payload, 'approved') === true,
      })),
  },
  {
    name: 'eve',
    protocol: 'eve',
    path: '/eve/v1/session',
    contentType: 'application/x-ndjson',
    side: ({ init }) => (init.method === 'POST' ? { sessionId: 's' } : undefined),
    done: lines({ type: 'message.received', data: { message: 'Go' } }, { type: 'session.waiting', data: {} }),
    asks: (questions) => [
      lines({ type: 'message.received', data: { message: 'Go' } }),
      ...questions.map(({ id, call, name, args }) =>
        lines({
          type: 'input.requested',
          data: {
            requests: [
              {
                ...withId('requestId', id),
                kind: 'tool-approval',
                prompt: 'Run it?',
                action: { ...withId('callId', call), kind: 'tool-call', toolName: name, input: args },
              },
            ],
          },
        }),
      ),
      lines({ type: 'turn.waiting', data: { on: 'input' } }),
    ],
    key: byId,
    decisions: ({ body }) =>
      records(fieldOf(body, 'inputResponses')).map(({ requestId, optionId }) => ({
        key: keyOf(requestId),
        isYes: optionId === 'approve',
      })),
  },
  {
    name: 'adk',
    protocol: 'adk',
    path: '/apps/app',
    side: ({ url }) => (new URL(url).pathname.endsWith('sessions') ? { id: 's' } : undefined),
    done: sse({ id: 'f', author: 'a', content: { parts: [{ text: 'Done' }] } }),
    asks: (questions) =>
      questions.map(({ id, call, name, args }) =>
        sse({
          id: 'e',
          author: 'a',
          content: {
            parts: [
              {
                functionCall: {
                  ...withId('id', id),
                  name: 'adk_request_confirmation',
                  args: {
                    originalFunctionCall: { ...withId('id', call), name, args },
                    toolConfirmation: { hint: 'Run it?' },
                  },
                },
              },
            ],
          },
        }),
      ),
    key: byId,
    decisions: ({ body }) =>
      records(fieldOf(body, 'newMessage', 'parts')).flatMap(({ functionResponse: sent }) =>
        fieldOf(sent, 'name') === 'adk_request_confirmation'
          ? [{ key: keyOf(fieldOf(sent, 'id')), isYes: fieldOf(sent, 'response', 'confirmed') === true }]
          : [],
      ),
  },
  {
    name: 'mastra',
    ...mastra('tool-call-approval'),
    path: '/api/agents/a',
    key: byCall,
    decisions: ({ url, body }) => {
      const [decision] = /(?:approve|decline)-tool-call$/.exec(new URL(url).pathname) ?? [];
      return decision === undefined
        ? []
        : [{ key: keyOf(fieldOf(body, 'toolCallId')), isYes: decision.startsWith('approve') }];
    },
  },
  {
    name: 'mastra, a network',
    ...mastra('tool-execution-approval'),
    path: '/api/agents/a/network',
    key: () => keyOf('r'),
    decisions: ({ url }) => {
      const [decision] = /(?:approve|decline)-network-tool-call$/.exec(new URL(url).pathname) ?? [];
      return decision === undefined ? [] : [{ key: keyOf('r'), isYes: decision.startsWith('approve') }];
    },
  },
  {
    name: 'a protocol that is described as data',
    protocol: acme,
    done: sse({ done: true }),
    asks: (questions) => [
      ...questions.map(({ id, call, name, args }) =>
        sse({ ...withId('ask', id), ...withId('call', call), tool: name, input: args }),
      ),
      sse({ paused: true }),
    ],
    key: byId,
    decisions: ({ body }) =>
      records(fieldOf(body, 'decisions')).map(({ id, approved }) => ({ key: keyOf(id), isYes: approved === true })),
  },
  { name: 'agno', ...agno('Run', 'tools'), path: '/agents/a/runs' },
  { name: 'agno, a team', ...agno('TeamRun', 'requirements'), path: '/teams/a/runs' },
  {
    name: 'langgraph, an interrupt for each call',
    protocol: 'langgraph',
    side: ({ url }) => (new URL(url).pathname.endsWith('/threads') ? { thread_id: 't' } : undefined),
    done: 'event: metadata\ndata: {"run_id":"r"}\n\nevent: values\ndata: {"messages":[{"type":"ai","id":"f","content":"Done"}]}\n\n',
    asks: (questions) => [
      'event: metadata\ndata: {"run_id":"r"}\n\n',
      ...questions.map(
        ({ id, name, args }) =>
          `event: updates\ndata: ${JSON.stringify({
            __interrupt__: [{ ...withId('id', id), value: { action_requests: [{ name, args }], review_configs: [] } }],
          })}\n\n`,
      ),
    ],
    key: byId,
    decisions: ({ body }) => {
      const resume = fieldOf(body, 'command', 'resume');
      if (!isRecord(resume)) return [];
      const answers: readonly (readonly [unknown, unknown])[] =
        'decisions' in resume ? [[undefined, resume]] : Object.entries(resume);
      return answers.flatMap(([id, answer]) =>
        records(fieldOf(answer, 'decisions')).map(({ type }) => ({ key: keyOf(id), isYes: type !== 'reject' })),
      );
    },
  },
  {
    name: 'agentscope, its runtime',
    protocol: 'agentscope',
    path: '/process',
    done: sse({ object: 'response', status: 'created', id: 'r' }, { object: 'response', status: 'completed', id: 'r' }),
    asks: (questions) => [
      sse({ object: 'response', status: 'created', id: 'r' }),
      ...questions.map(({ id, name, args }, index) =>
        sse({
          object: 'message',
          id: `q${String(index)}`,
          type: 'mcp_approval_request',
          status: 'completed',
          content: [
            {
              object: 'content',
              type: 'data',
              status: 'completed',
              index: 0,
              data: { ...withId('id', id), name, server_label: 's', arguments: JSON.stringify(args) },
            },
          ],
        }),
      ),
      sse({ object: 'response', status: 'completed', id: 'r' }),
    ],
    key: byId,
    decisions: ({ body }) =>
      records(fieldOf(body, 'input'))
        .filter(({ type }) => type === 'mcp_approval_response')
        .flatMap(({ content }) => records(content))
        .map(({ data }) => ({
          key: keyOf(fieldOf(data, 'approval_request_id')),
          isYes: fieldOf(data, 'approve') === true,
        })),
  },
  {
    name: 'agentscope 2',
    protocol: 'agentscope',
    path: '/sessions/s/stream?agent_id=a',
    side: ({ init }) => (init.method === 'POST' ? {} : undefined),
    done: sse(
      { type: 'REPLY_START', reply_id: 'r2', session_id: 's', name: 'A' },
      { type: 'REPLY_END', reply_id: 'r2' },
    ),
    asks: (questions) => [
      sse({ type: 'REPLY_START', reply_id: 'r', session_id: 's', name: 'A' }),
      ...questions.map((question) =>
        sse({ type: 'REQUIRE_USER_CONFIRM', reply_id: 'r', tool_calls: [agentScopeCall(question)] }),
      ),
    ],
    key: byCall,
    decisions: agentScopeDecisions('confirm_results', 'tool_call'),
  },
  {
    name: 'agentscope for Java',
    protocol: 'agentscope',
    path: '/process',
    done: sse({ type: 'AGENT_START', replyId: 'r2', sessionId: 's', name: 'A' }, { type: 'AGENT_END', replyId: 'r2' }),
    asks: (questions) => [
      sse({ type: 'AGENT_START', replyId: 'r', sessionId: 's', name: 'A' }),
      ...questions.map((question) =>
        sse({ type: 'REQUIRE_USER_CONFIRM', replyId: 'r', toolCalls: [agentScopeCall(question, question.args)] }),
      ),
    ],
    key: byCall,
    decisions: agentScopeDecisions('confirmResults', 'toolCall'),
  },
];
