import { html, nothing } from 'lit';
import type { Localize } from '../../locales/localize.ts';

/** The number of characters of the arguments that a card does not show, because the user allows all of them. */
export const hiddenNote = (count: number, localize: Localize): unknown =>
  count > 0
    ? html`<p class="problem" data-hidden>${localize('ask.hidden', { count: localize.number(count) })}</p>`
    : nothing;
