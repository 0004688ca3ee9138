/** Memory after use: widgets that were inserted and removed, and a conversation that grew and was cleared. */
import type {} from '../../src/index.ts';
import type { AgentChat } from '../../src/index.ts';
import type { CorpusName } from '../corpora/corpora.ts';
import { nextFrame, settled } from './frames.ts';
import { host } from './host.ts';

const BUILT = '/dist/agent-chat.js';
const SHORT: CorpusName = 'mixed 1 KB';
const url = (): string =>
  new URL(`/agent/openai?${new URLSearchParams({ corpus: SHORT }).toString()}`, location.href).href;

async function open(): Promise<AgentChat> {
  await import(/* @vite-ignore */ BUILT);
  const chat = document.createElement('agent-chat');
  chat.protocol = 'openai-chat';
  chat.endpoint = url();
  chat.style.blockSize = '100%';
  host().replaceChildren(chat);
  await chat.updateComplete;
  return chat;
}

/**
 * The engine stores numbers that became strings in a table, which grows once, by 64 KB. This triggers the growth before
 * the first count, because otherwise some page would seem to have leaked it.
 */
export function fillNumberCache(): number {
  let characters = 0;
  for (let number = 0; number < 100_000; number++) characters += String(number).length;
  return characters;
}

/** Widgets that answer once and are removed from the page. */
export async function cycle(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const chat = await open();
    await chat.send('Everything, please');
    await nextFrame();
    chat.remove();
  }
  await settled();
}

/** One widget that answers many times and is then cleared. */
let reused: AgentChat | undefined;
export async function reply(times: number): Promise<void> {
  reused ??= await open();
  for (let time = 0; time < times; time++) await reused.send('Everything, please');
  await settled();
}
export async function clear(): Promise<void> {
  reused?.clear();
  await settled();
}
