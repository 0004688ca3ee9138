import { isSameDay, type Localize, type TextValues } from '../locales/localize.ts';
import type { BlockOf } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import type { Range } from './message-range.ts';
import type { AgentChatMessage } from './message.ts';
import { selectedRange } from './selected-range.ts';

/** An element for a message; a paragraph as long as the elements of the transcript are on their way, or can't be had. */
export type Row = AgentChatMessage | HTMLParagraphElement;

/** So many messages that the reader has touched keep their elements while they are left out. */
const TOUCHED = 50;
/** And so many with elements of the page's own in them. */
const OWN = 200;
/** Frames that the reader has used stay in the document, or they would begin anew: so many. */
const FRAMES = 4;

/** What a reader does to a message; scrolling inside it comes on its own. */
const TOUCHES = ['click', 'input', 'change'] as const;

/** What stands in the column, in its order: a message, or the room of some that are left out. */
export type Item =
  | { readonly key: string; readonly element: Row; readonly index: number }
  | { readonly key: string; readonly element: HTMLElement; readonly leftOut: Range };

/** Where a message stands. */
interface Standing {
  readonly messages: readonly ChatMessage[];
  readonly index: number;
  /** Not all of them are drawn. */
  readonly some: boolean;
  readonly localize: Localize;
}

/**
 * The elements of the messages that are drawn. One that is left out is made anew when it comes back, from its message; but what
 * the reader has opened, scrolled or written in it is in no message: an element that was touched waits and comes back itself.
 */
export class MessageRows {
  readonly #list: HTMLElement;
  readonly #drawn = new Map<string, Row>();
  readonly #touched = new WeakSet<Element>();
  /** Elements that are left out and wait, those that left last at the end. */
  readonly #waiting = { touched: new Map<string, Row>(), own: new Map<string, Row>() };
  /** Inner scroll positions, which do not survive being taken out of the document. */
  readonly #scrolled = new WeakMap<Element, Map<Element, { readonly top: number; readonly left: number }>>();
  /** Elements that have come back and whose inner scroll positions are to be restored. */
  #back: Row[] = [];

