/** Surfaces that an agent has made: of A2UI's components, as an MCP App, or of a kind that only the page knows. */
import { html, type TemplateResult } from 'lit';
import type { BlockOf } from '../model/blocks.ts';
import { jsonTree } from './json-tree.ts';
import { lazy } from './lazy.ts';
import { toApp } from './mcp-app-data.ts';
import type { RenderContext } from './renderer.ts';

interface UiProps {
  readonly block: BlockOf<'ui'>;
  readonly context: RenderContext;
}

export function uiView({ block, context }: UiProps): TemplateResult {
  const { kind, messages } = (block.ui ?? {}) as { readonly kind?: unknown; readonly messages?: unknown };
  const asData = html`<div class="card json">${jsonTree(block.ui, context)}</div>`;
  const app = toApp(block.ui);
  const shown =
    kind === 'a2ui' && Array.isArray(messages)
      ? lazy(loadSurface, { messages: messages as readonly unknown[], context }, waiting)
      : app
        ? lazy(loadApp, { app, context }, waiting)
        : asData;
  return html`<div part="block block-ui">${shown}</div>`;
}

const waiting = html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`;
const loadSurface = async () => (await import('./a2ui.ts')).surfaceView;
const loadApp = async () => (await import('./mcp-app.ts')).appView;
