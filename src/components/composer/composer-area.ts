import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { StorageProblem } from '../../storage/stores/storage-errors.ts';
import type { ChatStatus } from '../../runtime/chat/chat-state.ts';
import { icon } from '../../primitives/icon.ts';
import type { AgentChatComposer } from './composer.ts';
import type { ModelChangeEvent, ComposerSubmitEvent } from './composer-events.ts';
import { queuedMessages } from './queued-messages.ts';

export interface ComposerFooterProps extends Pick<
  AgentChatComposer,
  | 'disabled'
  | 'readonly'
  | 'submitKey'
  | 'sent'
  | 'editLast'
  | 'accept'
  | 'attach'
  | 'commands'
  | 'mentions'
  | 'voice'
  | 'models'
  | 'model'
> {
  readonly localize: Localize;
  readonly status: ChatStatus;
  readonly placeholder: string | undefined;
  readonly disclaimer: string | undefined;
  /** Why the last action of the user failed. */
  readonly problem: string | undefined;
  /** Why the conversation can't be stored. */
  readonly notice: StorageProblem | undefined;
  readonly queued: readonly ChatMessage[];
  /** The button that scrolls to the end of the transcript. */
  readonly scrollButton: unknown;
  dismiss(): void;
  /** Removes a queued message. */
  unqueue(id: string): void;
  /** Moves a queued message back into the composer. */
  readonly editQueued: (id: string) => void;
  sendNow(id: string): void;
  submit(event: ComposerSubmitEvent, composer: AgentChatComposer): void;
  chooseModel(id: string): void;
  stop(): void;
  onInput(text: string): void;
}

/** The footer: the composer with its notices, the queue and the disclaimer. */
export function composerFooter(props: ComposerFooterProps): TemplateResult {
  const { localize, status, problem, disclaimer } = props;
  const placeholder =
    status === 'awaiting-action'
      ? localize('composer.answer')
      : (props.placeholder ?? localize('composer.placeholder'));
  return html`<footer class="foot-area">
    ${props.scrollButton} ${problem === undefined ? nothing : html`<p class="line problem" role="alert">${problem}</p>`}
    ${props.notice === undefined ? nothing : storageNotice(props.notice, props)}
    ${queuedMessages({
      localize,
      messages: props.queued,
      remove: props.unqueue,
      edit: props.editQueued,
      sendNow: props.sendNow,
    })}
    <agent-chat-composer
      class="composer"
      part="composer"
      .localize=${localize}
      .placeholder=${placeholder}
      .busy=${status === 'connecting' || status === 'streaming' || status === 'reconnecting'}
      .disabled=${props.disabled}
      .readonly=${props.readonly}
      .submitKey=${props.submitKey}
      .sent=${props.sent}
      .editLast=${props.editLast}
      .accept=${props.accept}
      .attach=${props.attach}
      .voice=${props.voice}
      .models=${props.models}
      .model=${props.model}
      .commands=${props.commands}
      .mentions=${props.mentions}
      @agent-chat-submit=${(event: ComposerSubmitEvent) => {
        props.submit(event, event.currentTarget as AgentChatComposer);
      }}
      @agent-chat-model=${(event: ModelChangeEvent) => {
        props.chooseModel(event.model);
      }}
      @agent-chat-stop=${props.stop}
      @agent-chat-typed=${(event: Event) => {
        props.onInput((event.currentTarget as AgentChatComposer).text);
      }}
    ></agent-chat-composer>
    ${disclaimer ? html`<div class="disclaimer" dir="auto">${disclaimer}</div>` : nothing}
    <slot name="footer"></slot>
  </footer>`;
}

/** The notice stays until it is dismissed: the user may want to copy the conversation first. */
const storageNotice = (reason: StorageProblem, { localize, dismiss }: ComposerFooterProps): TemplateResult =>
  html`<p class="line problem" role="alert">
    ${icon('alert', 'small')}<span class="grow">${localize(`error.${reason}`)}</span>
    <button
      type="button"
      class="icon-button"
      aria-label=${localize('teaser.dismiss')}
      title=${localize('teaser.dismiss')}
      @click=${dismiss}
    >
      ${icon('close', 'small')}
    </button>
  </p>`;
