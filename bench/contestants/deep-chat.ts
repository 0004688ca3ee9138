/** deep-chat, written to by a handler of the page: no network, one answer. */
import 'deep-chat';
import type { DeepChat, Signals } from 'deep-chat';
import { settled } from '../page/frames.ts';
import type { Contestant } from './contestant.ts';

export const contestant: Contestant = {
  async mount(host) {
    const chat = document.createElement('deep-chat') as DeepChat;
    const signals = new Promise<Signals>((resolve) => {
      chat.connect = {
        stream: true,
        handler: (_body, given) => {
          resolve(given);
        },
      };
    });
    chat.chatStyle = { width: '100%', height: '100%' };
    host.append(chat);
    await new Promise<void>((resolve) => {
      chat.onComponentRender = () => {
        resolve();
      };
    });
    // It draws itself more than once when it is new.
    await settled();
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
