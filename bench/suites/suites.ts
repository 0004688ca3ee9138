import type { Suite } from '../harness/suite.ts';
import { giantBlocks } from './giants.ts';
import { markdown } from './markdown.ts';
import { shapes } from './shapes.ts';
import { sse } from './sse.ts';

/** In the order of the report. */
export const suites: readonly Suite[] = [markdown, giantBlocks, shapes, sse];
