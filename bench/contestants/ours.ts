/** `<agent-chat-markdown>` from the build. */
import type { Contestant, Sink } from './contestant.ts';

const BUILT = '/dist/markdown.js';

export const contestant: Contestant = {
  async mount(host) {
    await import(/* @vite-ignore */ BUILT);
    const element = document.createElement('agent-chat-markdown') as HTMLElement & Sink;
    host.append(element);
    return element;
  },
};
