/** `agent-chat-element/renderers`: the renderer interface, and the registry for a page's own renderers. */
export {
  defineRenderer,
  type AnyRenderer,
  type MessageRenderer,
  type RenderContext,
  type ViewSettings,
} from './renderers/core/renderer.ts';
export { RendererRegistry, RendererRegistry as MessageRendererRegistry, renderers } from './renderers/core/registry.ts';
