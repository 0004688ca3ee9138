/** deep-chat with its own connection, configured for the text field of OpenAI's chunks. */
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
        // A changed setting renders deep-chat again, so each question has its own element.
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
