import { isSameDay } from '../../../locales/localize.ts';
import type { ChatMessage } from '../../../model/message.ts';
import type { IndexRange } from './visible-range.ts';
import type { AgentChatMessage } from '../../message/message.ts';
import { selectedRange } from '../../selection/composed-selection.ts';

/** Number of off-screen messages to keep as elements after the user interacted with them. */
const MAX_CACHED = 50;
/** The same for messages that contain elements of the host page. */
const MAX_CACHED_OWN = 200;
/** Number of iframes to keep in the document after the user interacted with them, because a removed iframe reloads. */
const MAX_FRAMES = 4;

/** Events that count as an interaction with a message. Scrolling inside a message is handled separately. */
const INTERACTIONS = ['click', 'input', 'change'] as const;

/** A child of the column: a message, or a spacer for messages that are not in the document. */
export type ColumnItem =
  | { readonly key: string; readonly element: AgentChatMessage; readonly index: number }
  | { readonly key: string; readonly element: HTMLElement; readonly leftOut: IndexRange };

/** The context of a message in the list. */
interface MessageContext {
  readonly messages: readonly ChatMessage[];
  readonly index: number;
  /** Whether some messages are not in the document. */
  readonly isPartial: boolean;
}

/**
 * The elements of the rendered messages. The element of an off-screen message is created again from the message when it returns.
 * What the user has opened, scrolled or written in it is not part of the message, so such an element is cached.
 */
export class MessageElements {
  readonly #list: HTMLElement;
  readonly #rendered = new Map<string, AgentChatMessage>();
  readonly #touched = new WeakSet<Element>();
  /** Cached off-screen elements, the most recent last. */
  readonly #cached = { touched: new Map<string, AgentChatMessage>(), own: new Map<string, AgentChatMessage>() };
  /** Inner scroll positions, which are lost when an element is removed from the document. */
  readonly #scrolled = new WeakMap<Element, Map<Element, { readonly top: number; readonly left: number }>>();
  /** Restored elements whose inner scroll positions are not restored yet. */
  #restored: AgentChatMessage[] = [];

  constructor(list: HTMLElement) {
    this.#list = list;
    for (const type of INTERACTIONS) list.addEventListener(type, (event) => this.#markTouched(event.target));
    list.addEventListener('scroll', this.#onScroll, { capture: true, passive: true });
  }

  /** Creates or updates the element of a message. */
  render(message: ChatMessage, { messages, index, isPartial }: MessageContext): AgentChatMessage {
    const row = this.#take(message.id);
    const part = `message message-${message.role}`;
    if (row.getAttribute('part') !== part) row.setAttribute('part', part);
    const [before, after] = [messages[index - 1], messages[index + 1]];
    const continues =
      before?.role === message.role && before.name === message.name && before.agentId === message.agentId;
    row.classList.toggle('continues', continues && message.role !== 'user');
    return Object.assign(row, {
      message,
      head: !continues,
      day: startsDay(messages, index),
      last: after?.role !== message.role || message.role === 'user',
      position: isPartial ? index + 1 : undefined,
      setSize: isPartial ? messages.length : undefined,
    });
  }

  get(id: string): AgentChatMessage | undefined {
    return this.#rendered.get(id);
  }

  /**
   * Ids of the rendered messages outside `near` that stay in the document: with the focus, an end of the selection, playing
   * media, or an iframe that the user has used.
   */
  pinnedIds(near: ReadonlySet<string>): readonly string[] {
    const outside = [...this.#rendered].filter(([id]) => !near.has(id));
    // Reading the selection forces a layout.
    if (outside.length === 0) return [];
    const root = this.#list.getRootNode();
    const focused = root instanceof ShadowRoot ? root.activeElement : null;
    const range = selectedRange(root);
    const nodes = [focused, range?.startContainer, range?.endContainer];
    const pinned: string[] = [];
    let frames = 0;
    for (const [id, row] of outside) {
      const isHeld = nodes.some((node) => node && row.contains(node));
      const keepsFrame =
        !isHeld && this.#touched.has(row) && row.querySelector('iframe') !== null && frames++ < MAX_FRAMES;
      if (isHeld || keepsFrame || isPlaying(row)) pinned.push(id);
    }
    return pinned;
  }

  /** Releases all elements but these. The caller removes them from the document. */
  releaseExcept(ids: ReadonlySet<string>): void {
    for (const [id, row] of this.#rendered) {
      if (ids.has(id)) continue;
      this.#rendered.delete(id);
      if (row.hasCustomRenderers) cacheElement(this.#cached.own, id, row, MAX_CACHED_OWN);
      else if (this.#touched.has(row)) cacheElement(this.#cached.touched, id, row, MAX_CACHED);
    }
  }

  /** Drops cached elements of deleted messages. */
  prune(messages: readonly ChatMessage[]): void {
    const { touched, own } = this.#cached;
    if (touched.size + own.size === 0) return;
    const ids = new Set(messages.map(({ id }) => id));
    for (const cached of [touched, own]) for (const id of cached.keys()) if (!ids.has(id)) cached.delete(id);
  }

  /** Restores inner scroll positions. Call it once the elements are in the document. */
  restoreScroll(): void {
    for (const row of this.#restored) {
      for (const [element, { top, left }] of this.#scrolled.get(row) ?? []) {
        element.scrollTop = top;
        element.scrollLeft = left;
      }
    }
    this.#restored = [];
  }

  #take(id: string): AgentChatMessage {
    const current = this.#rendered.get(id);
    if (current) return current;
    const cached = this.#cached.touched.get(id) ?? this.#cached.own.get(id);
    this.#cached.touched.delete(id);
    this.#cached.own.delete(id);
    if (cached) this.#restored.push(cached);
    const row = cached ?? document.createElement('agent-chat-message');
    this.#rendered.set(id, row);
    return row;
  }

  #markTouched(target: EventTarget | null): Element | undefined {
    const row = target instanceof Element ? target.closest('agent-chat-message') : null;
    if (row) this.#touched.add(row);
    return row ?? undefined;
  }

  readonly #onScroll = ({ target }: Event): void => {
    if (!(target instanceof Element) || target === this.#list) return;
    const row = this.#markTouched(target);
    if (!row) return;
    const positions = this.#scrolled.get(row) ?? new Map<Element, { readonly top: number; readonly left: number }>();
    positions.set(target, { top: target.scrollTop, left: target.scrollLeft });
    this.#scrolled.set(row, positions);
  };
}

/** Whether the message starts a new day. The first message gets a date only if the conversation spans several days. */
function startsDay(messages: readonly ChatMessage[], index: number): boolean {
  const [message, before] = [messages[index], messages[index - 1]];
  // (Messages of the host page are unvalidated.)
  if (!message || !Number.isFinite(message.timestamp)) return false;
  if (before) return !isSameDay(before.timestamp, message.timestamp);
  return !isSameDay(message.timestamp, messages.at(-1)?.timestamp ?? message.timestamp);
}

function cacheElement(cached: Map<string, AgentChatMessage>, id: string, row: AgentChatMessage, limit: number): void {
  cached.set(id, row);
  const [oldest] = cached.keys();
  if (cached.size > limit && oldest !== undefined) cached.delete(oldest);
}

const isPlaying = (row: Element): boolean =>
  [...row.querySelectorAll<HTMLMediaElement>('audio, video')].some((media) => !media.paused && !media.ended);
