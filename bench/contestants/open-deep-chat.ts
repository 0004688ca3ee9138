import 'deep-chat';
import type { DeepChat, DeepChatSettings } from 'deep-chat';
import { settled } from '../page/frames.ts';

/** Shows a deep-chat in place of what the host has. All settings come first: a later one would make it draw itself anew. */
export async function openDeepChat(host: HTMLElement, settings: DeepChatSettings): Promise<DeepChat> {
  const chat = document.createElement('deep-chat') as DeepChat;
  const shown = new Promise<void>((resolve) => {
    const chatStyle = { width: '960px', height: '760px', border: 'none' };
    Object.assign(chat, { chatStyle, onComponentRender: resolve, ...settings });
  });
  host.replaceChildren(chat);
  await shown;
  await settled();
  return chat;
}
