import { nothing, render, type TemplateResult } from 'lit';
import { isTemplate, type Shown } from './shown.ts';

/** What has been drawn at a place. */
export interface Drawn {
  /** The first of its nodes, if it has any. */
  readonly first: ChildNode | undefined;
  /** Draws what is shown there now. False where that is of another kind: then other nodes take its place. */
  draw(shown: Shown, parent: Node, before: Node | null): boolean;
  remove(): void;
}

/** A template, with the mark of Lit's own in front of it and one behind it. */
export class DrawnTemplate implements Drawn {
  readonly first: ChildNode;
  readonly #end = document.createComment('');

  constructor(shown: TemplateResult, parent: Node, before: Node | null) {
    const place = document.createDocumentFragment();
    place.append(this.#end);
    render(shown, place, { renderBefore: this.#end });
    // Lit's own mark, which stays.
    this.first = place.firstChild ?? this.#end;
    parent.insertBefore(place, before);
  }

  draw(shown: Shown): boolean {
    if (!isTemplate(shown)) return false;
    this.#render(shown);
    return true;
  }

  remove(): void {
    this.#render(nothing);
    this.first.remove();
    this.#end.remove();
  }

  #render(shown: unknown): void {
    // (Where it is rendered counts with the first time alone.)
    render(shown, document.createDocumentFragment(), { renderBefore: this.#end });
  }
}
