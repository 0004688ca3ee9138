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

/** The sheet of a theme; undefined for the look of the house, and where it can't be fetched. */
export async function loadTheme(name: ThemeName): Promise<CSSStyleSheet | undefined> {
  if (name === '') return undefined;
  try {
    return sheet((await files[name]()).default).styleSheet;
  } catch {
    return undefined;
  }
}
