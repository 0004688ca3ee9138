/** Opens a conversation that has already been held. */
import { conversation, type Said } from '../corpora/conversation.ts';
import type { Opener } from '../openers/opener.ts';
import { settled } from './frames.ts';
import { host } from './host.ts';

let opener: Opener | undefined;
let messages: readonly Said[] = [];

/** Loads what shows it, by a conversation of two messages, so that no chunk is fetched later. */
export async function prepare(name: string, count: number): Promise<void> {
  ({ opener } = (await import(/* @vite-ignore */ `/page/${name}.js`)) as { readonly opener: Opener });
  messages = conversation(count);
  await opener.open(host(), conversation(2));
  await settled();
}

export async function open(): Promise<void> {
  await opener?.open(host(), messages);
  await settled();
}
