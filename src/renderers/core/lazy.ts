import { nothing } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import { loadPersistently } from './load-persistently.ts';
import { warnAboutRenderer } from './error-boundary.ts';

type Component<Props> = (props: Props) => unknown;

/** Loaded modules: further components of this kind render synchronously, without a layout shift. */
const fetched = new WeakMap<() => Promise<unknown>, Component<never>>();

/** Renders a component whose code is loaded on first use; `meanwhile` is shown until then, and if loading fails. */
class Lazy extends AsyncDirective {
  #load: (() => Promise<Component<never>>) | undefined;
  #props: unknown;

  render<Props>(load: () => Promise<Component<Props>>, props: Props, meanwhile: unknown = nothing): unknown {
    this.#props = props;
    this.#load = load;
    const component = fetched.get(load);
    if (component) return component(props as never);
    loadPersistently(load).then(
      (component) => {
        fetched.set(load, component);
        // Lit throws where the part was removed meanwhile.
        if (this.#load === (load as unknown) && this.isConnected) this.reconnected();
      },
      () => undefined,
    );
    return meanwhile;
  }

  /** Also called when a part that was out of the document while its code loaded comes back. */
  protected override reconnected(): void {
    const component = this.#load && fetched.get(this.#load);
    if (!component) return;
    try {
      this.setValue(component(this.#props as never));
    } catch (error) {
      warnAboutRenderer(component, error);
      this.setValue(nothing);
    }
  }
}

const lazyDirective = directive(Lazy);

/** A part that is loaded when it is first rendered. `load` must be the same function in every call. */
export const lazy = <Props>(load: () => Promise<Component<Props>>, props: Props, meanwhile?: unknown): unknown =>
  // Directive types can't be generic; the parameters above are.
  lazyDirective(load as () => Promise<Component<unknown>>, props, meanwhile);
