/** The sketch of forty lines with the least reader of a stream. */
import { contestant } from '../contestants/sketch.ts';
import { widgetOf } from './of-contestant.ts';

export const widget = widgetOf(contestant);
