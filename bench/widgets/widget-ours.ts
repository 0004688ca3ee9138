/** `<agent-chat>` from the build. */
import type {} from '../../src/index.ts';
import type { Widget } from './widget.ts';

const BUILT = '/dist/agent-chat.js';

export const widget: Widget = {
  async mount(host) {
    await import(/* @vite-ignore */ BUILT);
    const chat = document.createElement('agent-chat');
    chat.protocol = 'openai-chat';
    chat.style.blockSize = '100%';
    host.append(chat);
    await chat.updateComplete;
    return {
      async ask(url) {
        chat.endpoint = url;
        const { status } = await chat.send('Everything, please');
        if (status !== 'complete') throw new Error(`The reply ended as ${status}.`);
      },
    };
  },
};
