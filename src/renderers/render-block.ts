import { html, noChange } from 'lit';
import { Directive, directive } from 'lit/directive.js';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import { builtIn } from './built-in.ts';
import { contained, warnOf } from './contained.ts';
import type { RendererRegistry } from './registry.ts';
import type { AnyRenderer, RenderContext } from './renderer.ts';

/** One block as the first renderer shows it that does not decline: the page's own, then the built-in one. */
export function renderBlock(
  block: AssistantMessageBlock,
  context: RenderContext,
  registries: readonly RendererRegistry[],
): unknown {
  const chain: readonly AnyRenderer[] = [
    ...registries.flatMap((registry) => registry.match(block, context.message)),
    // A type from the wire or from storage may be any word, `constructor` too.
    ...(Object.hasOwn(builtIn, block.type) ? [builtIn[block.type]] : []),
  ];
  if (chain.length === 0) warnOf(builtIn, `No renderer is for the type "${block.type}".`);
  const run = (index: number): unknown => {
    const renderer = chain[index];
    if (!renderer) return undefined;
    const next = (): unknown => run(index + 1);
    const instead = (error: unknown): unknown => {
      warnOf(renderer, error);
      return next();
    };
    try {
      const shown = show(renderer, block, context, next);
      return shown === null || shown === undefined ? next() : contained(shown, instead);
    } catch (error) {
      return instead(error);
    }
  };
  return run(0);
}

function show(
  { getProps, component }: AnyRenderer,
  block: AssistantMessageBlock,
  context: RenderContext,
  next: () => unknown,
): unknown {
  if (component === 'slot') return html`<slot name="block-${block.id}">${next()}</slot>`;
  const props = getProps(block as never, context);
  return typeof component === 'string' ? ownElement(component, props) : component(props as never, next);
}

/** The page's own element: made once, then only fed, with what has changed: the rest it may have changed itself. */
class OwnElement extends Directive {
  #element: HTMLElement | undefined;
  #props: Readonly<Record<string, unknown>> = {};

  render(tag: string, props: unknown): unknown {
    const before = this.#element?.localName === tag.toLowerCase() ? this.#element : undefined;
    const element = before ?? document.createElement(tag);
    const fed = before ? this.#props : {};
    const given = { ...(props as object) } as Readonly<Record<string, unknown>>;
    for (const name of new Set([...Object.keys(fed), ...Object.keys(given)])) {
      if (!before || !Object.is(fed[name], given[name])) Reflect.set(element, name, given[name]);
    }
    this.#element = element;
    this.#props = given;
    return before ? noChange : element;
  }
}
const ownElement = directive(OwnElement);
