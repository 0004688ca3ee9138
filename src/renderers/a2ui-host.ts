import type { MarkdownView } from '../markdown/view.ts';
import type { NodeOf, UiNode } from './a2ui-nodes.ts';
import type { RenderContext } from './renderer.ts';

/** What the parts of a surface have in common, and what they tell. */
export interface SurfaceHost {
  readonly context: RenderContext;
  readonly view: MarkdownView;
  /** Unique in the widget. */
  idOf(node: UiNode): string;
  /** The reader has entered something. */
  enter(node: UiNode & { readonly path: string | undefined }, value: unknown): void;
  /** They have entered something there before. */
  touched(node: UiNode): boolean;
  press(node: NodeOf<'Button'>): void;
  /** Which tab is shown. */
  tab(node: UiNode): number;
  openTab(node: UiNode, index: number): void;
}
