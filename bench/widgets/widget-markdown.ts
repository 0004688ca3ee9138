/** Our own Markdown element with the least reader of a stream: what the widget around it costs is the difference. */
import { contestant } from '../contestants/ours.ts';
import { widgetOf } from './of-contestant.ts';

export const widget = widgetOf(contestant);
