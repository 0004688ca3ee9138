import { nothing } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import { warnOf } from './contained.ts';

type Component<Props> = (props: Props) => unknown;

/** Shows a component whose code is fetched when it is first needed; `meanwhile` stands in its place, also when it can't be. */
class Lazy extends AsyncDirective {
  #component: Component<never> | undefined;
  #load: (() => Promise<Component<never>>) | undefined;
  #props: unknown;

  render<Props>(load: () => Promise<Component<Props>>, props: Props, meanwhile: unknown = nothing): unknown {
    this.#props = props;
    if (this.#component && this.#load === (load as unknown)) return this.#component(props as never);
    this.#load = load;
    load().then(
      (component) => {
        if (this.#load !== (load as unknown)) return;
        this.#component = component;
        try {
          this.setValue(component(this.#props as never));
        } catch (error) {
          warnOf(error);
          this.setValue(nothing);
        }
      },
      () => undefined,
    );
    return meanwhile;
  }
}

const lazyDirective = directive(Lazy);

/** A part that is fetched when it is first shown. `load` must be the same function from call to call. */
export const lazy = <Props>(load: () => Promise<Component<Props>>, props: Props, meanwhile?: unknown): unknown =>
  // A directive's types can't be generic; the parameters above are.
  lazyDirective(load as () => Promise<Component<unknown>>, props, meanwhile);
