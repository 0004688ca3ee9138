import 'deep-chat';
import type { DeepChat, DeepChatSettings } from 'deep-chat';
import { settled } from '../page/frames.ts';

/** Replaces the host's content with a deep-chat. All settings come first, because a later one would render it again. */
export async function openDeepChat(host: HTMLElement, settings: DeepChatSettings): Promise<DeepChat> {
  const chat = document.createElement('deep-chat') as DeepChat;
  const rendered = new Promise<void>((resolve) => {
    const chatStyle = { width: '960px', height: '760px', border: 'none' };
    Object.assign(chat, { chatStyle, onComponentRender: resolve, ...settings });
  });
  host.replaceChildren(chat);
  await rendered;
  await settled();
  return chat;
}
