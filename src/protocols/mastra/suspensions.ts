/** Approvals and questions of a Mastra run, and the answers to them. Source: the routes of `@mastra/server` 1.68. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { exactJson } from '../core/exact-json.ts';
import type { Answer } from '../core/adapter.ts';
import { asText } from '../shared/as-text.ts';
import { withoutMastraMetadata } from './calls.ts';
import type { Payload } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const callFields = ({ toolCallId, toolName, args }: Payload) => ({
  tool_call_id: toolCallId ?? '',
  ...(toolName && { tool_call_name: toolName }),
  ...(args && { tool_call_params_complete: exactJson(withoutMastraMetadata(args)) }),
});

/** The call is already displayed, and it is not a client call. A question of a called agent does not change its call. */
const serverCall = (call: Payload, isNested: boolean): Data => ({
  ...(isNested ? { tool_call_id: call.toolCallId ?? '' } : callFields(call)),
  tool_call: 'running',
  tool_call_remote: true,
});

/** Where a question comes from. */
interface Origin {
  readonly runId: string;
  readonly isNetwork?: boolean;
  /** A tool of an agent that was called as a tool asks. */
  readonly isNested?: boolean;
}

/** Events for a tool call that needs approval. A network has endpoints of its own for the answer. */
export const approvalEvents = (
  call: Payload,
  { runId, isNetwork = false, isNested = false }: Origin,
): readonly Data[] => [
  serverCall(call, isNested),
  {
    ...callFields(call),
    tool_call: 'permission-required',
    permission_request: { toolName: call.toolName ?? '', serverName: '', permissionType: 'all', description: '' },
    request: { id: call.toolCallId ?? '', extra: { runId, ...(isNetwork && { network: true }) } },
  },
];

/** Events for a tool that is suspended. It describes the expected answer with a JSON Schema. */
export function suspensionEvents(call: Payload, { runId, isNested = false }: Origin): readonly Data[] {
  const { toolCallId, toolName, suspendPayload, resumeSchema } = call;
  const schema = resumeSchema ? parseJson(resumeSchema) : undefined;
  // The tool reads an object then, so that a text can't answer it.
  const isForm = isRecord(schema) && schema['type'] !== 'string';
  return [
    serverCall(call, isNested),
    {
      ask: {
        action_type: 'question',
        content: questionText(suspendPayload) || toolName || '',
        ...(isRecord(schema) && { schema }),
      },
      request: { id: toolCallId ?? '', extra: { runId, suspended: true, ...(isForm && { needsChoice: true }) } },
    },
  ];
}

/** Returns a sentence from the suspend payload, whose format is not defined. */
function questionText(payload: unknown): string {
  if (!isRecord(payload)) return asText(payload);
  const candidates = ['message', 'question', 'prompt', 'reason', 'text', 'description'].map((name) => payload[name]);
  const text = candidates.find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' ? text : Object.keys(payload).length > 0 ? exactJson(payload) : '';
}

/** Returns the path (relative to the agent) and the body of the request that answers. */
export function toAnswerRequest(answer: Answer): { readonly path: string; readonly body: object } | undefined {
  const { decision, actionType, payload, note, extra = {} } = answer;
  const { runId, requestId: toolCallId, suspended, network } = extra;
  if (typeof runId !== 'string' || typeof toolCallId !== 'string') return undefined;
  const call = { runId, toolCallId };
  if (suspended === true) {
    const resumeData = payload ?? (decision === 'granted' ? true : decision === 'denied' ? false : null);
    return { path: 'resume-stream', body: { ...call, resumeData } };
  }
  // Only a permission question shows the call: the answer to a stored question of another kind does not approve it.
  const isApproved = decision === 'granted' && actionType === 'tool_call_permission';
  if (network === true) {
    return { path: `${isApproved ? 'approve' : 'decline'}-network-tool-call`, body: { runId } };
  }
  return isApproved
    ? { path: 'approve-tool-call', body: call }
    : { path: 'decline-tool-call', body: { ...call, ...(note && { reason: note }) } };
}
