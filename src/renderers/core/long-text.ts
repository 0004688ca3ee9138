/** Texts of any length: the browser lays out a paragraph as a whole, so only the start is shown until the user asks for the rest. */
import { html, nothing } from 'lit';
import { limitAccents } from '../../limit-accents.ts';
import type { Localize } from '../../locales/localize.ts';
import { loadShowRest } from '../../markdown/render/render-tokens.ts';

export interface TextLimit {
  readonly characters: number;
  readonly lines: number;
}

/** A text in a card, beside its buttons. */
const IN_CARD: TextLimit = { characters: 4096, lines: 512 };

/** A message in plain text. */
export const PLAIN_TEXT: TextLimit = { characters: 32_768, lines: 2048 };

/** The first `length` characters, without splitting a surrogate pair. */
export const wholeStart = (text: string, length: number): string =>
  text.slice(0, /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length);

/** The first complete lines within `length` characters; if they fill less than half of that, the next line is cut. */
function lineStart(text: string, length: number): string {
  const end = text.lastIndexOf('\n', length - 1) + 1;
  return end > length / 2 ? text.slice(0, end) : wholeStart(text, length);
}

/** The start of a text that is shown before the user asks for the rest. */
export function shownStart(text: string, { characters, lines }: TextLimit): string {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0 || end >= characters) return text.length > characters ? lineStart(text, characters) : text;
  }
  return text.slice(0, end + 1);
}

/** A button that shows the part of a text from `end` on; nothing if there is none. */
export function restOf(text: string, end: number, localize: Localize): unknown {
  if (end >= text.length) return nothing;
  void loadShowRest();
  return html`<agent-chat-rest .source=${text.slice(end)} .localize=${localize}></agent-chat-rest>`;
}

/** The start of a text, and a button for the rest. `display` makes the start safe to show. */
export function longText(
  text: string,
  localize: Localize,
  display: (start: string) => string,
  limit: TextLimit = IN_CARD,
): unknown {
  const start = shownStart(text, limit);
  const shown = limitAccents(display(start));
  return start === text ? shown : [shown, restOf(text, start.length, localize)];
}
