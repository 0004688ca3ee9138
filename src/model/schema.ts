import { config, string, ZodMiniObject, type core, type ZodMiniType } from 'zod/mini';

// Must run before the first parse: zod otherwise probes `new Function`, and a strict CSP reports that.
config({ jitless: true });

export * as z from 'zod/mini';

/**
 * A check for the method `check` of a schema. Those of zod are classes: the first answer would load them, although only rare
 * parts use them.
 *
 * @param path - the field with the error
 */
export const ensure =
  <Value>(test: (value: Value) => boolean, message?: string, path: string[] = []) =>
  ({ value, issues }: core.ParsePayload<Value>): void => {
    if (!test(value)) issues.push({ code: 'custom', input: value, path, message });
  };

/** A text of at most `length` characters. */
export const shortText = (length: number) => string().check(ensure((text) => text.length <= length));

/**
 * An object with any keys, whose values fit a schema; a `Map` or a `Date` counts as an empty one. The class of zod also checks
 * the keys, is three times as long, and the first answer would load it.
 */
export const recordOf = <Values extends ZodMiniType>(values: Values) =>
  new ZodMiniObject({ type: 'object', shape: {}, catchall: values }) as ZodMiniType<
    Record<string, core.output<Values>>,
    Record<string, core.input<Values>>
  >;
