import { z } from '../../model/schema.ts';

/** A field that may be absent, null or of another type: then it says nothing. */
export const maybe = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullish(schema), undefined);
export const maybeText = maybe(z.string());
export const maybeNumber = maybe(z.number());
export const maybeRecord = maybe(z.record(z.string(), z.unknown()));
