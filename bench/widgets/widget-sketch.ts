/** The sketch of forty lines with a minimal stream reader. */
import { contestant } from '../contestants/sketch.ts';
import { widgetOf } from './of-contestant.ts';

export const widget = widgetOf(contestant);
