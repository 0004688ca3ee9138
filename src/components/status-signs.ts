/** Where the conversation stands, as signs of the element: its attribute, its custom states, and what is said aloud. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import { ownErrorWords } from '../renderers/error-words.ts';
import type { ChatStatus } from '../runtime/chat-state.ts';
import type { Transcript } from './transcript.ts';

export interface StatusHost extends ReactiveControllerHost, Element {
  readonly status: ChatStatus;
  readonly messages: readonly ChatMessage[];
}

/** What of the widget its status has to do with. */
export interface StatusParts {
  readonly states: CustomStateSet;
  localize(): Localize;
  readonly transcript: Transcript;
}

export class StatusSigns implements ReactiveController {
  readonly #host: StatusHost;
  readonly #parts: StatusParts;
  #shown: ChatStatus = 'idle';

  constructor(host: StatusHost, parts: StatusParts) {
    this.#host = host;
    this.#parts = parts;
    host.addController(this);
  }

  /** An element may not have attributes of its own while it is made. */
  hostConnected(): void {
    this.#host.setAttribute('status', this.#shown);
  }

  /** Something in the conversation has changed. */
  update(): void {
    const { status } = this.#host;
    if (status === this.#shown) return;
    this.#shown = status;
    this.#host.setAttribute('status', status);
    const { states, localize, transcript } = this.#parts;
    const { say } = transcript;
    setState(states, 'streaming', status === 'streaming');
    setState(states, 'error', status === 'error');
    if (status === 'awaiting-action') say(localize()('message.announce-action'));
    if (status === 'error') say(this.#errorWords(localize()));
  }

  #errorWords(localize: Localize): string {
    const block = this.#host.messages.at(-1)?.blocks.findLast((candidate) => candidate.type === 'error');
    const words = block && (ownErrorWords(block, localize) ?? block.content);
    return [localize('message.announce-error'), words].filter(Boolean).join(' ');
  }
}

export function setState(states: CustomStateSet, name: string, on: boolean): void {
  if (on) states.add(name);
  else states.delete(name);
}
