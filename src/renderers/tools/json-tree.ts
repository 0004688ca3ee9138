import { html, nothing, type TemplateResult } from 'lit';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import type { RenderContext } from '../core/renderer.ts';
import { truncateForDisplay } from './format-arguments.ts';
import { showInvisible } from '../../safety/show-invisible.ts';

/** Maximum number of entries and depth of one node; beyond these limits only the count is shown. */
const MAX_ENTRIES = 200;
const MAX_DEPTH = 12;
/** Maximum number of rendered nodes in total: two hundred in each of two hundred would be forty thousand. */
const MAX_LEAVES = 5000;

/** The remaining budget of a tree. */
interface Budget {
  leaves: number;
}

/** JSON as a collapsible tree. */
export const jsonTree = (value: unknown, context: RenderContext): TemplateResult =>
  html`<div class="json-tree" dir="ltr">${tree(value, undefined, 0, context, { leaves: MAX_LEAVES })}</div>`;

function tree(
  value: unknown,
  name: string | undefined,
  depth: number,
  context: RenderContext,
  budget: Budget,
): TemplateResult {
  budget.leaves--;
  const key =
    name === undefined ? nothing : html`<span class="json-key">${showInvisible(maskDisplayedText(name))}</span>: `;
  if (typeof value !== 'object' || value === null) {
    return html`<div class="json-leaf">
      ${key}<span class="json-${value === null ? 'null' : typeof value}">${leaf(value)}</span>
    </div>`;
  }
  const entries = Object.entries(value);
  const count = context.settings.localize('data.items', { count: entries.length });
  if (depth >= MAX_DEPTH) return html`<div class="json-leaf">${key}<span class="muted">${count}</span></div>`;
  const visibleEntries = entries.slice(0, Math.max(0, Math.min(MAX_ENTRIES, budget.leaves)));
  return html`<details ?open=${depth < 2}>
    <summary>
      ${key}<span class="muted">${Array.isArray(value) ? '[' : '{'} ${count} ${Array.isArray(value) ? ']' : '}'}</span>
    </summary>
    ${visibleEntries.map(([child, item]) => tree(item, child, depth + 1, context, budget))}
    ${entries.length > visibleEntries.length ? html`<div class="json-leaf muted">…</div>` : nothing}
  </details>`;
}

const leaf = (value: unknown): string =>
  typeof value === 'string' ? showInvisible(JSON.stringify(truncateForDisplay(value))) : String(value);
