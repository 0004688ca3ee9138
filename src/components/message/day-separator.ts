import { html, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';

/** The separator above the first message of a day. */
export const daySeparator = (timestamp: number, localize: Localize): TemplateResult =>
  html`<div class="day" role="separator"><span>${localize.day(timestamp)}</span></div>`;
