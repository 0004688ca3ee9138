import { html } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { loadShowRest } from '../../markdown/render/render-tokens.ts';

/** Length that is shown at once (characters): the browser lays out a paragraph as a whole. */
const SHOWN_LENGTH = 4096;

/** A text of any length: its start, and a button for the rest. `display` makes the start safe to show. */
export function longText(text: string, localize: Localize, display: (start: string) => string): unknown {
  if (text.length <= SHOWN_LENGTH) return display(text);
  loadShowRest();
  const [start, rest] = [text.slice(0, SHOWN_LENGTH), text.slice(SHOWN_LENGTH)];
  return html`${display(start)} <agent-chat-rest .source=${rest} .localize=${localize}></agent-chat-rest>`;
}
