/**
 * Reports the traffic between the widget and an agent to the stream inspector, with secrets masked. There is no tracer
 * unless the page turns the inspector on.
 */
import type { Run } from '../conversation/run.ts';
import type { LLMAgentEvent } from '../model/events/agent-events.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/message-text.ts';
import type { Warning } from '../protocols/core/adapter.ts';
import { maskSecrets, maskSecretsIn } from '../safety/mask-secrets.ts';
import { sentSecrets } from '../safety/sent-secrets.ts';
import type { Frame, FrameStream, Framing } from '../transport/frame.ts';
import { withoutSecrets } from './masking/without-secrets.ts';
import { enteredPasswords, type EnteredPasswords } from './masking/entered-passwords.ts';

/** Masks secrets. */
export type Mask = <Value>(value: Value) => Value;

export type TraceEntry = {
  /** Id of the user message that is being answered. */
  readonly turn: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
} & (
  | { readonly kind: 'turn'; readonly text: string; readonly message: ChatMessage; readonly mask: Mask }
  | { readonly kind: 'request'; readonly method: string; readonly url: string; readonly body?: string }
  | { readonly kind: 'response'; readonly status: number; readonly contentType: string }
  | { readonly kind: 'stream'; readonly framing: Framing; readonly contentType: string }
  | { readonly kind: 'frame'; readonly number: number; readonly frame: Frame }
  /** The frame has reached the decoder: it is no duplicate, and its protocol is known. */
  | { readonly kind: 'fed'; readonly number: number }
  | {
      readonly kind: 'warning';
      readonly number: number | undefined;
      readonly warning: Warning['kind'];
      readonly detail: string;
    }
  /** `number`: the frame that caused the event. `blocks`: ids of the blocks that it created or changed. */
  | {
      readonly kind: 'event';
      readonly event: LLMAgentEvent;
      readonly number: number | undefined;
      readonly blocks: readonly string[];
    }
  /** The messages of the reply. Their secrets have to be masked with `mask`. */
  | { readonly kind: 'messages'; readonly messages: readonly ChatMessage[] }
  | { readonly kind: 'protocol'; readonly id: string }
  /** The server sends the content of this round again from its start. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'round' }
  /** The connection was lost. */
  | { readonly kind: 'broken' }
);
type NewEntry = TraceEntry extends infer Entry
  ? Entry extends TraceEntry
    ? Omit<Entry, 'turn' | 'time'>
    : never
  : never;

export type TraceSink = (entry: TraceEntry) => void;

interface Outgoing {
  readonly url: URL;
  readonly init: RequestInit;
  /** Values of the page's headers. */
  readonly secrets: readonly string[];
}

/** Traces one turn. */
export class Tracer {
  readonly #sink: TraceSink;
  readonly #turn: string;
  readonly #frameNumbers = new WeakMap<Frame, number>();
  readonly #passwords: EnteredPasswords;
  /** All values that were sent since the page was opened, and those of this turn. */
  readonly #secrets: Set<string>;
  #count = 0;
  /** The last frame passed to the decoder. */
  #current: number | undefined;

  constructor(sink: TraceSink, turn: ChatMessage) {
    this.#sink = sink;
    this.#turn = turn.id;
    this.#passwords = enteredPasswords(turn);
    this.#secrets = new Set([...sentSecrets(), ...this.#passwords.values]);
    this.#report({ kind: 'turn', text: this.#mask(textOf(turn)), message: withoutSecrets(turn), mask: this.#mask });
  }

  request({ url, init, secrets }: Outgoing): void {
    for (const value of secrets) {
      this.#secrets.add(value);
      // The value as it appears inside a JSON string.
      this.#secrets.add(JSON.stringify(value).slice(1, -1));
    }
    this.#report({
      kind: 'request',
      method: url.protocol.startsWith('ws') ? 'WebSocket' : (init.method ?? 'GET'),
      // Without the query and the user info, either of which may hold a key.
      url: maskSecrets(`${url.protocol}//${url.host}${url.pathname}`, [...this.#secrets]),
      ...(typeof init.body === 'string' && { body: this.#mask(this.#passwords.maskBody(init.body)) }),
    });
  }

  response({ status, headers }: Response): void {
    this.#report({ kind: 'response', status, contentType: this.#mask(headers.get('content-type') ?? '') });
  }

  /** Traces the frames of a stream as they arrive. */
  stream({ framing, batches }: FrameStream, contentType: string): FrameStream {
    this.#report({ kind: 'stream', framing, contentType: this.#mask(contentType) });
    return { framing, batches: this.#traceFrames(batches) };
  }

  /** Yields frames one by one, so that each event can be attributed to its frame. */
  async *feed(batches: AsyncIterable<readonly Frame[]>): AsyncGenerator<readonly Frame[]> {
    for await (const batch of batches) {
      for (const frame of batch) {
        this.#current = this.#frameNumbers.get(frame);
        if (this.#current !== undefined) this.#report({ kind: 'fed', number: this.#current });
        yield [frame];
      }
    }
  }

  warning({ kind, detail }: Warning): void {
    this.#report({ kind: 'warning', number: this.#current, warning: kind, detail: this.#mask(detail) });
  }

  /** Traces an event and the blocks that it changed. */
  event(event: LLMAgentEvent, before: Run, after: Run): void {
    const previous = new Set(before.messages.flatMap(({ blocks }) => blocks));
    const changed = after.messages.flatMap(({ blocks }) => blocks).filter((block) => !previous.has(block));
    this.#report({
      kind: 'event',
      event: this.#mask(event),
      number: this.#current,
      blocks: changed.map(({ id }) => id),
    });
  }

  messages(messages: readonly ChatMessage[]): void {
    this.#report({ kind: 'messages', messages });
  }

  protocol(id: string): void {
    this.#report({ kind: 'protocol', id });
  }

  restart(): void {
    this.#report({ kind: 'restart' });
  }

  /** Later entries belong to no frame. */
  streamOver(): void {
    this.#current = undefined;
  }

  round(): void {
    this.#report({ kind: 'round' });
  }

  async *#traceFrames(batches: FrameStream['batches']): AsyncGenerator<readonly Frame[]> {
    try {
      for await (const batch of batches) {
        for (const frame of batch) {
          const number = ++this.#count;
          this.#frameNumbers.set(frame, number);
          this.#report({ kind: 'frame', number, frame: this.#mask(frame) });
        }
        yield batch;
      }
    } catch (error) {
      this.#report({ kind: 'broken' });
      throw error;
    }
  }

  readonly #mask: Mask = (value) => maskSecretsIn(value, [...this.#secrets]);

  #report(entry: NewEntry): void {
    this.#sink({ ...entry, turn: this.#turn, time: Date.now() });
  }
}
