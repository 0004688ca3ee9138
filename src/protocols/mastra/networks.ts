/**
 * The chunks of an agent network (`/network`): a routing agent chooses agents, workflows and tools, whose runs are shown as
 * calls. Source: `@mastra/core` 1.71, `stream/types.d.ts` and `loop/network`, read 2026-11-25.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import { asText } from '../shared/as-text.ts';
import { approvalEvents } from './suspensions.ts';
import { toMastraUsage, type Chunk, type Payload } from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

export interface NetworkContext {
  readonly runId: string;
  /** Whether the answer has its own text. */
  hasText(): boolean;
  /** Marks that the network waits for the user. */
  askUser(events: readonly Data[]): readonly Data[];
  text(text: string): readonly Data[];
  /** The events of a called agent, inside of its call. */
  nested(id: string, name: string, output: unknown): readonly Data[];
}

/** Converts a chunk of a network; undefined for any other chunk. An end is reported as `finish`. */
export function makeMastraNetwork(): (
  chunk: Chunk,
  payload: Payload,
  context: NetworkContext,
) => readonly Data[] | undefined {
  /** The current call: a network runs one call at a time. */
  let current = { id: '', name: '' };
  let count = 0;

  const start = (name: string, args: unknown, id?: string): readonly Data[] => {
    current = { id: id ?? `${name}-${String(++count)}`, name };
    return [
      {
        tool_call: 'start',
        tool_call_id: current.id,
        tool_call_name: name,
        tool_call_params_complete: JSON.stringify(args ?? {}),
        tool_call_remote: true,
      },
    ];
  };
  const end = (result: unknown): readonly Data[] => [
    { tool_call: 'end', tool_call_id: current.id, tool_call_response_complete: asText(result), tool_call_remote: true },
  ];

  return ({ type, payload: inner }, payload, { runId, hasText, askUser, text, nested }) => {
    const { args = {}, result } = payload;
    if (/^(?:agent|workflow)-execution-event-/.test(type)) return nested(current.id, current.name, inner);
    switch (type) {
      case 'routing-agent-text-delta':
        return text(payload.text ?? '');
      case 'routing-agent-end': {
        const reason = payload['selectionReason'];
        const isChoice = payload['isComplete'] !== true && typeof reason === 'string' && reason !== '';
        return isChoice ? [{ reasoning_content: `${reason}\n\n` }] : [];
      }
      case 'agent-execution-start':
      case 'workflow-execution-start':
        return start(nameOf(payload), { prompt: args?.['prompt'] });
      case 'tool-execution-start': {
        const { toolName, toolCallId, args: input } = args ?? {};
        return start(asText(toolName), input, typeof toolCallId === 'string' ? toolCallId : undefined);
      }
      case 'agent-execution-end':
      case 'workflow-execution-end':
      case 'tool-execution-end':
        return end(result);
      case 'agent-execution-approval':
      case 'tool-execution-approval':
        return askUser(approvalEvents(payload, runId, true));
      case 'network-object-result':
        return [{ data: { data_type: 'custom', data: payload['object'] } }];
      case 'routing-agent-abort':
      case 'agent-execution-abort':
      case 'workflow-execution-abort':
      case 'tool-execution-abort':
        return [{ finish: 'cancelled' }];
      case 'network-execution-event-finish': {
        const usage = toMastraUsage(isRecord(payload['usage']) ? payload['usage'] : undefined);
        return [
          ...(hasText() ? [] : text(asText(result))),
          ...(usage ? [{ totalUsage: usage }] : []),
          { finish: 'complete' },
        ];
      }
      default:
        return IGNORED.test(type) ? [] : undefined;
    }
  };
}

const nameOf = (payload: Payload): string => {
  const name = payload['name'] ?? payload['agentId'] ?? payload['workflowId'];
  return typeof name === 'string' ? name : '';
};

/** Chunks that repeat others, or have no visible content. */
const IGNORED =
  /^(?:routing-agent-(?:start|text-start)|network-execution-event-step-finish|network-validation-(?:start|end)|network-object)$/;
