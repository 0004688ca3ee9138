/** A word about what was just done, with the way back. It stays while the reader is at it, and goes by itself after that. */
import { html, nothing, render } from 'lit';
import sheetText from '../theme/toast.css?inline';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';
import { adoptSheet, sheet } from '../theme/sheet.ts';

const style = sheet(sheetText);
/** Enough to read a line, to be sorry, and to get there by keyboard. */
const SHOWN_MS = 10_000;

export interface ToastProps {
  readonly localize: Localize;
  /** What was done, as a sentence. */
  readonly words: string;
  /** The way back, where there is one. */
  readonly undo?: () => unknown;
  /** Says it aloud: the line itself is no live region, since it is gone again. */
  say(words: string): void;
}

/** Shows it in a box, in the place of one that is there. */
export function openToast(box: Element, { localize, words, undo, say }: ToastProps): void {
  adoptSheet(box, style);
  box.querySelector('.toast')?.remove();
  const toast = document.createElement('div');
  toast.className = 'toast';
  toast.setAttribute('part', 'toast');
  toast.setAttribute('role', 'group');
  toast.setAttribute('aria-label', words);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const remove = (): void => {
    clearTimeout(timer);
    toast.remove();
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // The reader is at it: it is asked again when they have left.
      if (!toast.matches(':hover, :focus-within')) remove();
    }, SHOWN_MS);
  };
  const takeBack = async (): Promise<void> => {
    remove();
    await undo?.();
    say(localize('toast.restored'));
  };
  render(
    html`<span class="grow">${words}</span>
      ${undo ? html`<button type="button" class="link" @click=${takeBack}>${localize('toast.undo')}</button>` : nothing}
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
  toast.addEventListener('pointerleave', wait);
  toast.addEventListener('focusout', wait);
  toast.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // Escape would stop a reply.
    event.preventDefault();
    event.stopPropagation();
    remove();
  });
  // Before the composer, so that it is the next stop behind the transcript.
  box.prepend(toast);
  wait();
  say(undo ? localize('toast.say', { words }) : words);
}
