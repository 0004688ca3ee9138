import { html, noChange } from 'lit';
import { Directive, directive } from 'lit/directive.js';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import { builtIn } from './built-in.ts';
import { errorBoundary, warnAboutRenderer } from './core/error-boundary.ts';
import type { RendererRegistry } from './core/registry.ts';
import type { AnyRenderer, RenderContext } from './core/renderer.ts';

/** Renders a block with the first renderer that does not decline: those of the page first, then the built-in one. */
export function renderBlock(
  block: AssistantMessageBlock,
  context: RenderContext,
  registries: readonly RendererRegistry[],
): unknown {
  const chain: readonly AnyRenderer[] = [
    ...registries.flatMap((registry) => registry.match(block, context.message)),
    // A type from the response or from storage may be any string, such as `constructor`.
    ...(Object.hasOwn(builtIn, block.type) ? [builtIn[block.type]] : []),
  ];
  if (chain.length === 0) warnAboutRenderer(builtIn, `No renderer is for the type "${block.type}".`);
  const run = (index: number): unknown => {
    const renderer = chain[index];
    if (!renderer) return undefined;
    const next = (): unknown => run(index + 1);
    const instead = (error: unknown): unknown => {
      warnAboutRenderer(renderer, error);
      return next();
    };
    try {
      const rendered = show(renderer, block, context, next);
      return rendered === null || rendered === undefined ? next() : errorBoundary(rendered, instead);
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
  return typeof component === 'string' ? pageElement(component, props) : component(props as never, next);
}

/**
 * A custom element of the page. It is created once; later only changed props are set, because the page may have changed
 * the others itself.
 */
class PageElement extends Directive {
  #element: HTMLElement | undefined;
  #props: Readonly<Record<string, unknown>> = {};

  render(tag: string, props: unknown): unknown {
    const before = this.#element?.localName === tag.toLowerCase() ? this.#element : undefined;
    const element = before ?? document.createElement(tag);
    const previousProps = before ? this.#props : {};
    const nextProps = { ...(props as object) } as Readonly<Record<string, unknown>>;
    for (const name of new Set([...Object.keys(previousProps), ...Object.keys(nextProps)])) {
      if (!before || !Object.is(previousProps[name], nextProps[name])) Reflect.set(element, name, nextProps[name]);
    }
    this.#element = element;
    this.#props = nextProps;
    return before ? noChange : element;
  }
}
const pageElement = directive(PageElement);
