import { html } from 'lit';
import { createElement, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import type { AssistantMessageBlock, BlockOf, BlockType } from '../model/blocks.ts';
import type { RendererRegistry } from '../renderers/registry.ts';
import type { AnyRenderer, RenderContext } from '../renderers/renderer.ts';

/** What a component that shows a block is given. */
export interface ReactBlockProps<Type extends BlockType = BlockType> extends RenderContext {
  readonly block: BlockOf<Type>;
}

/** A renderer whose block is shown by a component. Define the component outside of others, or it loses its state with each rendering. */
export type ReactRenderer = {
  readonly [Type in BlockType]: Pick<AnyRenderer, 'dataType' | 'toolName' | 'agentTypes'> & {
    readonly type: Type;
    readonly component: ComponentType<ReactBlockProps<Type>>;
  };
}[BlockType];

interface Shown {
  /** Which of the renderers shows it. */
  readonly index: number;
  readonly block: AssistantMessageBlock;
  readonly context: RenderContext;
}

/**
 * The blocks that components show. Each is a child of the widget in the slot of its block: so it lives in the page's own tree, with
 * its contexts and its sheets, and stays the same component while the block grows.
 */
export class ReactBlocks {
  #shown: ReadonlyMap<string, Shown> = new Map();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): ReadonlyMap<string, Shown> => this.#shown;

  /** Registers the renderers with a widget. @returns what takes them back */
  register(
    renderers: readonly ReactRenderer[],
    widget: { readonly renderers: RendererRegistry; readonly messages: readonly { readonly id: string }[] },
  ): () => void {
    const undo = renderers.map(({ component: _component, ...what }, index) =>
      widget.renderers.register({
        ...what,
        getProps: (block: AssistantMessageBlock, context: RenderContext): Shown => ({ index, block, context }),
        component: (shown: Shown) => {
          this.#show(shown, widget.messages);
          return html`<slot name="block-${shown.block.id}"></slot>`;
        },
      } satisfies AnyRenderer),
    );
    return () => {
      for (const takeBack of undo) takeBack();
    };
  }

  #show(shown: Shown, messages: readonly { readonly id: string }[]): void {
    const { id } = shown.block;
    const before = this.#shown.get(id);
    if (before?.index === shown.index && before.block === shown.block && before.context === shown.context) return;
    let all = [...this.#shown];
    if (!before) {
      // Those of messages that are gone: scrolled out of sight they stay, with their state.
      const there = new Set(messages.map((message) => message.id));
      all = all.filter(([, { context }]) => there.has(context.message.id));
    }
    this.#shown = new Map(all).set(id, shown);
    for (const listener of this.#listeners) listener();
  }
}

const NONE: ReadonlyMap<string, Shown> = new Map();

/** The components themselves, as children of the widget. */
export function Blocks({
  store,
  renderers,
}: {
  readonly store: ReactBlocks;
  readonly renderers: readonly ReactRenderer[];
}): ReactNode {
  const shown = useSyncExternalStore(store.subscribe, store.snapshot, () => NONE);
  return [...shown].map(([id, { index, block, context }]) => {
    const renderer = renderers[index];
    if (!renderer) return null;
    // It was registered for blocks of this type.
    const child = createElement(renderer.component as ComponentType<ReactBlockProps>, { ...context, block });
    return createElement('div', { key: id, slot: `block-${id}` }, child);
  });
}
