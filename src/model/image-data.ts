import type { Immutable } from './immutable.ts';
import { z } from './schema.ts';

export const imageData = z.object({ data: z.string(), mimeType: z.string() });
/** An image: base64 without a prefix, and its MIME type. */
export type ImageData = Immutable<z.infer<typeof imageData>>;
