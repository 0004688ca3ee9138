import { html, type TemplateResult } from 'lit';
import { textOf } from '../model/text-of.ts';
import type { ChatMessage } from '../model/message.ts';
import { icon } from '../primitives/icon.ts';
import type { View } from './contexts.ts';

/** What the page has told the agent: there for who looks, and nobody's speech. */
export const systemNote = (message: ChatMessage, { settings: { localize } }: View): TemplateResult =>
  html`<details class="system-note">
    <summary class="fold">${localize('message.system')} ${icon('chevron-down', 'small')}</summary>
    <p dir="auto">${textOf(message)}</p>
  </details>`;
