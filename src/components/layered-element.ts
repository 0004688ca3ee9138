import { LitElement } from 'lit';
import { warn } from './attributes.ts';

/** Where a setting comes from; the first that says something wins. */
const LAYERS = ['script', 'attribute', 'config'] as const;
type Layer = (typeof LAYERS)[number];
type Said = Readonly<Partial<Record<Layer, unknown>>>;

/**
 * An element whose settings come from three places: a property set by script wins over an attribute, an attribute over the
 * JSON in a child `<script type="application/json" slot="config">`. One that says nothing any more uncovers the next.
 * Source: the contract, section 2.
 */
export class LayeredElement extends LitElement {
  readonly #said = new Map<PropertyKey, Said>();
  #writing: Layer = 'script';
  /** The attribute that is being told of is gone. */
  #removing = false;
  readonly #removed: PropertyKey[] = [];

  /** Makes accessors for the settings of a class, which Lit wraps in its own. */
  protected static layer(names: readonly string[]): void {
    for (const name of names) {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: LayeredElement) {
          return this.#valueOf(name);
        },
        set(this: LayeredElement, value: unknown) {
          if (this.#removing) this.#removed.push(name);
          else this.#said.set(name, { ...this.#said.get(name), [this.#writing]: value });
        },
      });
    }
  }

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    this.#removing = value === null;
    this.writeAs('attribute', () => {
      super.attributeChangedCallback(name, before, value);
    });
    this.#removing = false;
    // Only now: what changes while Lit reads an attribute is not reflected by it.
    this.writeAs('attribute', () => {
      for (const property of this.#removed.splice(0)) Reflect.set(this, property, undefined);
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
    // First the new value, so that the one before it is never seen.
    Reflect.set(this, name, value);
    this.#said.set(name, { ...this.#said.get(name), attribute: value, script: undefined });
  }

  #valueOf(name: PropertyKey): unknown {
    const said = this.#said.get(name);
    const layer = LAYERS.find((candidate) => said?.[candidate] !== undefined);
    return layer && said?.[layer];
  }
}
