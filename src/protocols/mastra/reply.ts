/** Converts the chunks of a Mastra stream to events. Source: the types of `@mastra/core` 1.71 (`stream/types.d.ts`). */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { errorMessage } from '../shared/error-message.ts';
import { MastraCalls } from './calls.ts';
import { MastraNetwork } from './networks.ts';
import { approvalEvents, suspensionEvents } from './suspensions.ts';
import {
  toMastraCitation,
  toMastraData,
  toMastraMedia,
  EMPTY_PAYLOAD,
  toMastraUsage,
  wire,
  type Chunk,
  type Payload,
} from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Handler = (reply: MastraReply, payload: Payload) => readonly Data[];

/** Converts the chunks of one reply. */
export class MastraReply {
  readonly calls: MastraCalls;
  readonly #context: DecodeContext;
  readonly #network = new MastraNetwork(this);
  #runId = '';
  /** Whether the agent waits for the user. */
  #hasAsked = false;
  /** Whether the next text starts a new block. */
  #startsNewText = false;
  #hasText = false;
  /** Whether the last emitted content is reasoning. */
  #endsInReasoning = false;
  /** Whether the next reasoning starts a new paragraph of the same block. */
  #startsNewParagraph = false;
  /** The ids of the calls of sub-agents whose next reasoning starts a new block. */
  readonly #newReasoningIn = new Set<string>();
  #isFinished = false;

  constructor(context: DecodeContext) {
    const last = context.turn.messages.at(-1);
    this.#context = context;
    this.calls = new MastraCalls(last?.role === 'assistant' ? last : undefined);
  }

  get runId(): string {
    return this.#runId;
  }

  get hasText(): boolean {
    return this.#hasText;
  }

