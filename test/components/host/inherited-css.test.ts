import { expect } from '@open-wc/testing';
import { find, mount } from '../support/mount.ts';

/** The properties that the widget inherits from the page, and why. It resets all other inherited properties. */
const INHERITED: Readonly<Record<string, string>> = {
  'color-scheme': 'whether the page is light or dark',
  direction: 'the direction of the page',
  'font-family': 'the font of the page',
  'pointer-events': 'what cannot be pressed around the widget is meant to be so in it',
  visibility: 'who hides what is around the widget hides the widget',
};

/** Values of which at least one differs from the initial value of a property. */
const VALUES = [
  '1px 1px red',
  '7px 7px',
  'red blue',
  ...'red 9px 7 none auto normal hidden italic 900 right rtl uppercase nowrap preserve break-all anywhere square inside bottom collapse hide small-caps all-small-caps dot under upright vertical-rl geometricprecision pixelated balance crosshair fantasy dark exact 150% 0.9 oldstyle-nums strict evenodd bevel visible linearrgb middle all sans-serif icon only-light read-write disc'.split(
    ' ',
  ),
];

/** The properties that a child inherits, as listed by the engine, each with a value other than its initial one. */
function inheritedProperties(): ReadonlyMap<string, string> {
  const parent = document.createElement('div');
  const child = document.createElement('div');
  parent.append(child);
  document.body.append(parent);
  const inherited = new Map<string, string>();
  const style = getComputedStyle(child);
  for (const name of [...style]) {
    if (name.startsWith('--')) continue;
    const before = style.getPropertyValue(name);
    const value = VALUES.find((candidate) => {
      parent.style.cssText = '';
      parent.style.setProperty(name, candidate);
      return style.getPropertyValue(name) !== before && getComputedStyle(parent).getPropertyValue(name) !== before;
    });
    // A changed size is not inherited: a child with its own value would keep it.
    if (value !== undefined && !/(?:^|-)(?:width|height|block-size|inline-size|origin)$/.test(name))
      inherited.set(name, value);
  }
  parent.remove();
  return inherited;
}

const valuesOf = (element: Element, names: Iterable<string>): ReadonlyMap<string, string> => {
  const style = getComputedStyle(element);
  return new Map([...names].map((name) => [name, style.getPropertyValue(name)]));
};

describe('inherited CSS properties', () => {
  const properties = inheritedProperties();

  it('are known from the engine', () => {
    expect(properties.size).to.be.above(40);
    for (const name of ['color', 'text-shadow', 'cursor', 'visibility'])
      expect(properties.has(name), name).to.equal(true);
  });

  it('end at the widget, except for the ones that it needs', async () => {
    const { chat } = await mount();
    const container = chat.parentElement ?? document.body;
    const before = valuesOf(find(chat, '.chat'), properties.keys());
    const handedDown: string[] = [];
    for (const [name, value] of properties) {
      container.style.setProperty(name, value);
      const now = getComputedStyle(find(chat, '.chat')).getPropertyValue(name);
      if (now !== before.get(name)) handedDown.push(name);
      container.style.removeProperty(name);
    }
    expect(handedDown.sort()).to.deep.equal(
      Object.keys(INHERITED)
        .filter((name) => properties.has(name))
        .sort(),
    );
  });

  it('draw no line under its text', async () => {
    const { chat } = await mount();
    const container = chat.parentElement ?? document.body;
    container.style.textDecoration = 'underline';
    // An engine-specific property with the effective text decoration.
    const decorations = getComputedStyle(find(chat, '.chat')).getPropertyValue('-webkit-text-decorations-in-effect');
    expect(decorations === '' || decorations === 'none').to.equal(true);
  });
});

describe('a universal selector of the page', () => {
  const RULES: Readonly<Record<string, string>> = {
    'text-shadow': '1px 1px red',
    cursor: 'crosshair',
    'user-select': 'none',
    'word-break': 'break-all',
    hyphens: 'auto',
    'text-align-last': 'right',
    'font-variant-caps': 'small-caps',
    'font-size-adjust': '0.9',
    '-webkit-text-fill-color': 'red',
  };
  for (const [name, value] of Object.entries(RULES)) {
    it(`with ${name}: ${value} does not affect the widget`, async () => {
      const { chat } = await mount();
      const before = getComputedStyle(find(chat, '.chat')).getPropertyValue(name);
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`* { ${name}: ${value} }`);
      document.adoptedStyleSheets.push(sheet);
      const now = getComputedStyle(find(chat, '.chat')).getPropertyValue(name);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      expect(now).to.equal(before);
    });
  }
});
