/** A photo as it goes out: no larger than it needs to be, and without what the camera has written into it, such as the place. */

/** Drawn anew without a loss that could be seen. */
const QUALITY = 0.9;

/** What a picture is written as. The others go out as they are: moving ones would stand still, drawn ones have no pixels. */
const WRITTEN_AS: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'image/jpeg'],
  ['image/heic', 'image/jpeg'],
  ['image/heif', 'image/jpeg'],
  ['image/png', 'image/png'],
  ['image/webp', 'image/webp'],
]);

/** The sides of a thumbnail are at least this long, in pixels: twice what is shown. */
const THUMBNAIL = 112;

export interface PreparedImage {
  readonly file: File;
  readonly thumbnail: ImageBitmap;
}

export const isPhoto = (type: string): boolean => WRITTEN_AS.has(type);

/**
 * Scales a photo down to `edge` pixels on its longer side and writes it anew; a PNG that is too heavy then becomes a JPEG.
 *
 * @param maxSize bytes that it may have
 * @throws DOMException when the browser can't read it
 */
export async function prepareImage(
  file: File,
  type: string,
  { edge, maxSize }: { readonly edge: number; readonly maxSize: number },
): Promise<PreparedImage> {
  const whole = await createImageBitmap(file);
  try {
    const scale = Math.min(1, edge / Math.max(whole.width, whole.height));
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(whole.width * scale)),
      Math.max(1, Math.round(whole.height * scale)),
    );
    canvas.getContext('2d')?.drawImage(whole, 0, 0, canvas.width, canvas.height);
    const written = WRITTEN_AS.get(type) ?? type;
    let blob = await canvas.convertToBlob({ type: written, quality: QUALITY });
    if (blob.size > maxSize && blob.type === 'image/png') blob = await toJpeg(canvas);
    return { file: new File([blob], named(file.name, blob.type), { type: blob.type }), thumbnail: await shrink(whole) };
  } finally {
    whole.close();
  }
}

/** A small picture of it; undefined where it is none that the browser can read. */
export async function thumbnailOf(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    const whole = await createImageBitmap(file);
    const thumbnail = await shrink(whole);
    whole.close();
    return thumbnail;
  } catch {
    return undefined;
  }
}

function shrink(whole: ImageBitmap): Promise<ImageBitmap> {
  const side = Math.min(whole.width, whole.height);
  const x = (whole.width - side) / 2;
  const y = (whole.height - side) / 2;
  const size = { resizeWidth: THUMBNAIL, resizeHeight: THUMBNAIL, resizeQuality: 'medium' } as const;
  return createImageBitmap(whole, x, y, side, side, size);
}

/** On white: a JPEG knows nothing see-through. */
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

/** With the ending of what it is now. */
function named(name: string, type: string): string {
  const ending = type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length);
  return new RegExp(`\\.(?:${ending === 'jpg' ? 'jpe?g' : ending})$`, 'i').test(name)
    ? name
    : `${name.replace(/\.[^.]+$/, '')}.${ending}`;
}
