import type {} from '../../src/index.ts';
import { firstWords, type Message } from '../corpora/conversation.ts';
import { nextFrame } from '../page/frames.ts';
import type { Opener } from './opener.ts';

const BUILT = '/dist/agent-chat.js';

export const opener: Opener = {
  async open(host, messages) {
    await import(/* @vite-ignore */ BUILT);
    const chat = document.createElement('agent-chat');
    chat.style.blockSize = '100%';
    chat.messages = messages;
    host.replaceChildren(chat);
    await chat.updateComplete;
    while (!shows(chat, messages)) await nextFrame();
    return chat.shadowRoot?.querySelector<HTMLElement>('.transcript') ?? host;
  },
};

/** Until its parts are loaded, it shows plain text. */
function shows({ shadowRoot }: HTMLElement, messages: readonly Message[]): boolean {
  const answers = shadowRoot?.querySelectorAll('[part~="block-content"]') ?? [];
  const first = [...answers].at(-1)?.querySelector('p');
  return first?.textContent === firstWords(messages.length - 1);
}
