import type { Suite } from '../harness/suite.ts';
import { expressions } from './expressions.ts';
import { firstAnswer } from './first-answer.ts';
import { firstLoad } from './first-load.ts';
import { frames } from './frames.ts';
import { giantBlocks } from './giants.ts';
import { hostile } from './hostile.ts';
import { hostileTexts } from './hostile-texts.ts';
import { ingest } from './ingest.ts';
import { markdown } from './markdown.ts';
import { memory } from './memory.ts';
import { open } from './open.ts';
import { oversized } from './oversized.ts';
import { shapes } from './shapes.ts';
import { sse } from './sse.ts';

/** In the order of the report. */
export const suites: readonly Suite[] = [
  markdown,
  giantBlocks,
  shapes,
  sse,
  open,
  firstLoad,
  firstAnswer,
  ingest,
  frames,
  memory,
  hostile,
  oversized,
  hostileTexts,
  expressions,
];
