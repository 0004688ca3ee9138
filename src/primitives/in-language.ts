/** Gives what is shown beside the chat (a dialog, a menu: straight in the shadow root) the chat's language and direction. */
export function inLanguageOf(root: ParentNode, shown: HTMLElement): void {
  const chat = root.querySelector<HTMLElement>('.chat');
  if (!chat) return;
  shown.lang = chat.lang;
  shown.dir = chat.dir;
}
