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

/** The state of one reply, and what a chunk changes in it. */
export class MastraReply {
  readonly calls: MastraCalls;
  readonly #context: DecodeContext;
  readonly #network = new MastraNetwork(this);
  #runId = '';
  /** Whether the agent waits for the user. */
  #hasAsked = false;
  /** The next text starts a new block. */
  #startsNewText = false;
  #hasText = false;
  /** Whether reasoning was emitted last, and whether the next one is another part. */
  #isThinking = false;
  #startsNewThought = false;
  /** The calls of agents whose next reasoning is another part. */
  readonly #nestedStarts = new Set<string>();
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

  startThought(): readonly Data[] {
    this.#startsNewThought = this.#isThinking;
    return [];
  }

  appendThought(text: string | null | undefined): readonly Data[] {
    if (!text) return [];
    // Parts of reasoning have no separator: each becomes a paragraph.
    const data = { reasoning_content: this.#startsNewThought ? `\n\n${text}` : text };
    this.#startsNewThought = false;
    this.#isThinking = true;
    return [data];
  }

  /** Where the question about a call comes from. */
  originOf(call: Payload): { readonly runId: string; readonly isNested: boolean } {
    return { runId: this.#runId, isNested: this.calls.isNested(call) };
  }

  /** Marks that the agent waits for the user. */
  ask(items: readonly Data[]): readonly Data[] {
    this.#hasAsked = true;
    return items;
  }

  /** The output of an agent that was called as a tool is shown inside that call. */
  nest(id: string, name: string | null | undefined, output: unknown): readonly Data[] {
    const inner = wire.safeParse(output).data;
    if (inner?.type === 'reasoning-start') this.#nestedStarts.add(id);
    if (!inner || !NESTED.test(inner.type)) return [];
    const parent = { tool_call_id: id, ...(name && { name: name.replace(/^agent-/, '') }) };
    const [hasText, startsNewText] = [this.#hasText, this.#startsNewText];
    this.#startsNewThought = false;
    const items = HANDLERS[inner.type]?.(this, inner.payload ?? EMPTY_PAYLOAD) ?? [];
    this.#hasText = hasText;
    this.#startsNewText = startsNewText;
    this.#isThinking = false;
    const isPart = items[0]?.reasoning_content !== undefined && this.#nestedStarts.delete(id);
    return items.map((data) => ({ ...data, ...(isPart && { content_begins: true }), parent }));
  }

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

  /** Emits content. Anything but reasoning ends the block of the reasoning before it. */
  #emit(data: Data): LLMAgentEvent {
    if (data.reasoning_content === undefined && !data.reasoning_hidden)
      this.#isThinking = this.#startsNewThought = false;
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

  /** A network's chunk may end the reply. */
  #convertNetwork({ finish: reason, ...rest }: Data): readonly LLMAgentEvent[] {
    if (reason === undefined) return [this.#emit(rest)];
    return reason === 'cancelled' ? this.abort() : this.finish(reason);
  }
}

const startCall: Handler = ({ calls }, payload) => calls.start(payload);
const endCall: Handler = ({ calls }, payload) => calls.end(payload);

/** What each type of chunk adds to the message. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  'text-start': (reply) => reply.startText(),
  'text-delta': (reply, { text }) => reply.appendText(text),
  'reasoning-start': (reply) => reply.startThought(),
  'reasoning-delta': (reply, { text }) => reply.appendThought(text),
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

/** What each type of chunk that ends the reply does. */
const END_HANDLERS: Readonly<Record<string, (reply: MastraReply, payload: Payload) => readonly LLMAgentEvent[]>> = {
  finish: (reply, payload) => reply.complete(payload),
  error: (reply, { error }) => reply.fail(errorMessage(error) ?? 'The agent reported an error.'),
  // A server guardrail. If it requests a retry, the agent continues.
  tripwire: (reply, { reason, retry }) =>
    retry ? [] : reply.fail(reason ?? 'A guardrail stopped the answer.', 'tripwire'),
  abort: (reply) => reply.abort(),
};

/** The events of a called agent that are displayed. */
const NESTED =
  /^(?:text-(?:start|delta)|reasoning-delta|redacted-reasoning|tool-call(?:-delta|-input-streaming-start)?|tool-(?:result|error))$/;
/** Events that repeat other events, or have nothing to show. */
const IGNORED =
  /^(?:(?:step-)?start|(?:step|text|reasoning)-(?:finish|end)|reasoning-(?:signature|file)|response-metadata|tool-call-input-streaming-end|raw|object(?:-result)?|step-output|watch|custom|is-task-complete|goal|iteration-complete|suspended|background-task-.+)$/;
