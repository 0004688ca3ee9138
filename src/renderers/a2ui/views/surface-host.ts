import type { MarkdownView } from '../../../markdown/render/markdown-context.ts';
import type { NodeOf, UiNode } from '../read/node-types.ts';
import type { RenderContext } from '../../core/renderer.ts';

/** The shared context of a surface's nodes, and their callbacks. */
export interface SurfaceHost {
  readonly context: RenderContext;
  readonly view: MarkdownView;
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
  /** What a text, or the address of a link or an image, contains of what the user has typed and not sent: an address would send it to another host. */
  inputIn(node: UiNode): 'password' | 'text' | undefined;
  /** The selected tab. */
  tab(node: UiNode): number;
  openTab(node: UiNode, index: number): void;
  /** Whether the user has opened the data of an unknown component. */
  opened(node: UiNode): boolean;
  open(node: UiNode): void;
}
