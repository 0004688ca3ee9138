import { html } from 'lit';
import { createElement, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import type { AssistantMessageBlock, BlockOf, BlockType } from '../model/blocks.ts';
import type { RendererRegistry } from '../renderers/core/registry.ts';
import type { AnyRenderer, RenderContext } from '../renderers/core/renderer.ts';

/** The props of a component that shows a block. */
export interface ReactBlockProps<Type extends BlockType = BlockType> extends RenderContext {
  readonly block: BlockOf<Type>;
}

/**
 * A renderer that shows its blocks with a component. Define the component at module level; otherwise it loses its state
 * with each render.
 */
export type ReactRenderer = {
  readonly [Type in BlockType]: Pick<AnyRenderer, 'dataType' | 'toolName' | 'agentTypes'> & {
    readonly type: Type;
    readonly component: ComponentType<ReactBlockProps<Type>>;
  };
}[BlockType];

/** A block that a component shows. */
interface Shown {
  /** Index of the renderer. */
  readonly index: number;
  readonly block: AssistantMessageBlock;
  readonly context: RenderContext;
}

/**
 * The blocks shown by components. Each is a child of the widget in the slot of its block. It therefore belongs to the
 * page's own React tree, with its contexts and styles, and stays mounted while the block grows.
 */
export class ReactBlocks {
  #entries: ReadonlyMap<string, Shown> = new Map();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): ReadonlyMap<string, Shown> => this.#entries;

  /** Registers the renderers with a widget. @returns a function that removes them */
  register(
    renderers: readonly ReactRenderer[],
    widget: { readonly renderers: RendererRegistry; readonly messages: readonly { readonly id: string }[] },
  ): () => void {
    const undo = renderers.map(({ component: _component, ...criteria }, index) =>
      widget.renderers.register({
        ...criteria,
        getProps: (block: AssistantMessageBlock, context: RenderContext): Shown => ({ index, block, context }),
        component: (entry: Shown) => {
          this.#update(entry, widget.messages);
          return html`<slot name="block-${entry.block.id}"></slot>`;
        },
      } satisfies AnyRenderer),
    );
    return () => {
      for (const takeBack of undo) takeBack();
    };
  }

  #update(entry: Shown, messages: readonly { readonly id: string }[]): void {
    const { id } = entry.block;
    const before = this.#entries.get(id);
    if (before?.index === entry.index && before.block === entry.block && before.context === entry.context) return;
    let all = [...this.#entries];
    if (!before) {
      // Removes the blocks of deleted messages only: those scrolled off-screen stay mounted with their state.
      const messageIds = new Set(messages.map((message) => message.id));
      all = all.filter(([, { context }]) => messageIds.has(context.message.id));
    }
    this.#entries = new Map(all).set(id, entry);
    for (const listener of this.#listeners) listener();
  }
}

const NONE: ReadonlyMap<string, Shown> = new Map();

/** Renders the components as children of the widget. */
export function Blocks({
  store,
  renderers,
}: {
  readonly store: ReactBlocks;
  readonly renderers: readonly ReactRenderer[];
}): ReactNode {
  const entry = useSyncExternalStore(store.subscribe, store.snapshot, () => NONE);
  return [...entry].map(([id, { index, block, context }]) => {
    const renderer = renderers[index];
    if (!renderer) return null;
    // The renderer is registered for blocks of this type.
    const child = createElement(renderer.component as ComponentType<ReactBlockProps>, { ...context, block });
    return createElement('div', { key: id, slot: `block-${id}` }, child);
  });
}
