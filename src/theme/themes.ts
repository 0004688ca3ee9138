/** The ready looks. Each is a sheet over those of the widget, fetched when it is chosen. */
import { sheet } from './sheet.ts';

/** What `theme` may say; nothing is the look of the house. */
export const THEMES = ['', 'messenger', 'editorial', 'terminal', 'support'] as const;
export type ThemeName = (typeof THEMES)[number];

const files: Readonly<Record<Exclude<ThemeName, ''>, () => Promise<{ readonly default: string }>>> = {
  messenger: () => import('./themes/messenger.css?inline'),
  editorial: () => import('./themes/editorial.css?inline'),
  terminal: () => import('./themes/terminal.css?inline'),
  support: () => import('./themes/support.css?inline'),
};

/** One sheet for all widgets of a page. */
const loaded = new Map<ThemeName, CSSStyleSheet | undefined>();

/** The sheet of a theme; undefined for the look of the house, and where it can't be fetched: the next need tries again. */
export async function loadTheme(name: ThemeName): Promise<CSSStyleSheet | undefined> {
  if (name === '') return undefined;
  try {
    const { default: text } = await files[name]();
    if (!loaded.has(name)) loaded.set(name, sheet(text).styleSheet);
    return loaded.get(name);
  } catch {
    return undefined;
  }
}
