import { html, nothing, type TemplateResult } from 'lit';
import { withoutBidi } from '../safety/urls.ts';
import type { RenderContext } from './renderer.ts';

/** More entries of one place, or a deeper place, are told by their number. */
const MAX_ENTRIES = 200;
const MAX_DEPTH = 12;

/** JSON as a tree that folds. */
export const jsonTree = (value: unknown, context: RenderContext): TemplateResult =>
  html`<div class="json-tree" dir="ltr">${tree(value, undefined, 0, context)}</div>`;

function tree(value: unknown, name: string | undefined, depth: number, context: RenderContext): TemplateResult {
  const key = name === undefined ? nothing : html`<span class="json-key">${withoutBidi(name)}</span>: `;
  if (typeof value !== 'object' || value === null) {
    return html`<div class="json-leaf">
      ${key}<span class="json-${value === null ? 'null' : typeof value}">${leaf(value)}</span>
    </div>`;
  }
  const entries = Object.entries(value);
  const count = context.settings.localize('data.items', { count: entries.length });
  if (depth >= MAX_DEPTH) return html`<div class="json-leaf">${key}<span class="muted">${count}</span></div>`;
  return html`<details ?open=${depth < 2}>
    <summary>
      ${key}<span class="muted">${Array.isArray(value) ? '[' : '{'} ${count} ${Array.isArray(value) ? ']' : '}'}</span>
    </summary>
    ${entries.slice(0, MAX_ENTRIES).map(([child, item]) => tree(item, child, depth + 1, context))}
    ${entries.length > MAX_ENTRIES ? html`<div class="json-leaf muted">…</div>` : nothing}
  </details>`;
}

const leaf = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(withoutBidi(value)) : String(value);
