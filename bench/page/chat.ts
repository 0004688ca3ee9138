/** A complete widget that talks to the bench's agent. */
import type { CorpusName } from '../corpora/corpora.ts';
import type { MountedWidget, Widget } from '../widgets/widget.ts';
import { settled } from './frames.ts';
import { host } from './host.ts';

let chat: MountedWidget | undefined;

export async function mount(name: string): Promise<void> {
  const { widget } = (await import(/* @vite-ignore */ `/page/${name}.js`)) as { readonly widget: Widget };
  host().classList.add('of-widget');
  chat = await widget.mount(host());
  await settled();
}

/** Requests a text, at full speed or at a number of events per second, and waits until it is rendered. */
export async function ask(corpus: CorpusName, rate?: number): Promise<void> {
  const query = new URLSearchParams({ corpus, ...(rate !== undefined && { rate: String(rate) }) });
  await chat?.ask(new URL(`/agent/openai?${query.toString()}`, location.href).href);
  await settled();
}