  take(chunk: Chunk, frame: Frame): readonly LLMAgentEvent[] {
    return [...this.#identifyRun(chunk), ...this.#convert(chunk, frame)];
  }

  /** The stream of a run that waits for an answer ends without an end event. */
  end(): readonly LLMAgentEvent[] {
    return this.#hasAsked ? this.finish('tool_use') : [];
  }

  startText(): readonly Data[] {
    this.#startsNewText = this.#hasText;
    return [];
  }

  appendText(text: string | null | undefined): readonly Data[] {
    if (!text) return [];
    const data = { content: text, ...(this.#startsNewText && { content_begins: true }) };
    this.#startsNewText = false;
    this.#hasText = true;
    return [data];
  }

  startReasoning(): readonly Data[] {
    this.#startsNewParagraph = this.#endsInReasoning;
    return [];
  }

  appendReasoning(text: string | null | undefined): readonly Data[] {
    if (!text) return [];
    // Mastra sends no separator between two parts of reasoning.
    const data = { reasoning_content: this.#startsNewParagraph ? `\n\n${text}` : text };
    this.#startsNewParagraph = false;
    this.#endsInReasoning = true;
    return [data];
  }

  /** The origin of a question about a call: the id of its run, and whether a sub-agent asks. */
  originOf(call: Payload): { readonly runId: string; readonly isNested: boolean } {
    return { runId: this.#runId, isNested: this.calls.isNested(call) };
  }

  /** Marks that the agent waits for the user. */
  ask(items: readonly Data[]): readonly Data[] {
    this.#hasAsked = true;
    return items;
  }

  /**
   * Converts the output of a sub-agent, an agent that is called as a tool. It is shown inside the call.
   *
   * @param id - id of the call
   */
  nest(id: string, name: string | null | undefined, output: unknown): readonly Data[] {
    const inner = wire.safeParse(output).data;
    if (inner?.type === 'reasoning-start') this.#newReasoningIn.add(id);
    if (!inner || !NESTED.test(inner.type)) return [];
    const parent = { tool_call_id: id, ...(name && { name: name.replace(/^agent-/, '') }) };
    // The handlers change the state of the reply's own text, which is restored after them.
    const [hasText, startsNewText] = [this.#hasText, this.#startsNewText];
    this.#startsNewParagraph = false;
    const items = HANDLERS[inner.type]?.(this, inner.payload ?? EMPTY_PAYLOAD) ?? [];
    this.#hasText = hasText;
    this.#startsNewText = startsNewText;
    this.#endsInReasoning = false;
    const startsBlock = items[0]?.reasoning_content !== undefined && this.#newReasoningIn.delete(id);
    return items.map((data) => ({ ...data, ...(startsBlock && { content_begins: true }), parent }));
  }

  /** Handles the end of the run, with its token usage and finish reason. */
  complete({ stepResult, output }: Payload): readonly LLMAgentEvent[] {
    const usage = toMastraUsage(isRecord(output) ? output['usage'] : undefined);
    const reason = stepResult?.reason ?? '';
    const isWaiting = this.#hasAsked || this.calls.isWaiting();
    return [
      ...(usage && !this.#isFinished ? [this.#response({ totalUsage: usage })] : []),
      ...this.finish(reason === 'tripwire' ? 'filtered' : (replyEnd(reason) ?? (isWaiting ? 'tool_use' : 'complete'))),
    ];
  }

  finish(reason: ReplyEnd): readonly LLMAgentEvent[] {
    if (this.#isFinished) return [];
    this.#isFinished = true;
    return [this.#response(endData(reason))];
  }

  fail(error: string, code?: string): readonly LLMAgentEvent[] {
    if (this.#isFinished) return [];
    const { eventId } = this.#context;
    return [{ type: 'error', data: { eventId, error, ...(code && { code }) } }, ...this.finish('error')];
  }

  abort(): readonly LLMAgentEvent[] {
    return [...this.finish('cancelled'), { type: 'end', data: { eventId: this.#context.eventId, userStop: true } }];
  }

  /** Emits content. Anything but reasoning ends the reasoning block before it. */
  #emit(data: Data): LLMAgentEvent {
    if (data.reasoning_content === undefined && !data.reasoning_hidden)
      this.#endsInReasoning = this.#startsNewParagraph = false;
    return this.#response(data);
  }

  #response(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }

  #identifyRun({ runId }: Chunk): readonly LLMAgentEvent[] {
    if (!runId || this.#runId) return [];
    this.#runId = runId;
    return [this.#response({ metadata: { runId } })];
  }

  #convert(chunk: Chunk, frame: Frame): readonly LLMAgentEvent[] {
    const { type } = chunk;
    const payload = chunk.payload ?? EMPTY_PAYLOAD;
    const end = Object.hasOwn(END_HANDLERS, type) ? END_HANDLERS[type] : undefined;
    if (end) return end(this, payload);
    const handler = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
    if (handler) return handler(this, payload).map((data) => this.#emit(data));
    if (/^data-./.test(type)) return [this.#emit(toMastraData(chunk))];
    const items = this.#network.take(chunk);
    if (items) return items.flatMap((data) => this.#convertNetwork(data));
    if (!IGNORED.test(type)) {
      this.#context.report({ kind: 'unknown', detail: `The chunk "${type}" is unknown.`, frame });
    }
    return [];
  }

  /** Converts an item of an agent network. One with `finish` ends the reply. */
  #convertNetwork({ finish: reason, ...rest }: Data): readonly LLMAgentEvent[] {
    if (reason === undefined) return [this.#emit(rest)];
    return reason === 'cancelled' ? this.abort() : this.finish(reason);
  }
}

const startCall: Handler = ({ calls }, payload) => calls.start(payload);
const endCall: Handler = ({ calls }, payload) => calls.end(payload);

/** The handlers of chunks that add to the message, by chunk type. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  'text-start': (reply) => reply.startText(),
  'text-delta': (reply, { text }) => reply.appendText(text),
  'reasoning-start': (reply) => reply.startReasoning(),
  'reasoning-delta': (reply, { text }) => reply.appendReasoning(text),
  'redacted-reasoning': () => [{ reasoning_hidden: true }],
  source: (_, source) => [{ citation: toMastraCitation(source) }],
  file: (_, file) => toMastraMedia(file),
  'tool-call': startCall,
  'tool-call-input-streaming-start': startCall,
  'tool-call-delta': (_, { toolCallId, argsTextDelta }) =>
    argsTextDelta ? [{ tool_call: 'update', tool_call_id: toolCallId ?? '', tool_call_params: argsTextDelta }] : [],
  'tool-result': endCall,
  'tool-error': endCall,
  'tool-output-denied': ({ calls }, payload) => calls.deny(payload),
  'tool-output': (reply, { toolCallId, toolName, output }) => reply.nest(toolCallId ?? '', toolName, output),
  'tool-call-approval': (reply, call) => reply.ask(approvalEvents(call, reply.originOf(call))),
  'tool-call-suspended': (reply, call) => reply.ask(suspensionEvents(call, reply.originOf(call))),
};

/** The handlers of chunks that end the reply, by chunk type. */
const END_HANDLERS: Readonly<Record<string, (reply: MastraReply, payload: Payload) => readonly LLMAgentEvent[]>> = {
  finish: (reply, payload) => reply.complete(payload),
  error: (reply, { error }) => reply.fail(errorMessage(error) ?? 'The agent reported an error.'),
  // A guardrail of the server has blocked the answer. With `retry`, the agent tries again.
  tripwire: (reply, { reason, retry }) =>
    retry ? [] : reply.fail(reason ?? 'A guardrail stopped the answer.', 'tripwire'),
  abort: (reply) => reply.abort(),
};

/** The chunks of a sub-agent that are displayed. */
const NESTED =
  /^(?:text-(?:start|delta)|reasoning-delta|redacted-reasoning|tool-call(?:-delta|-input-streaming-start)?|tool-(?:result|error))$/;
/** Chunks that repeat others, or have no visible content. */
const IGNORED =
  /^(?:(?:step-)?start|(?:step|text|reasoning)-(?:finish|end)|reasoning-(?:signature|file)|response-metadata|tool-call-input-streaming-end|raw|object(?:-result)?|step-output|watch|custom|is-task-complete|goal|iteration-complete|suspended|background-task-.+)$/;
