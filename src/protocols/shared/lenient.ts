import { z } from '../../model/schema.ts';

/** A schema for a field that may be missing, null or of another type; such values are parsed as undefined. */
export const lenient = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullish(schema), undefined);
export const lenientString = lenient(z.string());
export const lenientNumber = lenient(z.number());
export const lenientRecord = lenient(z.record(z.string(), z.unknown()));
