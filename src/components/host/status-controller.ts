/**
 * Reflects the conversation's status in the `status` attribute and the custom states of `<agent-chat>`. Also announces to screen readers
 * that a reply has failed or waits for the user. `transcript/live-announcer.ts` announces the text of a reply; its end is not announced.
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

  /** Not in the constructor, because a custom element must not have attributes when it is created. */
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
    if (status === 'error') announce(this.#failureAnnouncement(localize()));
  }

  /** Returns a fixed sentence (the reply has failed) and the text of the last message's last error block. */
  #failureAnnouncement(localize: Localize): string {
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
