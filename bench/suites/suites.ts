import type { Suite } from '../harness/suite.ts';
import { markdown } from './markdown.ts';

/** In the order of the report. */
export const suites: readonly Suite[] = [markdown];