  constructor(list: HTMLElement) {
    this.#list = list;
    for (const type of TOUCHES) list.addEventListener(type, (event) => this.#touch(event.target));
    list.addEventListener('scroll', this.#noteScroll, { capture: true, passive: true });
  }

  /** The element of a message, with all that it shows of its place. */
  draw(message: ChatMessage, { messages, index, some, localize }: Standing): Row {
    const row = this.#take(message.id);
    const part = `message message-${message.role}`;
    if (row.getAttribute('part') !== part) row.setAttribute('part', part);
    if (row instanceof HTMLParagraphElement) {
      row.className = `plain-message ${message.role}`;
      row.dir = 'auto';
      const words = plainWords(message, localize);
      if (row.textContent !== words) row.textContent = words;
      return row;
    }
    const [before, after] = [messages[index - 1], messages[index + 1]];
    const continues =
      before?.role === message.role && before.name === message.name && before.agentId === message.agentId;
    row.classList.toggle('continues', continues && message.role !== 'user');
    return Object.assign(row, {
      message,
      head: !continues,
      day: startsDay(messages, index),
      last: after?.role !== message.role || message.role === 'user',
      position: some ? index + 1 : undefined,
      setSize: some ? messages.length : undefined,
    });
  }

  get(id: string): Row | undefined {
    return this.#drawn.get(id);
  }

  /** Of those that are drawn and not among `near`, the ones that stay all the same: with the focus, the selection, or what plays. */
  alive(near: ReadonlySet<string>): readonly string[] {
    const leaving = [...this.#drawn].filter(([id]) => !near.has(id));
    // To ask what is selected makes the browser lay everything out.
    if (leaving.length === 0) return [];
    const root = this.#list.getRootNode();
    const focused = root instanceof ShadowRoot ? root.activeElement : null;
    const range = selectedRange(root);
    const nodes = [focused, range?.startContainer, range?.endContainer];
    const alive: string[] = [];
    let frames = 0;
    for (const [id, row] of leaving) {
      const held = nodes.some((node) => node && row.contains(node));
      const framed = !held && this.#touched.has(row) && row.querySelector('iframe') !== null && frames++ < FRAMES;
      if (held || framed || isPlaying(row)) alive.push(id);
    }
    return alive;
  }

  /** Lets go of all but these. They are taken out of the document by whoever has put them in. */
  keep(ids: ReadonlySet<string>): void {
    for (const [id, row] of this.#drawn) {
      if (ids.has(id)) continue;
      this.#drawn.delete(id);
      if (row instanceof HTMLParagraphElement) continue;
      if (row.hasOwnElements) wait(this.#waiting.own, id, row, OWN);
      else if (this.#touched.has(row)) wait(this.#waiting.touched, id, row, TOUCHED);
    }
  }

  /** Forgets what waits and belongs to no message any more. */
  tidy(messages: readonly ChatMessage[]): void {
    const { touched, own } = this.#waiting;
    if (touched.size + own.size === 0) return;
    const ids = new Set(messages.map(({ id }) => id));
    for (const waiting of [touched, own]) for (const id of waiting.keys()) if (!ids.has(id)) waiting.delete(id);
  }

  /** To be called once they are in the document. */
  restoreScroll(): void {
    for (const row of this.#back) {
      for (const [element, { top, left }] of this.#scrolled.get(row) ?? []) {
        element.scrollTo({ top, left, behavior: 'instant' });
      }
    }
    this.#back = [];
  }

  #take(id: string): Row {
    const whole = customElements.get('agent-chat-message') !== undefined;
    const drawn = this.#drawn.get(id);
    if (drawn && (!whole || !(drawn instanceof HTMLParagraphElement))) return drawn;
    const waiting = this.#waiting.touched.get(id) ?? this.#waiting.own.get(id);
    this.#waiting.touched.delete(id);
    this.#waiting.own.delete(id);
    if (waiting) this.#back.push(waiting);
    const row = waiting ?? document.createElement(whole ? 'agent-chat-message' : 'p');
    this.#drawn.set(id, row);
    return row;
  }

  #touch(target: EventTarget | null): Element | undefined {
    const row = target instanceof Element ? target.closest('agent-chat-message') : null;
    if (row) this.#touched.add(row);
    return row ?? undefined;
  }

  readonly #noteScroll = ({ target }: Event): void => {
    if (!(target instanceof Element) || target === this.#list) return;
    const row = this.#touch(target);
    if (!row) return;
    const places = this.#scrolled.get(row) ?? new Map<Element, { readonly top: number; readonly left: number }>();
    places.set(target, { top: target.scrollTop, left: target.scrollLeft });
    this.#scrolled.set(row, places);
  };
}

/** A day is named where another began before, or will: not in a conversation of one day. */
function startsDay(messages: readonly ChatMessage[], index: number): boolean {
  const [message, before] = [messages[index], messages[index - 1]];
  // (A page's own history may hold anything.)
  if (!message || !Number.isFinite(message.timestamp)) return false;
  if (before) return !isSameDay(before.timestamp, message.timestamp);
  return !isSameDay(message.timestamp, messages.at(-1)?.timestamp ?? message.timestamp);
}

function wait(waiting: Map<string, Row>, id: string, row: Row, limit: number): void {
  waiting.set(id, row);
  const [oldest] = waiting.keys();
  if (waiting.size > limit && oldest !== undefined) waiting.delete(oldest);
}

const isPlaying = (row: Element): boolean =>
  [...row.querySelectorAll<HTMLMediaElement>('audio, video')].some((media) => !media.paused && !media.ended);

/** The words alone, and why there are no more. */
const plainWords = (message: ChatMessage, localize: Localize): string =>
  [textOf(message), ...message.blocks.map((block) => (block.type === 'error' ? whyOf(block, localize) : ''))]
    .filter(Boolean)
    .join(' ');

function whyOf({ content, extra }: BlockOf<'error'>, localize: Localize): string {
  const reason = extra?.['reason'];
  const key = typeof reason === 'string' ? `error.${reason}` : '';
  return localize.has(key) ? localize(key, extra as TextValues) : content;
}
