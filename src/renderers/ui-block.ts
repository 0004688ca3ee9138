/** Agent UI: an A2UI surface, an MCP App, or a kind that only the page can render. */
import { html, type TemplateResult } from 'lit';
import type { BlockOf } from '../model/blocks.ts';
import { jsonTree } from './tools/json-tree.ts';
import { lazy } from './core/lazy.ts';
import { toApp, toAppReference, type McpAppReference } from './mcp-app/read-resource.ts';
import type { RenderContext } from './core/renderer.ts';

interface UiProps {
  readonly block: BlockOf<'ui'>;
  readonly context: RenderContext;
}

export function uiView({ block, context }: UiProps): TemplateResult {
  const { kind, messages } = (block.ui ?? {}) as { readonly kind?: unknown; readonly messages?: unknown };
  const asData = html`<div class="card json">${jsonTree(block.ui, context)}</div>`;
  const app = toApp(block.ui) ?? readableApp(block, context);
  const shown =
    kind === 'a2ui' && Array.isArray(messages)
      ? lazy(loadSurface, { messages: messages as readonly unknown[], blockId: block.id, context }, waiting)
      : app
        ? lazy(loadApp, { app, context }, waiting)
        : asData;
  return html`<div part="block block-ui">${shown}</div>`;
}

/** An app of which the agent sent only the address, if there is a connection that can read its HTML. */
function readableApp(block: BlockOf<'ui'>, { settings, connectApp }: RenderContext): McpAppReference | undefined {
  const app = toAppReference(block.ui);
  return settings.mcp || (app?.via && connectApp) ? app : undefined;
}

const waiting = html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`;
const loadSurface = async () => (await import('./a2ui/surface-element.ts')).surfaceView;
const loadApp = async () => (await import('./mcp-app/mcp-app.ts')).appView;
