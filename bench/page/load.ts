/** Loads a contestant and renders it empty: the cost for a page before anyone has written anything. */
import type { Contestant } from '../contestants/contestant.ts';
import type { Widget } from '../widgets/widget.ts';
import { settled } from './frames.ts';
import { host } from './host.ts';

export async function load(name: string): Promise<void> {
  const module = (await import(/* @vite-ignore */ `/page/${name}.js`)) as
    | { readonly contestant: Contestant }
    | { readonly widget: Widget };
  if ('widget' in module) await module.widget.mount(host());
  else await module.contestant.mount(host(), '');
  await settled();
}
