/** The meaning of the theme builder's controls. */

/**
 * The tokens that differ from the widget's defaults. A control names its token; two controls of one token are its light
 * and dark value.
 */
export function tokensOf(form: HTMLFormElement): ReadonlyMap<string, string> {
  const groups = Map.groupBy(
    [...form.elements].filter((element) => element instanceof HTMLInputElement || element instanceof HTMLSelectElement),
    ({ dataset }) => dataset['token'],
  );
  const tokens = new Map<string, string>();
  for (const [token, controls] of groups) {
    if (token === undefined || !controls.some(isChanged)) continue;
    const values = controls.map(({ value, dataset }) => value + (dataset['unit'] ?? ''));
    tokens.set(token, values.length > 1 ? `light-dark(${values.join(', ')})` : (values[0] ?? ''));
  }
  return tokens;
}

const isChanged = (control: HTMLInputElement | HTMLSelectElement): boolean =>
  control instanceof HTMLSelectElement ? control.selectedIndex > 0 : control.value !== control.defaultValue;

/** The widget's tag and the stylesheet of this theme. */
export function themeCss(attributes: Readonly<Record<string, string>>, tokens: ReadonlyMap<string, string>): string {
  const usedAttributes = Object.entries(attributes).filter(([, value]) => value !== '');
  const tag = `<agent-chat${usedAttributes.map(([name, value]) => ` ${name}="${value}"`).join('')}></agent-chat>`;
  if (tokens.size === 0) return tag;
  const rules = [...tokens].map(([name, value]) => `  ${name}: ${value};`);
  return [tag, '', '<style>', 'agent-chat {', ...rules, '}', '</style>'].join('\n');
}

/** The WCAG contrast ratio of two colours as `#rrggbb`. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
