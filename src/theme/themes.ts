/** The built-in themes. Each is a stylesheet on top of the widget's own, loaded when it is selected. */
import { createStylesheet } from './stylesheet.ts';

/** The values of `theme`; the empty string is the default theme. */
export const THEMES = ['', 'messenger', 'editorial', 'terminal', 'support'] as const;
export type ThemeName = (typeof THEMES)[number];

const files: Readonly<Record<Exclude<ThemeName, ''>, () => Promise<{ readonly default: string }>>> = {
  messenger: () => import('./themes/messenger.css?inline'),
  editorial: () => import('./themes/editorial.css?inline'),
  terminal: () => import('./themes/terminal.css?inline'),
  support: () => import('./themes/support.css?inline'),
};

/** One stylesheet for all widgets on the page. */
const loaded = new Map<ThemeName, CSSStyleSheet | undefined>();

/** Returns the stylesheet of a theme; undefined for the default theme, and if loading fails: the next call tries again. */
export async function loadTheme(name: ThemeName): Promise<CSSStyleSheet | undefined> {
  if (name === '') return undefined;
  try {
    const { default: text } = await files[name]();
    if (!loaded.has(name)) loaded.set(name, createStylesheet(text).styleSheet);
    return loaded.get(name);
  } catch {
    return undefined;
  }
}
