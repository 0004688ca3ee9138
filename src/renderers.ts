/** `agent-chat-element/renderers`: the contract of a renderer, and the registry that a page adds its own to. */
export {
  defineRenderer,
  type AnyRenderer,
  type MessageRenderer,
  type RenderContext,
  type ViewSettings,
} from './renderers/renderer.ts';
export { RendererRegistry, RendererRegistry as MessageRendererRegistry, renderers } from './renderers/registry.ts';
