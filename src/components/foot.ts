import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';
import type { StorageProblem } from '../runtime/keeping/trouble.ts';
import type { ChatStatus } from '../runtime/chat-state.ts';
import { icon } from '../primitives/icon.ts';
import type { AgentChatComposer } from './composer.ts';
import type { ModelEvent, SubmitEvent } from './composer-events.ts';
import { queue } from './queue.ts';

export interface FootProps extends Pick<
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
  /** Why what the reader wanted last can't be done. */
  readonly problem: string | undefined;
  /** Why the conversation can't be kept. */
  readonly notice: StorageProblem | undefined;
  readonly queued: readonly ChatMessage[];
  /** What leads back to the end of the transcript. */
  readonly scrollButton: unknown;
  dismiss(): void;
  /** Takes a queued message back. */
  unqueue(id: string): void;
  /** Takes it back into the composer. */
  rewrite(id: string, composer: AgentChatComposer): void;
  sendNow(id: string): void;
  submit(event: SubmitEvent, composer: AgentChatComposer): void;
  chooseModel(id: string): void;
  stop(): void;
  typed(text: string): void;
}

/** The composer, and what stands about it. */
export function foot(props: FootProps): TemplateResult {
  const { localize, status, problem, disclaimer } = props;
  const placeholder =
    status === 'awaiting-action'
      ? localize('composer.answer')
      : (props.placeholder ?? localize('composer.placeholder'));
  return html`<footer class="foot-area">
    ${props.scrollButton} ${problem === undefined ? nothing : html`<p class="line problem" role="alert">${problem}</p>`}
    ${props.notice === undefined ? nothing : notice(props.notice, props)}
    ${queue({
      localize,
      messages: props.queued,
      remove: props.unqueue,
      edit: (id, event) => {
        const composer = (event.currentTarget as Element).closest('footer')?.querySelector('agent-chat-composer');
        if (composer) props.rewrite(id, composer);
      },
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
      @agent-chat-submit=${(event: SubmitEvent) => {
        props.submit(event, event.currentTarget as AgentChatComposer);
      }}
      @agent-chat-model=${(event: ModelEvent) => {
        props.chooseModel(event.model);
      }}
      @agent-chat-stop=${props.stop}
      @agent-chat-typed=${(event: Event) => {
        props.typed((event.currentTarget as AgentChatComposer).text);
      }}
    ></agent-chat-composer>
    ${disclaimer ? html`<div class="disclaimer" dir="auto">${disclaimer}</div>` : nothing}
    <slot name="footer"></slot>
  </footer>`;
}

/** It stays until it is read: the reader may want to copy what they have. */
const notice = (reason: StorageProblem, { localize, dismiss }: FootProps): TemplateResult =>
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
