/** A text above the buttons that allow it, such as what an app wants to send in the user's name. */
import { html } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { showInvisible } from '../../safety/show-invisible.ts';
import { hiddenNote } from './hidden-note.ts';

/** Length and number of lines that are shown of each end of a text. */
const END_LENGTH = 150;
const END_LINES = 4;
/** More line breaks in a row than this are shown as a mark. */
const MAX_BREAKS = 3;
const OMITTED = '\n⋮\n';

/**
 * A text of any length above the buttons that allow it: its beginning and end, and all of it on request. The title and
 * the buttons stay in view together.
 */
export function textToApprove(text: string, localize: Localize): unknown {
  const shown = showInvisible(text);
  const short = bothEnds(withoutGaps(shown));
  if (short === shown) return shown;
  return html`<details>
      <summary>${short}</summary>
      <pre tabindex="0">${shown}</pre>
    </details>
    ${hiddenNote(shown.length - short.replaceAll(OMITTED, '').length, localize)}`;
}

function withoutGaps(text: string): string {
  return text.replace(LINE_BREAKS, (gap) => {
    const lines = gap.split(LINE_BREAK);
    return lines.length > MAX_BREAKS + 1 ? OMITTED + (lines.at(-1) ?? '') : gap;
  });
}
const LINE_BREAK = /[\n\u2028\u2029]/;
const LINE_BREAKS = /[\n\u2028\u2029]\s*/g;

function bothEnds(text: string): string {
  const lines = text.split(LINE_BREAK);
  if (text.length <= 2 * END_LENGTH && lines.length <= 2 * END_LINES) return text;
  const start = lines.slice(0, END_LINES).join('\n').slice(0, END_LENGTH);
  const end = lines.slice(-END_LINES).join('\n').slice(-END_LENGTH);
  return `${start}${OMITTED}${end}`;
}
