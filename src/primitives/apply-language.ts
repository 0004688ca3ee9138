/** Applies the chat's language and direction to elements outside of it (a dialog or menu directly in the shadow root). */
export function applyLanguage(root: ParentNode, element: HTMLElement): void {
  const chat = root.querySelector<HTMLElement>('.chat');
  if (!chat) return;
  element.lang = chat.lang;
  element.dir = chat.dir;
}
