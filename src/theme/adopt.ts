import { nothing, type CSSResult } from 'lit';
import { Directive, directive, type ChildPart } from 'lit/directive.js';
import { adoptStylesheet } from './stylesheet.ts';

class Adopt extends Directive {
  render(_style: CSSResult): unknown {
    return nothing;
  }

  override update({ options, parentNode }: ChildPart, [style]: [CSSResult]): unknown {
    // In its first rendering the part is not in the document yet, but the element that renders it is.
    adoptStylesheet(options?.host instanceof Node ? options.host : parentNode, style);
    return nothing;
  }
}

/** Adds a stylesheet to the root in which it is rendered. */
export const adopt = directive(Adopt);
