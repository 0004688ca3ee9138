/** The approach of most pages: a list of all messages. */
import type { Opener } from './opener.ts';
import { showMessage } from './show-message.ts';

export const opener: Opener = {
  open(host, messages) {
    host.replaceChildren(...messages.map(showMessage));
    host.scrollTop = host.scrollHeight;
    return Promise.resolve(host);
  },
};
