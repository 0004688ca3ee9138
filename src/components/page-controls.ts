/** What a page's own markup can do: `<button data-agent-chat="toggle">`. */
export interface Controllable {
  show(): void;
  hide(): void;
  toggle(): void;
}

export function pressPageControl(event: Event, chat: Controllable): void {
  const target = event.target instanceof Element ? event.target.closest('[data-agent-chat]') : null;
  switch (target?.getAttribute('data-agent-chat')) {
    case 'toggle':
      chat.toggle();
      break;
    case 'show':
      chat.show();
      break;
    case 'hide':
      chat.hide();
      break;
  }
}
