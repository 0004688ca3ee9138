/** Prepares a photo for sending: scales it down and removes its metadata, such as the location. */

/** JPEG quality without visible loss. */
const QUALITY = 0.9;

/**
 * The types that are encoded again, and their output format. GIF, which may be animated, SVG, which has no pixels, and formats that few
 * browsers read (TIFF, DNG) are sent unchanged. An animated AVIF, PNG or WebP becomes its first image.
 */
const OUTPUT_TYPE: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'image/jpeg'],
  ['image/heic', 'image/jpeg'],
  ['image/heif', 'image/jpeg'],
  ['image/avif', 'image/webp'],
  ['image/apng', 'image/png'],
  ['image/png', 'image/png'],
  ['image/webp', 'image/webp'],
]);

/** Side of a thumbnail in pixels: twice its displayed size. */
const THUMBNAIL = 112;

export interface PreparedImage {
  readonly file: File;
  readonly thumbnail: ImageBitmap;
}

export const isReencoded = (type: string): boolean => OUTPUT_TYPE.has(type);

/**
 * Scales an image down to `edge` pixels on its longer side and encodes it again. A PNG that still has more than `maxSize`
 * bytes becomes a JPEG.
 *
 * @param edge - the limit `photoEdge` of `runtime/limits.ts`
 * @param maxSize - maximum size in bytes
 * @throws DOMException if the browser can't read it
 */
export async function prepareImage(
  file: File,
  type: string,
  { edge, maxSize }: { readonly edge: number; readonly maxSize: number },
): Promise<PreparedImage> {
  const bitmap = await createImageBitmap(file);
  try {
    const scale = Math.min(1, edge / Math.max(bitmap.width, bitmap.height));
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(bitmap.width * scale)),
      Math.max(1, Math.round(bitmap.height * scale)),
    );
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const outputType = OUTPUT_TYPE.get(type) ?? type;
    // A browser that can't encode this type returns a PNG.
    let blob = await canvas.convertToBlob({ type: outputType, quality: QUALITY });
    if (blob.size > maxSize && blob.type === 'image/png') blob = await toJpeg(canvas);
    return {
      file: new File([blob], renameToType(file.name, blob.type), { type: blob.type }),
      thumbnail: await squareThumbnail(bitmap),
    };
  } finally {
    bitmap.close();
  }
}

/** A thumbnail of an image; undefined if the browser can't read it. */
export async function thumbnailOf(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    const bitmap = await createImageBitmap(file);
    const thumbnail = await squareThumbnail(bitmap);
    bitmap.close();
    return thumbnail;
  } catch {
    return undefined;
  }
}

/** The central square, scaled to `THUMBNAIL`. */
function squareThumbnail(bitmap: ImageBitmap): Promise<ImageBitmap> {
  const side = Math.min(bitmap.width, bitmap.height);
  const x = (bitmap.width - side) / 2;
  const y = (bitmap.height - side) / 2;
  const size = { resizeWidth: THUMBNAIL, resizeHeight: THUMBNAIL, resizeQuality: 'medium' } as const;
  return createImageBitmap(bitmap, x, y, side, side, size);
}

/** Converts to JPEG on white, because JPEG has no transparency. */
function toJpeg(source: OffscreenCanvas): Promise<Blob> {
  const canvas = new OffscreenCanvas(source.width, source.height);
  const context = canvas.getContext('2d');
  if (context) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(source, 0, 0);
  }
  return canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
}

/** The file name with the extension of its new type. */
function renameToType(name: string, type: string): string {
  const ending = type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length);
  return new RegExp(`\\.(?:${ending === 'jpg' ? 'jpe?g' : ending})$`, 'i').test(name)
    ? name
    : `${name.replace(/\.[^.]+$/, '')}.${ending}`;
}
