/** Property declarations with attribute converters. An invalid value is reported once on the console, and the default is used. */
import type { ComplexAttributeConverter, PropertyDeclaration } from 'lit';

const warned = new Set<string>();

/** Warns about the page's settings on the console, once for each text. */
export function warnOnce(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  console.warn(`<agent-chat>: ${text}`);
}

/** Maximum length of an excerpt (characters). */
const EXCERPT_LENGTH = 60;

/** Shortens a value of any type for a console message. */
export function excerptOfValue(value: unknown): string {
  try {
    return (JSON.stringify([value]).slice(1, -1) || typeof value).slice(0, EXCERPT_LENGTH);
  } catch {
    // JSON can't represent the value (a circular structure, a bigint).
    return `a value of type ${typeof value}`;
  }
}

/** Declares an enum property; the first value is the default. */
export function enumProperty<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
  reflect = false,
): PropertyDeclaration {
  const converter: ComplexAttributeConverter<Value> = {
    fromAttribute(text) {
      const value = values.find((candidate) => candidate === text);
      if (value !== undefined) return value;
      if (text !== null && text !== '')
        warnOnce(`${name}="${text}" is not one of ${values.join(', ')}; "${values[0]}" is used.`);
      return values[0];
    },
    toAttribute: (value) => value,
  };
  return { attribute: name, reflect, converter };
}

/** Returns a value that was set by script, or the default if it is not allowed. */
export function validEnumValue<Value extends string>(
  name: string,
  value: unknown,
  values: readonly [Value, ...Value[]],
): Value {
  const match = values.find((candidate) => candidate === value);
  if (match === undefined && value !== undefined && value !== null) {
    warnOnce(`${name} = ${excerptOfValue(value)} is not one of ${values.join(', ')}; "${values[0]}" is used.`);
  }
  return match ?? values[0];
}

/** Declares an integer property with a minimum. */
export function integerProperty(name: string, min: number): PropertyDeclaration {
  return {
    attribute: name,
    converter: {
      fromAttribute(text: string | null) {
        const value = Number(text);
        if (text !== null && text.trim() !== '' && Number.isInteger(value) && value >= min) return value;
        if (text !== null)
          warnOnce(`${name}="${text}" is not an integer of at least ${String(min)}; the default is used.`);
        return undefined;
      },
    },
  };
}

/** Declares a property whose attribute contains JSON. */
export function jsonProperty(name: string): PropertyDeclaration {
  return {
    attribute: name,
    converter: {
      fromAttribute(text: string | null) {
        if (text === null || text.trim() === '') return undefined;
        try {
          return JSON.parse(text) as unknown;
        } catch {
          warnOnce(`${name} is not JSON and is ignored.`);
          return undefined;
        }
      },
    },
  };
}

/** Declares a string property. */
export const stringProperty = (name: string, reflect = false): PropertyDeclaration => ({ attribute: name, reflect });
/** Declares a boolean property. */
export const booleanProperty = (name: string, reflect = false): PropertyDeclaration => ({
  attribute: name,
  type: Boolean,
  reflect,
});
/** Declares a property without an attribute. */
export const scriptProperty: PropertyDeclaration = { attribute: false };
