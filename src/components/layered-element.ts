import { LitElement, type PropertyDeclaration } from 'lit';
import { warn } from './attributes.ts';

/** Where a setting came from; a higher one wins. */
const LAYERS = { config: 1, attribute: 2, script: 3 } as const;
type Layer = keyof typeof LAYERS;

/**
 * An element whose settings come from three places: a property set by script wins over an attribute, an attribute over the
 * JSON in a child `<script type="application/json" slot="config">`. Source: the contract, section 2.
 */
export class LayeredElement extends LitElement {
  readonly #layers = new Map<PropertyKey, Layer>();
  #writing: Layer = 'script';

  static override getPropertyDescriptor(
    name: PropertyKey,
    key: string | symbol,
    options: PropertyDeclaration,
  ): PropertyDescriptor | undefined {
    const descriptor = super.getPropertyDescriptor(name, key, options);
    if (!descriptor?.set || options.state) return descriptor;
    const { set } = descriptor;
    return {
      ...descriptor,
      set(this: LayeredElement, value: unknown) {
        if (this.#admits(name, value)) set.call(this, value);
      },
    };
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    this.writeAs('attribute', () => {
      super.attributeChangedCallback(name, before, value);
    });
  }

  /** Settings of the page in a child script, as far as nothing more particular has set them. */
  protected readConfig(): void {
    const script = this.querySelector(':scope > script[slot="config"][type="application/json"]');
    const text = script?.textContent.trim() ?? '';
    if (text === '') return;
    try {
      const config = JSON.parse(text) as Record<string, unknown>;
      this.writeAs('config', () => {
        const known = (this.constructor as typeof LitElement).elementProperties;
        for (const [name, value] of Object.entries(config)) {
          const property = name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
          if (known.has(property)) Reflect.set(this, property, value);
          else warn(`the configuration has an unknown setting "${name}".`);
        }
      });
    } catch (error) {
      warn(`the configuration is not JSON and is left out: ${String(error)}`);
    }
  }

  /** Writes settings as coming from one of the three places. */
  protected writeAs(layer: Layer, write: () => void): void {
    const before = this.#writing;
    this.#writing = layer;
    try {
      write();
    } finally {
      this.#writing = before;
    }
  }

  /** A setting that the reader has changed: it holds until an attribute or a script says otherwise. */
  protected change(name: string, value: unknown): void {
    Reflect.set(this, name, value);
    this.#layers.set(name, 'attribute');
  }

  #admits(name: PropertyKey, value: unknown): boolean {
    const held = this.#layers.get(name);
    if (held !== undefined && LAYERS[held] > LAYERS[this.#writing]) return false;
    if (value === undefined) this.#layers.delete(name);
    else this.#layers.set(name, this.#writing);
    return true;
  }
}
