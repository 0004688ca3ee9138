/** deep-chat with its own connection. It is told where OpenAI's chunks have their text. */
import { openDeepChat } from '../contestants/open-deep-chat.ts';
import type { Widget } from './widget.ts';

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
}

export const widget: Widget = {
  async mount(host) {
    await openDeepChat(host, { connect: { url: '/agent/openai', stream: true } });
    return {
      async ask(url) {
        let answered = (): void => undefined;
        const answer = new Promise<void>((resolve) => {
          answered = resolve;
        });
        // A setting that changes makes it draw itself anew, so each question has a deep-chat of its own.
        const chat = await openDeepChat(host, {
          connect: { url, stream: true },
          responseInterceptor: (chunk) => ({ text: (chunk as Chunk).choices?.[0]?.delta?.content ?? '' }),
          onMessage: ({ message, isHistory }) => {
            if (!isHistory && message.role !== 'user') answered();
          },
        });
        chat.submitUserMessage({ text: 'Everything, please' });
        await answer;
      },
    };
  },
};
