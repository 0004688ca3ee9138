import { nothing, render, type TemplateResult } from 'lit';
import { isTemplateNode, type VNode } from './vnode.ts';

/** A rendered part of the DOM. */
export interface RenderedPart {
  /** The first of its nodes, if it has any. */
  readonly first: ChildNode | undefined;
  /** Updates the part. Returns false if the new content is of another kind; the caller then replaces the nodes. */
  draw(shown: VNode, parent: Node, before: Node | null): boolean;
  remove(): void;
}

/** A Lit template between Lit's own marker and an end marker. */
export class RenderedTemplate implements RenderedPart {
  readonly first: ChildNode;
  readonly #end = document.createComment('');

  constructor(shown: TemplateResult, parent: Node, before: Node | null) {
    const fragment = document.createDocumentFragment();
    fragment.append(this.#end);
    render(shown, fragment, { renderBefore: this.#end });
    // Lit's own marker, which stays.
    this.first = fragment.firstChild ?? this.#end;
    parent.insertBefore(fragment, before);
  }

  draw(shown: VNode): boolean {
    if (!isTemplateNode(shown)) return false;
    this.#render(shown);
    return true;
  }

  remove(): void {
    this.#render(nothing);
    this.first.remove();
    this.#end.remove();
  }

  #render(shown: unknown): void {
    // Lit uses the container of the first render only.
    render(shown, document.createDocumentFragment(), { renderBefore: this.#end });
  }
}
