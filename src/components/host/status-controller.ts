/**
 * Reflects the conversation's status: the `status` attribute, the custom states, and screen reader announcements when a reply fails or
 * needs an answer of the user. The text of a reply is announced by `transcript/live-announcer.ts`, also its last part; no announcement
 * says that it is complete.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import { errorMessageText } from '../../renderers/status/error-message.ts';
import type { ChatStatus } from '../../runtime/chat/chat-state.ts';
import type { TranscriptController } from '../transcript/transcript-controller.ts';

export interface StatusHost extends ReactiveControllerHost, Element {
  readonly status: ChatStatus;
  readonly messages: readonly ChatMessage[];
}

export interface StatusDependencies {
  readonly states: CustomStateSet;
  localize(): Localize;
  readonly transcript: TranscriptController;
}

export class StatusController implements ReactiveController {
  readonly #host: StatusHost;
  readonly #dependencies: StatusDependencies;
  #status: ChatStatus = 'idle';

  constructor(host: StatusHost, dependencies: StatusDependencies) {
    this.#host = host;
    this.#dependencies = dependencies;
    host.addController(this);
  }

  /** A custom element must not add attributes in its constructor. */
  hostConnected(): void {
    this.#host.setAttribute('status', this.#status);
  }

  /** Called when the conversation has changed. */
  update(): void {
    const { status } = this.#host;
    if (status === this.#status) return;
    this.#status = status;
    this.#host.setAttribute('status', status);
    const { states, localize, transcript } = this.#dependencies;
    const { announce } = transcript;
    setCustomState(states, 'streaming', status === 'streaming');
    setCustomState(states, 'error', status === 'error');
    if (status === 'awaiting-action') announce(localize()('message.announce-action'));
    if (status === 'error') announce(this.#errorText(localize()));
  }

  /** The text of the last error block, after a sentence that says that the reply has failed. */
  #errorText(localize: Localize): string {
    const block = this.#host.messages.at(-1)?.blocks.findLast((candidate) => candidate.type === 'error');
    const text = block && (errorMessageText(block, localize) ?? block.content.slice(0, MAX_ERROR_LENGTH));
    return [localize('message.announce-error'), text].filter(Boolean).join(' ');
  }
}

/** Maximum length of an announced error (characters). */
const MAX_ERROR_LENGTH = 500;

export function setCustomState(states: CustomStateSet, name: string, on: boolean): void {
  if (on) states.add(name);
  else states.delete(name);
}
