/**
 * What passes by between the widget and an agent, told to whoever looks into it. Nobody does unless a page asks for it, and then
 * there is no tracer. What it tells has no secrets in it.
 */
import type { Run } from '../conversation/run.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { Warning } from '../protocols/adapter.ts';
import { maskSecrets, maskSecretsIn } from '../safety/secrets.ts';
import type { Frame, FrameStream, Framing } from '../transport/frame.ts';

/** Takes out what must not be shown. */
export type Mask = <Value>(value: Value) => Value;

export type TraceEntry = {
  /** The id of the reader's message that is being answered. */
  readonly turn: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
} & (
  | { readonly kind: 'turn'; readonly text: string; readonly message: ChatMessage; readonly mask: Mask }
  | { readonly kind: 'request'; readonly method: string; readonly url: string; readonly body?: string }
  | { readonly kind: 'answer'; readonly status: number; readonly contentType: string }
  | { readonly kind: 'stream'; readonly framing: Framing; readonly contentType: string }
  | { readonly kind: 'frame'; readonly number: number; readonly frame: Frame }
  /** The frame has reached the decoder: it is no repetition, and its stream was recognised. */
  | { readonly kind: 'fed'; readonly number: number }
  | {
      readonly kind: 'warning';
      readonly number: number | undefined;
      readonly warning: Warning['kind'];
      readonly detail: string;
    }
  /** `number`: the frame behind which it came. `blocks`: the ids of those that it made or changed. */
  | {
      readonly kind: 'event';
      readonly event: LLMAgentEvent;
      readonly number: number | undefined;
      readonly blocks: readonly string[];
    }
  /** The reply as it is now; its secrets are for `mask`. */
  | { readonly kind: 'messages'; readonly messages: readonly ChatMessage[] }
  | { readonly kind: 'protocol'; readonly id: string }
  /** What this round has said is told again from its start. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'round' }
  /** The connection was lost. */
  | { readonly kind: 'broken' }
);
type Told = TraceEntry extends infer Entry ? (Entry extends TraceEntry ? Omit<Entry, 'turn' | 'time'> : never) : never;

export type TraceSink = (entry: TraceEntry) => void;

interface Outgoing {
  readonly url: URL;
  readonly init: RequestInit;
  /** The values of the page's headers. */
  readonly sent: readonly string[];
}

/** Follows one turn. */
export class Tracer {
  readonly #sink: TraceSink;
  readonly #turn: string;
  readonly #numbers = new WeakMap<Frame, number>();
  readonly #sent = new Set<string>();
  #count = 0;
  /** The frame that the decoder was given last. */
  #current: number | undefined;

  constructor(sink: TraceSink, turn: ChatMessage) {
    this.#sink = sink;
    this.#turn = turn.id;
    this.#tell({ kind: 'turn', text: this.#mask(textOf(turn)), message: turn, mask: this.#mask });
  }

  request({ url, init, sent }: Outgoing): void {
    for (const value of sent) {
      this.#sent.add(value);
      // As it would stand inside JSON.
      this.#sent.add(JSON.stringify(value).slice(1, -1));
    }
    this.#tell({
      kind: 'request',
      method: url.protocol.startsWith('ws') ? 'WebSocket' : (init.method ?? 'GET'),
      // Neither the query nor what stands before the host: either may hold a key.
      url: maskSecrets(`${url.protocol}//${url.host}${url.pathname}`, [...this.#sent]),
      ...(typeof init.body === 'string' && { body: this.#mask(init.body) }),
    });
  }

  answer({ status, headers }: Response): void {
    this.#tell({ kind: 'answer', status, contentType: headers.get('content-type') ?? '' });
  }

  /** A stream whose frames are told as they come. */
  stream({ framing, batches }: FrameStream, contentType: string): FrameStream {
    this.#tell({ kind: 'stream', framing, contentType });
    return { framing, batches: this.#arriving(batches) };
  }

  /** The frames one by one, so that it is known which of them an event comes of. */
  async *feed(batches: AsyncIterable<readonly Frame[]>): AsyncGenerator<readonly Frame[]> {
    for await (const batch of batches) {
      for (const frame of batch) {
        this.#current = this.#numbers.get(frame);
        if (this.#current !== undefined) this.#tell({ kind: 'fed', number: this.#current });
        yield [frame];
      }
    }
  }

  warning({ kind, detail }: Warning): void {
    this.#tell({ kind: 'warning', number: this.#current, warning: kind, detail: this.#mask(detail) });
  }

  /** What an event made of the run. */
  event(event: LLMAgentEvent, before: Run, after: Run): void {
    const known = new Set(before.messages.flatMap(({ blocks }) => blocks));
    const changed = after.messages.flatMap(({ blocks }) => blocks).filter((block) => !known.has(block));
    this.#tell({
      kind: 'event',
      event: this.#mask(event),
      number: this.#current,
      blocks: changed.map(({ id }) => id),
    });
  }

  messages(messages: readonly ChatMessage[]): void {
    this.#tell({ kind: 'messages', messages });
  }

  protocol(id: string): void {
    this.#tell({ kind: 'protocol', id });
  }

  restart(): void {
    this.#tell({ kind: 'restart' });
  }

  /** What is told from here on came of no frame. */
  streamOver(): void {
    this.#current = undefined;
  }

  round(): void {
    this.#tell({ kind: 'round' });
  }

  async *#arriving(batches: FrameStream['batches']): AsyncGenerator<readonly Frame[]> {
    try {
      for await (const batch of batches) {
        for (const frame of batch) {
          const number = ++this.#count;
          this.#numbers.set(frame, number);
          this.#tell({ kind: 'frame', number, frame: this.#mask(frame) });
        }
        yield batch;
      }
    } catch (error) {
      this.#tell({ kind: 'broken' });
      throw error;
    }
  }

  readonly #mask: Mask = (value) => maskSecretsIn(value, [...this.#sent]);

  #tell(told: Told): void {
    this.#sink({ ...told, turn: this.#turn, time: Date.now() });
  }
}
