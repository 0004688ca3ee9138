/**
 * The chunks of an agent network (`/network`): a routing agent chooses agents, workflows and tools, whose runs are shown as
 * calls. Source: `@mastra/core` 1.71, `stream/types.d.ts` and `loop/network`, read 2026-11-25.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import { exactJson } from '../core/exact-json.ts';
import { errorMessage } from '../shared/error-message.ts';
import { asText } from '../shared/as-text.ts';
import { approvalEvents } from './suspensions.ts';
import { EMPTY_PAYLOAD, toMastraUsage, type Chunk, type Payload } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** The reply that a network's chunks belong to. */
interface NetworkReply {
  readonly runId: string;
  /** Whether the answer has its own text. */
  readonly hasText: boolean;
  appendText(text: string): readonly Data[];
  /** Marks that the network waits for the user. */
  ask(items: readonly Data[]): readonly Data[];
  /** The events of a called agent, inside of its call. */
  nest(id: string, name: string, output: unknown): readonly Data[];
}

/** The state of a network: it runs one call at a time. */
export class MastraNetwork {
  readonly reply: NetworkReply;
  #call = { id: '', name: '' };
  /** Whether an error of the called agent is shown as the end of its call. */
  #hasFailed = false;
  #count = 0;

  constructor(reply: NetworkReply) {
    this.reply = reply;
  }

  /** Converts a chunk of a network; undefined for any other chunk. An end is reported as `finish`. */
  take({ type, payload }: Chunk): readonly Data[] | undefined {
    if (/^(?:agent|workflow)-execution-event-error$/.test(type)) return this.#failCall(payload);
    if (CALLED_EVENT.test(type)) return this.reply.nest(this.#call.id, this.#call.name, payload);
    const handler = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
    if (handler) return handler(this, payload ?? EMPTY_PAYLOAD);
    return IGNORED.test(type) ? [] : undefined;
  }

  startCall(name: string, args: unknown, id?: string): readonly Data[] {
    this.#hasFailed = false;
    this.#call = { id: id ?? `${name}-${String(++this.#count)}`, name };
    return [
      {
        tool_call: 'start',
        tool_call_id: this.#call.id,
        tool_call_name: name,
        tool_call_params_complete: exactJson(args ?? {}),
        tool_call_remote: true,
      },
    ];
  }

  /** An agent that has failed ends with an empty result. */
  endCall({ result }: Payload): readonly Data[] {
    if (this.#hasFailed && !result) return [];
    return [
      {
        tool_call: 'end',
        tool_call_id: this.#call.id,
        tool_call_response_complete: asText(result),
        tool_call_remote: true,
      },
    ];
  }

  /** The payload of the chunk is the chunk of the called agent, with a payload of its own. */
  #failCall(chunk: Chunk['payload']): readonly Data[] {
    const inner = chunk?.['payload'];
    const message = errorMessage(isRecord(inner) ? (inner['error'] ?? inner) : chunk) ?? 'The agent reported an error.';
    this.#hasFailed = true;
    return [
      {
        tool_call: 'error',
        tool_call_id: this.#call.id,
        tool_call_response_complete: message,
        tool_call_error: { message },
        tool_call_remote: true,
      },
    ];
  }
}

type Handler = (network: MastraNetwork, payload: Payload) => readonly Data[];

const startRun: Handler = (network, payload) =>
  network.startCall(nameOf(payload), { prompt: payload.args?.['prompt'] });
const endCall: Handler = (network, payload) => network.endCall(payload);
const askApproval: Handler = ({ reply }, payload) =>
  reply.ask(approvalEvents(payload, { runId: reply.runId, isNetwork: true }));
const abort: Handler = () => [{ finish: 'cancelled' }];

/** What each type of chunk does. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  'routing-agent-text-delta': ({ reply }, { text }) => reply.appendText(text ?? ''),
  'routing-agent-end'(_, { selectionReason: reason, isComplete }) {
    const isChoice = isComplete !== true && typeof reason === 'string' && reason !== '';
    return isChoice ? [{ reasoning_content: `${reason}\n\n` }] : [];
  },
  'agent-execution-start': startRun,
  'workflow-execution-start': startRun,
  'tool-execution-start'(network, { args }) {
    const { toolName, toolCallId, args: input } = args ?? {};
    return network.startCall(asText(toolName), input, typeof toolCallId === 'string' ? toolCallId : undefined);
  },
  'agent-execution-end': endCall,
  'workflow-execution-end': endCall,
  'tool-execution-end': endCall,
  'agent-execution-approval': askApproval,
  'tool-execution-approval': askApproval,
  'network-object-result': (_, { object }) => [{ data: { data_type: 'custom', data: object } }],
  'routing-agent-abort': abort,
  'agent-execution-abort': abort,
  'workflow-execution-abort': abort,
  'tool-execution-abort': abort,
  'network-execution-event-finish'({ reply }, payload) {
    const usage = toMastraUsage(isRecord(payload['usage']) ? payload['usage'] : undefined);
    return [
      ...(reply.hasText ? [] : reply.appendText(asText(payload['result']))),
      ...(usage ? [{ totalUsage: usage }] : []),
      { finish: 'complete' },
    ];
  },
};

/** The events of a called agent or workflow. */
const CALLED_EVENT = /^(?:agent|workflow)-execution-event-/;

const nameOf = (payload: Payload): string => {
  const name = payload['name'] ?? payload['agentId'] ?? payload['workflowId'];
  return typeof name === 'string' ? name : '';
};

/** Chunks that repeat others, or have no visible content. */
const IGNORED =
  /^(?:routing-agent-(?:start|text-start)|network-execution-event-step-finish|network-validation-(?:start|end)|network-object)$/;
