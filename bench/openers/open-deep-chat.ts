import { openDeepChat } from '../contestants/open-deep-chat.ts';
import type { Opener } from './opener.ts';

export const opener: Opener = {
  async open(host, messages) {
    const history = messages.map(({ role, text }) => ({
      role: role === 'user' ? ('user' as const) : ('ai' as const),
      text,
    }));
    const { shadowRoot } = await openDeepChat(host, { history });
    return shadowRoot?.querySelector<HTMLElement>('#messages') ?? host;
  },
};
