/** deep-chat with a custom handler: no network, one answer. */
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
        handler: (_body, signals) => {
          take(signals);
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
