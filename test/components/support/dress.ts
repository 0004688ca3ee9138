import { waitUntil } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { loadTheme } from '../../../src/theme/themes.ts';

/** Sets the theme, and resolves when its stylesheet is applied. */
export async function dress(chat: AgentChat, theme: AgentChat['theme']): Promise<void> {
  const sheet = await loadTheme(theme ?? '');
  chat.theme = theme;
  await chat.updateComplete;
  await waitUntil(
    () => !sheet || chat.shadowRoot?.adoptedStyleSheets.includes(sheet) === true,
    `${String(theme)} is worn`,
  );
}
