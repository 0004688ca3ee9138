import { expect } from '@open-wc/testing';
import { find, mount } from '../support/mount.ts';

/** Adds a stylesheet to the page while a test runs. */
async function withStylesheet(css: string, run: () => Promise<void>): Promise<void> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  try {
    await run();
  } finally {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  }
}

/** Typical stylesheets that pages apply to all of their elements. Source: docs/security.md, rule 8. */
describe('the widget with a stylesheet of the page', () => {
  const sheets: readonly (readonly [name: string, css: string])[] = [
    ['that unsets everything', '* { all: unset !important }'],
    ['that resets everything to initial values', '* { all: initial !important }'],
    [
      'that is a preflight',
      '*, ::before, ::after { box-sizing: border-box; margin: 0; padding: 0; border: 0 solid } button { background: none; color: inherit } img, video, svg { display: block; max-width: 100% }',
    ],
    ['that fixes everything on top', '* { position: fixed; z-index: 2147483647 }'],
    [
      'that hides boxes',
      'div:not(:has(agent-chat)), section, dialog, p, button, textarea { display: none !important }',
    ],
    [
      'that hides links and text',
      'a, body * { color: transparent !important; font-size: 0 !important; line-height: 0 !important }',
    ],
    ['that floats it', 'agent-chat { float: left }'],
    ['that makes it as wide as its content', 'agent-chat { width: max-content }'],
    [
      'that writes from right to left in capitals',
      '* { text-transform: uppercase; text-align: right; letter-spacing: 1em; text-indent: 9em }',
    ],
  ];
  for (const [name, css] of sheets) {
    it(name, async () => {
      await withStylesheet(css, async () => {
        const { chat } = await mount({ messages: [{ role: 'assistant', text: 'Good **morning**' }] } as never);
        const panel = find(chat, '.panel').getBoundingClientRect();
        expect(panel.height, 'height').to.equal(576);
        expect(panel.width, 'width').to.be.above(250);
        const input = find(chat, '[part="input"]');
        const place = input.getBoundingClientRect();
        expect(place.height > 15 && place.width > 100, 'a place to write').to.equal(true);
        expect(place.bottom <= panel.bottom && place.right <= panel.right, 'inside of the panel').to.equal(true);
        const { color, fontSize, textTransform, letterSpacing, textIndent, lineHeight } = getComputedStyle(
          find(chat, '.chat'),
        );
        expect(color).not.to.match(/, 0\)$|\/ 0\)$/);
        expect(parseFloat(fontSize)).to.be.above(10);
        expect(parseFloat(lineHeight)).to.be.above(10);
        expect([textTransform, letterSpacing, textIndent]).to.deep.equal(['none', 'normal', '0px']);
      });
    });
  }

  for (const [name, css] of [
    ['a page', 'agent-chat { display: none }'],
    ['a page that unsets everything', '* { all: unset !important } agent-chat { display: none !important }'],
  ] as const) {
    it(`is hidden where ${name} hides it`, async () => {
      await withStylesheet(css, async () => {
        const { chat } = await mount();
        expect(chat.getClientRects().length).to.equal(0);
      });
    });
  }

  it('is hidden by its attribute, whatever the page unsets', async () => {
    await withStylesheet('* { all: unset !important }', async () => {
      const { chat } = await mount();
      chat.hidden = true;
      expect(chat.getClientRects().length).to.equal(0);
    });
  });
});

describe('typing in the widget', () => {
  it('does not trigger shortcuts of the page, except for Escape and Tab', async () => {
    const { chat } = await mount();
    const received: string[] = [];
    const hear = (event: KeyboardEvent): void => void received.push(`${event.type} ${event.key}`);
    const types = ['keydown', 'keypress', 'keyup'] as const;
    for (const type of types) document.addEventListener(type, hear);
    for (const key of ['a', '/', 'Enter', 'Backspace', 'ArrowDown', 'Escape', 'Tab']) {
      for (const type of types) {
        const event = new KeyboardEvent(type, { key, bubbles: true, composed: true, cancelable: true });
        find(chat, '[part="input"]').dispatchEvent(event);
      }
    }
    for (const type of types) document.removeEventListener(type, hear);
    expect(new Set(received.map((said) => said.split(' ')[1]))).to.deep.equal(new Set(['Escape', 'Tab']));
  });
});
