import { nothing } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import { warnOf } from './contained.ts';

type Component<Props> = (props: Props) => unknown;

/** What has been fetched: the next one of its kind is drawn at once, and nothing moves. */
const fetched = new WeakMap<() => Promise<unknown>, Component<never>>();

/** Shows a component whose code is fetched when it is first needed; `meanwhile` stands in its place, also when it can't be. */
class Lazy extends AsyncDirective {
  #load: (() => Promise<Component<never>>) | undefined;
  #props: unknown;

  render<Props>(load: () => Promise<Component<Props>>, props: Props, meanwhile: unknown = nothing): unknown {
    this.#props = props;
    this.#load = load;
    const component = fetched.get(load);
    if (component) return component(props as never);
    load().then(
      (component) => {
        fetched.set(load, component);
        if (this.#load !== (load as unknown)) return;
        try {
          this.setValue(component(this.#props as never));
        } catch (error) {
          warnOf(load, error);
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
