/** The limit: the last thirty messages, and one empty box for all earlier ones. */
import type { Opener } from './opener.ts';
import { showMessage } from './show-message.ts';

const SHOWN = 30;
const HEIGHT = 200;

export const opener: Opener = {
  open(host, messages) {
    const spacer = document.createElement('div');
    spacer.style.blockSize = `${String(Math.max(0, messages.length - SHOWN) * HEIGHT)}px`;
    host.replaceChildren(spacer, ...messages.slice(-SHOWN).map(showMessage));
    host.scrollTop = host.scrollHeight;
    return Promise.resolve(host);
  },
};
