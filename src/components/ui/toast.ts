/**
 * A toast that confirms an action and offers to undo it. It stays while the user hovers or focuses it, and closes automatically
 * after that.
 */
import '../../locales/english/all-english.ts';
import { html, nothing, render } from 'lit';
import sheetText from './toast.css?inline';
import type { Localize } from '../../locales/localize.ts';
import { icon } from '../../primitives/icon.ts';
import { onUserSwitch } from '../../primitives/user-change.ts';
import { adoptStylesheet, createStylesheet } from '../../theme/stylesheet.ts';

const style = createStylesheet(sheetText);
/** Time to read the line, to change one's mind, and to reach it by keyboard. */
const SHOWN_MS = 10_000;

export interface ToastProps {
  readonly localize: Localize;
  /** A sentence that says what was done. */
  readonly message: string;
  /** Undoes the action, if that is possible. */
  readonly undo?: () => unknown;
  /** Announces the text. The toast itself is no live region, because it disappears. */
  announce(text: string): void;
}

/** Shows the toast in a container and replaces the current one. */
export function openToast(box: Element, { localize, message, undo, announce }: ToastProps): void {
  adoptStylesheet(box, style);
  box.querySelector('.toast')?.remove();
  const toast = document.createElement('div');
  toast.className = 'toast';
  toast.setAttribute('part', 'toast');
  toast.setAttribute('role', 'group');
  toast.setAttribute('aria-label', message);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const remove = (): void => {
    clearTimeout(timer);
    toast.remove();
  };
  const startTimer = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // While the user is at the toast it stays. Leaving it restarts the timer.
      if (!toast.matches(':hover, :focus-within')) remove();
    }, SHOWN_MS);
  };
  const onUndo = async (): Promise<void> => {
    remove();
    await undo?.();
    announce(localize('toast.restored'));
  };
  render(
    html`<span class="grow">${message}</span>
      ${undo ? html`<button type="button" class="link" @click=${onUndo}>${localize('toast.undo')}</button>` : nothing}
      <button
        type="button"
        class="icon-button"
        aria-label=${localize('teaser.dismiss')}
        title=${localize('teaser.dismiss')}
        @click=${remove}
      >
        ${icon('close', 'small')}
      </button>`,
    toast,
  );
  onUserSwitch(toast, remove);
  toast.addEventListener('pointerleave', startTimer);
  toast.addEventListener('focusout', startTimer);
  toast.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // Otherwise Escape would also stop the reply.
    event.preventDefault();
    event.stopPropagation();
    remove();
  });
  // Before the composer, so that it is next in the tab order after the transcript.
  box.prepend(toast);
  startTimer();
  announce(undo ? localize('toast.say', { words: message }) : message);
}
