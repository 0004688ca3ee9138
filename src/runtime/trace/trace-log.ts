/** Ring buffer of traced frames and events per turn: a page may run for days. */
import type { ChatMessage } from '../../model/message.ts';
import type { Framing } from '../../transport/frame.ts';
import type { Mask, TraceEntry } from '../tracer.ts';

type Entry<Kind extends TraceEntry['kind']> = Extract<TraceEntry, { readonly kind: Kind }>;
export type FrameEntry = Entry<'frame'>;
export type WireEntry = FrameEntry | Entry<'request' | 'response' | 'broken'>;
export type EventEntry = Entry<'event'>;
export type WarningEntry = Entry<'warning'>;

/** One turn: its traffic, the events, and the resulting messages. */
export interface TracedTurn {
  readonly message: ChatMessage;
  /** The user's text. */
  readonly text: string;
  readonly mask: Mask;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly wire: WireEntry[];
  readonly frames: Map<number, FrameEntry>;
  readonly events: EventEntry[];
  /** By frame number. */
  readonly warnings: Map<number, WarningEntry>;
  /** The frames that the reply consists of, with the round of each. */
  fed: { readonly number: number; readonly round: number }[];
  round: number;
  messages: readonly ChatMessage[];
  protocol: string | undefined;
  framing: Framing | undefined;
  contentType: string;
  /** The last connection was lost. */
  broken: boolean;
}

export interface TraceLimits {
  /** Maximum number of traffic entries, and of events. */
  readonly entries: number;
  /** Maximum UTF-16 code units in all frames. */
  readonly length: number;
}

const traceBounds: TraceLimits = { entries: 10_000, length: 8 * 1024 * 1024 };

export class TraceLog {
  readonly #bounds: TraceLimits;
  readonly #turns: TracedTurn[] = [];
  #dropped = 0;
  #lines = 0;
  #events = 0;
  #length = 0;

  constructor(bounds = traceBounds) {
    this.#bounds = bounds;
  }

  /** All turns, the oldest first. */
  get turns(): readonly TracedTurn[] {
    return this.#turns;
  }

  /** Number of entries that were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  clear(): void {
    this.#turns.length = 0;
    [this.#dropped, this.#lines, this.#events, this.#length] = [0, 0, 0, 0];
  }

  add(entry: TraceEntry): void {
    if (entry.kind === 'turn') this.#turns.push(createTurn(entry));
    const turn = this.#turns.findLast(({ message }) => message.id === entry.turn);
    // A turn that continues after `clear()` is not traced again.
    if (!turn) return;
    switch (entry.kind) {
      case 'frame':
        turn.frames.set(entry.number, entry);
        this.#length += entry.frame.data.length;
        this.#addLine(turn, entry);
        break;
      case 'request':
      case 'response':
        this.#addLine(turn, entry);
        break;
      case 'broken':
        turn.broken = true;
        this.#addLine(turn, entry);
        break;
      case 'event':
        turn.events.push(entry);
        this.#events++;
        break;
      default:
        updateTurn(turn, entry);
    }
    this.#dropOldest();
  }

  #addLine(turn: TracedTurn, entry: WireEntry): void {
    turn.wire.push(entry);
    this.#lines++;
  }

  /** Drops the oldest entries beyond the limits, and turns that became empty. The newest turn stays. */
  #dropOldest(): void {
    while (this.#lines > this.#bounds.entries || (this.#length > this.#bounds.length && this.#lines > 1)) {
      const turn = this.#turns.find(({ wire }) => wire.length > 0);
      const entry = turn?.wire.shift();
      if (entry?.kind === 'frame') {
        turn?.frames.delete(entry.number);
        this.#length -= entry.frame.data.length;
      }
      this.#lines--;
      this.#dropped++;
    }
    while (this.#events > this.#bounds.entries) {
      this.#turns.find(({ events }) => events.length > 0)?.events.shift();
      this.#events--;
      this.#dropped++;
    }
    while (this.#turns.length > 1 && this.#turns[0]?.wire.length === 0 && this.#turns[0].events.length === 0) {
      this.#turns.shift();
    }
  }
}

const createTurn = ({ message, text, mask, time }: Entry<'turn'>): TracedTurn => ({
  message,
  text,
  mask,
  start: time,
  wire: [],
  frames: new Map(),
  events: [],
  warnings: new Map(),
  fed: [],
  round: 0,
  messages: [],
  protocol: undefined,
  framing: undefined,
  contentType: '',
  broken: false,
});

/** Updates the data of a turn other than its traffic and events. */
function updateTurn(turn: TracedTurn, entry: Exclude<TraceEntry, WireEntry | EventEntry>): void {
  switch (entry.kind) {
    case 'stream':
      Object.assign(turn, { framing: entry.framing, contentType: entry.contentType, broken: false });
      break;
    case 'fed':
      turn.fed.push({ number: entry.number, round: turn.round });
      break;
    case 'warning':
      if (entry.number !== undefined) turn.warnings.set(entry.number, entry);
      break;
    case 'messages':
      turn.messages = entry.messages;
      break;
    case 'protocol':
      turn.protocol = entry.id;
      break;
    case 'restart':
      turn.fed = turn.fed.filter(({ round }) => round !== turn.round);
      break;
    case 'round':
      turn.round++;
  }
}
