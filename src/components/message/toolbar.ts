import { html, nothing, type TemplateResult } from 'lit';
import type { ChatMessage } from '../../model/message.ts';
import { paragraphsOf } from '../../model/message-text.ts';
import { icon } from '../../primitives/icon.ts';
import { lazy } from '../../renderers/core/lazy.ts';
import { toRichText } from '../../safety/rich-text.ts';
import { actionsFor } from '../shared/custom-actions.ts';
import { button } from './toolbar-button.ts';
import { messageDetails } from './message-details.ts';
import type { branchControls } from './branch-controls.ts';
import type { feedbackButtons } from './feedback.ts';
import type { openMessageMenu } from './message-menu.ts';
import type { readAloudButton } from './read-aloud-button.ts';
import type { ChatActions, Control, ChatView } from '../shared/contexts.ts';

const loadReadAloudButton = async (): Promise<typeof readAloudButton> =>
  (await import('./read-aloud-button.ts')).readAloudButton;

const loadFeedback = async (): Promise<typeof feedbackButtons> => (await import('./feedback.ts')).feedbackButtons;

const loadBranches = async (): Promise<typeof branchControls> => (await import('./branch-controls.ts')).branchControls;

const loadMenu = async (): Promise<typeof openMessageMenu> => (await import('./message-menu.ts')).openMessageMenu;

/** Reserves the space of the two thumb buttons while they load, so that the other buttons do not move. */
const feedbackSpace = html`<span class="icon-button"></span><span class="icon-button"></span>`;

export interface ToolbarProps {
  readonly message: ChatMessage;
  readonly view: ChatView;
  readonly actions: ChatActions;
  /** Opens the editor, if the message can be edited. */
  readonly edit?: () => void;
}

/** Reserves the space of a toolbar, so that nothing moves when it appears. */
export const emptyToolbar = (): TemplateResult => html`<div class="toolbar" aria-hidden="true"></div>`;

/** The toolbar of one message. */
export function messageToolbar({ message, view, actions, edit }: ToolbarProps): TemplateResult {
  const { localize } = view.settings;
  const has = (control: Control): boolean => !view.without.has(control);
  const isUser = message.role === 'user';
  if (message.status === 'streaming') return emptyToolbar();
  const text = paragraphsOf(message);
  return html`<div
    class="toolbar ${isUser ? 'quiet' : ''}"
    part="toolbar"
    role="group"
    aria-label=${localize('message.toolbar')}
  >
    ${actions.chat.store.state.thread.hidden.length > 0 ? lazy(loadBranches, { message, localize, actions }) : nothing}
    ${
      text && has('copy')
        ? html`<agent-chat-copy
            .value=${text}
            .markup=${isUser ? undefined : richTextOf}
            .label=${localize('message.copy')}
            .done=${localize('message.copied')}
          ></agent-chat-copy>`
        : nothing
    }
    ${!isUser && view.feedback ? lazy(loadFeedback, { message, view, actions }, feedbackSpace) : nothing}
    ${!isUser && text && view.settings.readAloud ? lazy(loadReadAloudButton, { text, localize }) : nothing}
    ${
      !isUser && has('regenerate')
        ? button('again', localize('message.regenerate'), () => {
            actions.act('retry', message);
          })
        : nothing
    }
    ${edit && has('edit') ? button('edit', localize('message.edit'), edit) : nothing}
    ${actionsFor(view.actions, message, 'toolbar').map((action) =>
      button(action.icon, action.label, () => {
        actions.run(action, message);
      }),
    )}
    ${overflowButton({ message, view, actions })} ${messageDetails(message, localize)}
  </div>`;
}

/** The button of the overflow menu. */
function overflowButton(props: Omit<ToolbarProps, 'edit'>): TemplateResult | typeof nothing {
  const { message, view } = props;
  const label = view.settings.localize('message.more');
  const hasEntries =
    actionsFor(view.actions, message, 'menu').length > 0 ||
    (['copy', 'quote', 'delete'] as const).some((control) => !view.without.has(control));
  if (!hasEntries) return nothing;
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

/** The rendered answer as HTML, for applications that paste rich text. */
const richTextOf = (button: Element): string =>
  toRichText(button.closest('article')?.querySelectorAll('[part~="block-content"]') ?? []);
