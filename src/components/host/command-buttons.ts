/** The commands for buttons of the page: `<button data-agent-chat="toggle">`. */
export interface PanelCommands {
  show(): void;
  hide(): void;
  toggle(): void;
}

export function runCommandButton(event: Event, chat: PanelCommands): void {
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
