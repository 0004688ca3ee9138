import { html, nothing, type TemplateResult } from 'lit';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import type { RenderContext } from '../core/renderer.ts';
import { showInvisible } from '../../safety/show-invisible.ts';

/** Maximum number of entries of a node, and maximum depth. At that depth only the number of entries is shown. */
const MAX_ENTRIES = 200;
const MAX_DEPTH = 12;
/** Maximum number of rendered nodes in total: two hundred in each of two hundred would be forty thousand. */
const MAX_LEAVES = 5000;

/** Maximum length of a text in the tree, and of all texts (characters). */
const LEAF_LENGTH = 10_000;
const MAX_LENGTH = 65_536;

/** The remaining budget of a tree. */
interface Budget {
  leaves: number;
  characters: number;
}

/** JSON as a collapsible tree. */
export const jsonTree = (value: unknown, context: RenderContext): TemplateResult =>
  html`<div class="json-tree" dir="ltr">
    ${tree(value, undefined, 0, context, { leaves: MAX_LEAVES, characters: MAX_LENGTH })}
  </div>`;

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
      ${key}<span class="json-${value === null ? 'null' : typeof value}">${leaf(value, budget)}</span>
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

function leaf(value: unknown, budget: Budget): string {
  if (typeof value !== 'string') return String(value);
  const most = Math.max(0, Math.min(LEAF_LENGTH, budget.characters));
  const text = showInvisible(JSON.stringify(maskDisplayedText(value, most)));
  budget.characters -= text.length;
  return value.length > most || text.length > LEAF_LENGTH ? `${text.slice(0, LEAF_LENGTH)}…` : text;
}
