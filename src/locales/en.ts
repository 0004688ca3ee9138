import { enCodeTools } from './english/en-code-tools.ts';
import { enContent } from './english/en-content.ts';
import { enAnswer } from './english/en-answer.ts';
import { enImage } from './english/en-image.ts';
import { enLazyParts } from './english/en-lazy-parts.ts';
import { enLightbox } from './english/en-lightbox.ts';
import { enPanel } from './english/en-panel.ts';
import { enShell } from './english/en-shell.ts';
import { enStorage } from './english/en-storage.ts';
import { enTableTools } from './english/en-table-tools.ts';
import { enVersions } from './english/en-versions.ts';
import type { Text } from './text.ts';

/**
 * The complete English catalogue, with a key for each text that users see. `{name}` is a placeholder; `count` selects
 * the plural form. A page loads its parts when it needs them.
 */
export const en = {
  ...enShell,
  ...enContent,
  ...enAnswer,
  ...enPanel,
  ...enLazyParts,
  ...enCodeTools,
  ...enLightbox,
  ...enTableTools,
  ...enImage,
  ...enVersions,
  ...enStorage,
};

/** The key of a text. */
export type TextKey = keyof typeof en;
/** The texts of a language, complete or partial. */
export type Strings = Readonly<Partial<Record<TextKey, Text>>>;
