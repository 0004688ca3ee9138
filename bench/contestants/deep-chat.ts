/** deep-chat, written to by a handler of the page: no network, one answer. */
import type { Signals } from 'deep-chat';
import type { Contestant } from './contestant.ts';
import { openDeepChat } from './open-deep-chat.ts';

export const contestant: Contestant = {
  async mount(host) {
    let take: (signals: Signals) => void = () => undefined;
    const signals = new Promise<Signals>((resolve) => {
      take = resolve;
    });
    const chat = await openDeepChat(host, {
      connect: {
        stream: true,
        handler: (_body, given) => {
          take(given);
        },
      },
    });
    chat.submitUserMessage({ text: 'Everything, please' });
    const { onOpen, onResponse, onClose } = await signals;
    onOpen();
    return {
      write: (text) => void onResponse({ text }),
      end: () => {
        onClose();
        return Promise.resolve();
      },
    };
  },
};
