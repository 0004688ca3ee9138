import { html, nothing, type TemplateResult } from 'lit';
import { siblingsOf, type Thread } from '../../conversation/thread.ts';
import { enVersions } from '../../locales/english/en-versions.ts';
import { addEnglish } from '../../locales/english/loaded-english.ts';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import { adopt } from '../../theme/adopt.ts';
import { createStylesheet } from '../../theme/stylesheet.ts';
import type { ChatActions } from '../shared/contexts.ts';
import css from './styles/branch-controls.css?inline';
import { button } from './toolbar-button.ts';

addEnglish(enVersions);
const style = createStylesheet(css);

interface BranchControlsProps {
  readonly message: ChatMessage;
  readonly localize: Localize;
  readonly actions: ChatActions;
}

/** The controls that switch between the versions of a message. */
export function branchControls({ message, localize, actions }: BranchControlsProps): TemplateResult | typeof nothing {
  const thread = actions.chat.store.state.thread;
  const point = branchPoint(thread, message);
  const siblings = siblingsOf(thread, point);
  const index = siblings.findIndex(({ id }) => id === point.id);
  const count = siblings.length;
  if (count < 2) return nothing;
  const step = (to: number, iconName: 'chevron-left' | 'chevron-right', label: string): TemplateResult =>
    button(
      iconName,
      label,
      () => {
        actions.chat.selectBranch(point.id, to);
      },
      to < 0 || to >= count,
    );
  return html`<span class="branches tabular"
    >${adopt(style)} ${step(index - 1, 'chevron-left', localize('message.previous'))}
    <span>${localize('message.branch', { index: index + 1, count })}</span>
    ${step(index + 1, 'chevron-right', localize('message.next'))}
  </span>`;
}

/** The message whose versions are switched. An answer of several messages branches at the first; its controls are at the last. */
function branchPoint(thread: Thread, message: ChatMessage): ChatMessage {
  const path = thread.path.slice(0, thread.path.findIndex(({ id }) => id === message.id) + 1);
  const isPoint = (one: ChatMessage, index: number): boolean =>
    siblingsOf(thread, one).length > 1 || path[index - 1]?.role !== 'assistant';
  return (message.role === 'assistant' && path.findLast(isPoint)) || message;
}
