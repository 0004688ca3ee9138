import { nothing, type CSSResult } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive, type ChildPart } from 'lit/directive.js';
import { adoptStylesheet } from './stylesheet.ts';

class Adopt extends AsyncDirective {
  #adopt: (() => void) | undefined;

  render(_style: CSSResult): unknown {
    return nothing;
  }

  override update({ options, parentNode }: ChildPart, [style]: [CSSResult]): unknown {
    // In its first rendering the part is not in the document yet, but the element that renders it is.
    const root = options?.host instanceof Node ? options.host : parentNode;
    this.#adopt = () => {
      adoptStylesheet(root, style);
    };
    this.#adopt();
    return nothing;
  }

  /** A root that was moved into another document has lost its stylesheets. */
  override reconnected(): void {
    this.#adopt?.();
  }
}

/** Adds a stylesheet to the root in which it is rendered. */
export const adopt = directive(Adopt);
