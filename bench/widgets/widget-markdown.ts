/** Our Markdown element with a minimal stream reader: the difference to `ours` is the cost of the widget around it. */
import { contestant } from '../contestants/ours.ts';
import { widgetOf } from './of-contestant.ts';

export const widget = widgetOf(contestant);
