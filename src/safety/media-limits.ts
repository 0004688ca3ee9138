export interface MediaLimits {
  /** Maximum decoded size of an inline image, in bytes. */
  readonly imageBytes: number;
  /** Maximum width times height, in pixels. */
  readonly imagePixels: number;
  readonly imageTypes: readonly string[];
}

export const mediaLimits: MediaLimits = {
  imageBytes: 2 * 1024 * 1024,
  imagePixels: 40_000_000,
  imageTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
};
