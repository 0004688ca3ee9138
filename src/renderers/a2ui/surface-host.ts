import type { MarkdownView } from '../../markdown/render/markdown-context.ts';
import type { NodeOf, UiNode } from './node-types.ts';
import type { RenderContext } from '../core/renderer.ts';

/** The shared context of a surface's nodes, and their callbacks. */
export interface SurfaceHost {
  readonly context: RenderContext;
  /** How the node is shown: what it loads waits for a press if it depends on what the user has typed and not sent. */
  viewOf(node: UiNode): MarkdownView;
  settingsOf(node: UiNode): RenderContext['settings'];
  /** Unique in the widget. */
  idOf(node: UiNode): string;
  /** Called when the user changes an input. */
  setValue(node: UiNode & { readonly path: string | undefined }, value: unknown): void;
  /** Called when the focus leaves an input. */
  blur(node: UiNode & { readonly path: string | undefined }): void;
  /** Whether the error of this input is shown: the user has changed and left it, or has pressed a button. */
  touched(node: UiNode): boolean;
  /** The text by which the options of a choice are filtered. */
  filter(node: UiNode): string;
  setFilter(node: UiNode, text: string): void;
  press(node: NodeOf<'Button'>, event: MouseEvent): void;
  /** Whether this press was already sent with the same values. */
  pressed(node: NodeOf<'Button'>): boolean;
  /** The selected tab. */
  tab(node: UiNode): number;
  openTab(node: UiNode, index: number): void;
}
