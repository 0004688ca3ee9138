import type { MarkdownView } from '../../markdown/render/markdown-context.ts';
import type { NodeOf, UiNode } from './node-types.ts';
import type { RenderContext } from '../core/renderer.ts';

/** The shared context of a surface's nodes, and their callbacks. */
export interface SurfaceHost {
  readonly context: RenderContext;
  readonly view: MarkdownView;
  /** Unique in the widget. */
  idOf(node: UiNode): string;
  /** Called when the user changes an input. */
  enter(node: UiNode & { readonly path: string | undefined }, value: unknown): void;
  /** Whether the user has changed this input before. */
  touched(node: UiNode): boolean;
  press(node: NodeOf<'Button'>): void;
  /** Whether this press was already sent with the same values. */
  pressed(node: NodeOf<'Button'>): boolean;
  /** The selected tab. */
  tab(node: UiNode): number;
  openTab(node: UiNode, index: number): void;
}
