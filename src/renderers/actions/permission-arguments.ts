/** The arguments of a call that the user is asked to allow. All of them are visible, or a note says how much is not. */
import { html, nothing } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { formatJsonText, parseArgumentEntries } from '../tools/format-arguments.ts';
import { hiddenLength, maskedLength, truncateForDisplay } from '../tools/truncate-for-display.ts';
import { hiddenNote } from '../tools/hidden-note.ts';
import { showExactly, showInvisible } from '../../safety/show-invisible.ts';

export function argumentList(params: string, localize: Localize): unknown {
  const list = parseArgumentEntries(params);
  if (params.trim() === '' || list?.length === 0) return nothing;
  const text = formatJsonText(params);
  const shown =
    list && list.length <= MAX_PAIRS && hiddenLength(params) === 0
      ? list.map(([name, value]) => [oneLine(name), value] as const)
      : undefined;
  const hidden = hiddenLength(shown ? '' : text, showInvisible) + sum((shown?.flat() ?? [text]).map(maskedLength));
  return html`<fieldset class="ask-arguments">
    <legend class="label">${localize('ask.arguments')}</legend>
    ${shown ? pairs(shown, localize) : html`<pre class="whole" tabindex="0">${truncateForDisplay(text, showInvisible)}</pre>`}
    ${hiddenNote(hidden, localize)}
  </fieldset>`;
}

/** With more or longer arguments than this, they are shown as one text. */
const MAX_PAIRS = 100;
/** Maximum length of a name or value in one line. */
const LINE_LENGTH = 60;
/**
 * A name or value is shown completely up to this length and number of lines; of a longer one the beginning, and the rest on
 * request. Otherwise it would push the beginning of the card out of view.
 */
const WHOLE_LENGTH = 300;
const WHOLE_LINES = 8;

/** The arguments as a list of names and values. */
export const pairs = (list: readonly (readonly [string, string])[], localize: Localize): unknown =>
  list.length === 0
    ? nothing
    : html`<dl class="pairs">
        ${list.map(
          ([name, value]) =>
            html`<dt>${showComplete(name, localize)}</dt>
              <dd>${showComplete(value, localize)}</dd>`,
        )}
      </dl>`;

/** A name or value. The user allows all of it, so a note says how much is not visible. */
function showComplete(text: string, localize: Localize): unknown {
  const masked = maskDisplayedText(text);
  // A line of HTML does not show these spaces: another name or value would look the same.
  const shown =
    /^ | $| {2}|\t/.test(masked) && masked.length <= LINE_LENGTH ? showExactly(masked) : showInvisible(masked);
  if (shown.length <= LINE_LENGTH && !shown.includes('\n')) return shown;
  if (shown.length <= WHOLE_LENGTH && shown.split('\n').length <= WHOLE_LINES)
    return html`<div class="whole">${shown}</div>`;
  return html`<details>
      <summary class="clip">${shown.slice(0, WHOLE_LENGTH)}</summary>
      <pre tabindex="0">${shown}</pre>
    </details>
    ${hiddenNote(shown.length - LINE_LENGTH, localize)}`;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Removes line breaks and control characters, which could make one name look like several rows. */
const oneLine = (name: string): string => (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? JSON.stringify(name) : name);
