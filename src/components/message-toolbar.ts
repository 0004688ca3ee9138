import { html, nothing, type TemplateResult } from 'lit';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import { icon, type IconName } from '../primitives/icon.ts';
import { lazy } from '../renderers/lazy.ts';
import { richText } from '../safety/rich-text.ts';
import { offered } from './message-actions.ts';
import { messageFacts } from './message-facts.ts';
import type { openMessageMenu } from './message-menu.ts';
import type { speakButton } from './speak-button.ts';
import type { Actions, Control, View } from './contexts.ts';

const loadSpeakButton = async (): Promise<typeof speakButton> => (await import('./speak-button.ts')).speakButton;

const loadMenu = async (): Promise<typeof openMessageMenu> => (await import('./message-menu.ts')).openMessageMenu;

export interface ToolbarProps {
  readonly message: ChatMessage;
  readonly view: View;
  readonly actions: Actions;
  /** Begins to edit the message, where that can be done. */
  readonly edit?: () => void;
}

/** What can be done with one message. */
export function messageToolbar({ message, view, actions, edit }: ToolbarProps): TemplateResult {
  const { localize } = view.settings;
  const has = (control: Control): boolean => !view.without.has(control);
  const mine = message.role === 'user';
  // Its room is there from the first token on, so that nothing moves when it comes.
  if (message.status === 'streaming') return html`<div class="toolbar" aria-hidden="true"></div>`;
  const words = textOf(message);
  return html`<div
    class="toolbar ${mine ? 'quiet' : ''}"
    part="toolbar"
    role="group"
    aria-label=${localize('message.toolbar')}
  >
    ${branches(message, localize, actions)}
    ${
      words && has('copy')
        ? html`<agent-chat-copy
            .value=${words}
            .markup=${mine ? undefined : markupOf}
            .label=${localize('message.copy')}
            .done=${localize('message.copied')}
          ></agent-chat-copy>`
        : nothing
    }
    ${
      !mine && view.feedback
        ? html`<agent-chat-feedback .message=${message} .view=${view} .actions=${actions}></agent-chat-feedback>`
        : nothing
    }
    ${!mine && words && view.settings.readAloud ? lazy(loadSpeakButton, { text: words, localize }) : nothing}
    ${
      !mine && has('regenerate')
        ? button('again', localize('message.regenerate'), () => {
            actions.act('retry', message);
          })
        : nothing
    }
    ${edit && has('edit') ? button('edit', localize('message.edit'), edit) : nothing}
    ${offered(view.actions, message, 'toolbar').map((action) =>
      button(action.icon, action.label, () => {
        actions.run(action, message);
      }),
    )}
    ${more({ message, view, actions })} ${messageFacts(message, localize)}
  </div>`;
}

/** The others, in a menu. */
function more(props: Omit<ToolbarProps, 'edit'>): TemplateResult | typeof nothing {
  const { message, view } = props;
  const label = view.settings.localize('message.more');
  const any =
    offered(view.actions, message, 'menu').length > 0 ||
    (['copy', 'quote', 'delete'] as const).some((control) => !view.without.has(control));
  if (!any) return nothing;
  const open = async (event: Event): Promise<void> => {
    const opener = event.currentTarget as HTMLButtonElement;
    (await loadMenu())(opener, props);
  };
  return html`<button
    type="button"
    class="icon-button"
    part="toolbar-button"
    aria-label=${label}
    title=${label}
    aria-haspopup="menu"
    aria-expanded="false"
    @click=${open}
  >
    ${icon('more', 'small')}
  </button>`;
}

/** The answer as it stands below its name, for programs that take more than text. */
const markupOf = (button: Element): string =>
  richText(button.closest('article')?.querySelectorAll('[part~="block-content"]') ?? []);

function branches(message: ChatMessage, localize: View['settings']['localize'], actions: Actions): unknown {
  const { index, count } = actions.branches(message);
  if (count < 2) return nothing;
  const step = (to: number, symbol: IconName, label: string): TemplateResult =>
    button(
      symbol,
      label,
      () => {
        actions.selectBranch(message, to);
      },
      to < 0 || to >= count,
    );
  return html`<span class="branches tabular">
    ${step(index - 1, 'chevron-left', localize('message.previous'))}
    <span>${localize('message.branch', { index: index + 1, count })}</span>
    ${step(index + 1, 'chevron-right', localize('message.next'))}
  </span>`;
}

const button = (
  symbol: IconName | SVGElement | undefined,
  label: string,
  press: () => void,
  disabled = false,
): TemplateResult =>
  html`<button
    type="button"
    class="icon-button ${symbol === 'edit' ? 'edit' : ''}"
    part="toolbar-button"
    aria-label=${label}
    title=${label}
    ?disabled=${disabled}
    @click=${press}
  >
    ${typeof symbol === 'string' ? icon(symbol, 'small') : symbol?.cloneNode(true)}
  </button>`;
