/** How attributes become values. A wrong one is said once on the console, and the default holds. */
import type { ComplexAttributeConverter, PropertyDeclaration } from 'lit';

const warned = new Set<string>();

/** Says what is wrong with a page's settings, once however often it is met. */
export function warn(words: string): void {
  if (warned.has(words)) return;
  warned.add(words);
  console.warn(`<agent-chat>: ${words}`);
}

/** One of some words; the first is the default. */
export function oneOf<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
  reflect = false,
): PropertyDeclaration {
  const converter: ComplexAttributeConverter<Value> = {
    fromAttribute(text) {
      const value = values.find((candidate) => candidate === text);
      if (value !== undefined) return value;
      if (text !== null && text !== '')
        warn(`${name}="${text}" is not one of ${values.join(', ')}; "${values[0]}" is used.`);
      return values[0];
    },
    toAttribute: (value) => value,
  };
  return { attribute: name, reflect, converter };
}

/** A value given by script, or the default where it is none of the allowed ones. */
export function known<Value extends string>(name: string, value: unknown, values: readonly [Value, ...Value[]]): Value {
  const found = values.find((candidate) => candidate === value);
  if (found === undefined && value !== undefined && value !== null) {
    warn(`${name} = ${JSON.stringify(value)} is not one of ${values.join(', ')}; "${values[0]}" is used.`);
  }
  return found ?? values[0];
}

/** A number of at least `least`. */
export function count(name: string, least: number): PropertyDeclaration {
  return {
    attribute: name,
    converter: {
      fromAttribute(text: string | null) {
        const value = Number(text);
        if (text !== null && text.trim() !== '' && Number.isInteger(value) && value >= least) return value;
        if (text !== null)
          warn(`${name}="${text}" is not a whole number from ${String(least)} up; the default is used.`);
        return undefined;
      },
    },
  };
}

/** JSON; what is none is said and left out. */
export function json(name: string): PropertyDeclaration {
  return {
    attribute: name,
    converter: {
      fromAttribute(text: string | null) {
        if (text === null || text.trim() === '') return undefined;
        try {
          return JSON.parse(text) as unknown;
        } catch {
          warn(`${name} is not JSON and is left out.`);
          return undefined;
        }
      },
    },
  };
}

export const word = (name: string, reflect = false): PropertyDeclaration => ({ attribute: name, reflect });
export const flag = (name: string, reflect = false): PropertyDeclaration => ({
  attribute: name,
  type: Boolean,
  reflect,
});
/** Set by script alone. */
export const property: PropertyDeclaration = { attribute: false };
