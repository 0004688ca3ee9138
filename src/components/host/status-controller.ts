/** Reflects the conversation's status: the `status` attribute, the custom states and screen reader announcements. */
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

  hostConnected(): void {
    // Not in the constructor: there, a custom element must not add attributes.
    this.#host.setAttribute('status', this.#status);
  }

  /** The host calls it after each change of the conversation. */
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

  #errorText(localize: Localize): string {
    const block = this.#host.messages.at(-1)?.blocks.findLast((candidate) => candidate.type === 'error');
    const text = block && (errorMessageText(block, localize) ?? block.content.slice(0, ANNOUNCED_LENGTH));
    return [localize('message.announce-error'), text].filter(Boolean).join(' ');
  }
}

/** Maximum length of an announced error message of the agent (UTF-16 code units). */
const ANNOUNCED_LENGTH = 500;

export function setCustomState(states: CustomStateSet, name: string, isSet: boolean): void {
  if (isSet) states.add(name);
  else states.delete(name);
}
