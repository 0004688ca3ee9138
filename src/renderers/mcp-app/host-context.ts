/** The information that an app gets about its host. Source: SEP-1865 (MCP Apps), "Host Context". */

/** The style variables of the specification for which the widget has a colour. */
const VARIABLES: Readonly<Record<string, string>> = {
  '--color-background-primary': 'var(--_background)',
  '--color-background-secondary': 'var(--_surface)',
  '--color-text-primary': 'var(--_foreground)',
  '--color-text-secondary': 'var(--_muted)',
  '--color-text-danger': 'var(--_danger)',
  '--color-border-primary': 'var(--_border)',
  '--color-ring-primary': 'var(--_accent-ink)',
};

export interface HostContextOptions {
  readonly locale: string;
  readonly full: boolean;
}

export function hostContext(element: Element, { locale, full }: HostContextOptions): object {
  const probe = document.createElement('i');
  element.append(probe);
  const resolve = (color: string): string => {
    probe.style.color = color;
    return getComputedStyle(probe).color;
  };
  const isDark = resolve('light-dark(rgb(0, 0, 0), rgb(255, 255, 255))') === 'rgb(255, 255, 255)';
  const variables = Object.fromEntries(Object.entries(VARIABLES).map(([name, color]) => [name, resolve(color)]));
  const fontFamily = getComputedStyle(probe).fontFamily;
  probe.remove();
  return {
    theme: isDark ? 'dark' : 'light',
    styles: { variables: { ...variables, '--font-sans': fontFamily } },
    displayMode: full ? 'fullscreen' : 'inline',
    availableDisplayModes: ['inline', 'fullscreen'],
    containerDimensions: { width: Math.round(element.clientWidth), maxHeight: Math.round(innerHeight * 0.8) },
    locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: 'web',
  };
}
