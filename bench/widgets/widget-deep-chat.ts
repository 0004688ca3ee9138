/** deep-chat with its own connection. It is told where OpenAI's chunks have their text. */
import 'deep-chat';
import type { DeepChat } from 'deep-chat';
import { settled } from '../page/frames.ts';
import type { Widget } from './widget.ts';

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
}

export const widget: Widget = {
  async mount(host) {
    await show(host, '/agent/openai');
    return {
      async ask(url) {
        // An address is taken when it is first drawn, so each question has a deep-chat of its own.
        const chat = await show(host, url);
        const answered = new Promise<void>((resolve) => {
          chat.onMessage = ({ message, isHistory }) => {
            if (!isHistory && message.role !== 'user') resolve();
          };
        });
        chat.submitUserMessage({ text: 'Everything, please' });
        await answered;
      },
    };
  },
};

async function show(host: HTMLElement, url: string): Promise<DeepChat> {
  const chat = document.createElement('deep-chat') as DeepChat;
  chat.connect = { url, stream: true };
  chat.responseInterceptor = (chunk) => ({ text: (chunk as Chunk).choices?.[0]?.delta?.content ?? '' });
  chat.chatStyle = { width: '100%', height: '100%' };
  const shown = new Promise<void>((resolve) => {
    chat.onComponentRender = () => {
      resolve();
    };
  });
  host.replaceChildren(chat);
  await shown;
  // It draws itself more than once when it is new.
  await settled();
  return chat;
}
