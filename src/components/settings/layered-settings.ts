import { LitElement } from 'lit';
import { warnOnce } from '../shared/attribute-converters.ts';

/** Sources of a setting; an earlier one takes precedence. */
const LAYERS = ['script', 'attribute', 'config'] as const;
type Layer = (typeof LAYERS)[number];
type LayeredValue = Readonly<Partial<Record<Layer, unknown>>>;

/**
 * Base class whose settings come from three layers: a property set by script wins over an attribute. An attribute wins over the JSON
 * in a child `<script type="application/json" slot="config">`. When a value is unset, the next layer applies.
 */
export class LayeredElement extends LitElement {
  readonly #values = new Map<PropertyKey, LayeredValue>();
  #layer: Layer = 'script';
  /** Whether Lit is processing the removal of an attribute. */
  #removing = false;
  readonly #removed: PropertyKey[] = [];

  /** Defines accessors for the settings of a class; Lit wraps them in its own. */
  protected static defineSettings(names: readonly string[]): void {
    for (const name of names) {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: LayeredElement) {
          return this.#resolve(name);
        },
        set(this: LayeredElement, value: unknown) {
          if (this.#removing) this.#removed.push(name);
          else this.#values.set(name, { ...this.#values.get(name), [this.#layer]: this.validateSetting(name, value) });
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
    // Deferred: Lit does not reflect properties that change while it reads an attribute.
    this.writeAs('attribute', () => {
      for (const property of this.#removed.splice(0)) Reflect.set(this, property, undefined);
    });
  }

  /** Reads the settings from the child script into the lowest layer. */
  protected readConfig(): void {
    const script = this.querySelector(':scope > script[slot="config"][type="application/json"]');
    const text = script?.textContent.trim() ?? '';
    if (text === '') return;
    try {
      const config = JSON.parse(text) as Record<string, unknown>;
      this.writeAs('config', () => {
        const declared = (this.constructor as typeof LitElement).elementProperties;
        for (const [name, value] of Object.entries(config)) {
          const property = name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
          if (declared.has(property)) Reflect.set(this, property, value);
          else warnOnce(`the configuration has an unknown setting "${name}".`);
        }
      });
    } catch (error) {
      warnOnce(`the configuration is not JSON and is ignored: ${String(error)}`);
    }
  }

  /** Writes settings to one of the three layers. */
  protected writeAs(layer: Layer, write: () => void): void {
    const previous = this.#layer;
    this.#layer = layer;
    try {
      write();
    } finally {
      this.#layer = previous;
    }
  }

  /** Sets a value that the user has changed. It applies until an attribute or a script sets another. */
  protected change(name: string, value: unknown): void {
    // Sets the new value first, so that the previous one never reappears.
    Reflect.set(this, name, value);
    this.#values.set(name, { ...this.#values.get(name), attribute: value, script: undefined });
  }

  /** Validates a value; subclasses return the usable part, or undefined. */
  protected validateSetting(_name: string, value: unknown): unknown {
    return value;
  }

  #resolve(name: PropertyKey): unknown {
    const values = this.#values.get(name);
    const layer = LAYERS.find((candidate) => values?.[candidate] !== undefined);
    return layer && values?.[layer];
  }
}
