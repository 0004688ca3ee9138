import { isRecord } from '../../model/json.ts';
import { ensure, z } from '../../model/schema.ts';

/** A schema for a field that may be missing, null or of another type; such values are parsed as undefined. */
export const lenient = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullish(schema), undefined);
export const lenientString = lenient(z.string());
/** Text for the user. A server that is not strictly typed may send it as a number or a truth value. */
export const textValue = z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String));
export const lenientText = lenient(textValue);
export const lenientNumber = lenient(z.number());
/** An object with any fields. It is not copied: a copy would lose a field named `__proto__`, and the numbers for `exactJson`. */
export const lenientRecord = lenient(
  z.unknown().check(ensure(isRecord)) as unknown as z.ZodMiniType<Record<string, unknown>>,
);
/** A schema for an object of counts. Counts that are missing or no number are left out, and the others are kept. */
export const lenientCounts = <Name extends string>(...names: readonly Name[]) =>
  z.pipe(
    z.unknown(),
    z.transform((value) => {
      if (!isRecord(value)) return undefined;
      const known = names.filter((name) => typeof value[name] === 'number').map((name) => [name, value[name]]);
      return Object.fromEntries(known) as Partial<Readonly<Record<Name, number>>>;
    }),
  );
