import { expect, fixture } from '@open-wc/testing';
import { html, render } from 'lit';
import { settledPress } from '../../../src/primitives/press/settled-press.ts';
import { blockStyles } from '../../../src/renderers/core/block-styles.ts';
import { adoptStylesheet } from '../../../src/theme/stylesheet.ts';
import { painted, passTime } from '../../support/pass-time.ts';

/** Longer than a user needs to read an offer (ms). */
const READ = 600;

interface Offered {
  readonly button: HTMLButtonElement;
  /** Which offers have been pressed. */
  readonly pressed: readonly string[];
  change(label: string): void;
}

/** A guarded button, which has just been rendered. */
async function offer(label: string, isInClosedRoot = false): Promise<Offered> {
  const outer = await fixture<HTMLElement>(html`<div></div>`);
  const host = isInClosedRoot ? document.createElement('div') : outer;
  if (host !== outer) outer.attachShadow({ mode: 'closed' }).append(host);
  const pressed: string[] = [];
  const change = (text: string): void => {
    const press = (): unknown => pressed.push(text);
    render(html`<div ${settledPress(text)}><button @click=${press}>${text}</button></div>`, host);
  };
  change(label);
  return { button: host.querySelector('button')!, pressed, change };
}

const options = { bubbles: true, cancelable: true, composed: true };
const down = (button: Element) => button.dispatchEvent(new PointerEvent('pointerdown', options));
const up = (button: Element): void => {
  button.dispatchEvent(new PointerEvent('pointerup', options));
  button.dispatchEvent(new MouseEvent('click', { ...options, detail: 1 }));
};
const keyDown = (button: Element, key: string) =>
  button.dispatchEvent(new KeyboardEvent('keydown', { ...options, key }));
/** A browser presses the button with the space bar when it is released. */
const keyUp = (button: HTMLButtonElement, key: string): void => {
  button.dispatchEvent(new KeyboardEvent('keyup', { ...options, key }));
  button.click();
};

describe('rule 103: a press of what an agent offers', () => {
  it('counts in a closed shadow root too, which the document does not see into', async () => {
    const { button, pressed } = await offer('Allow', true);
    await passTime(READ);
    down(button);
    up(button);
    expect(pressed).to.deep.equal(['Allow']);
  });

  for (const { name, begin, wait } of [
    { name: 'that has just been rendered', begin: 0, wait: 0 },
    { name: 'that begins before it is painted, and ends later', begin: 0, wait: READ },
    { name: 'that begins just after it is painted, and ends later', begin: 100, wait: READ },
  ])
    it(`${name} counts only when it has been visible for long enough`, async () => {
      const { button, pressed } = await offer('Allow');
      if (begin > 0) await passTime(begin);
      down(button);
      if (wait > 0) await passTime(wait);
      up(button);
      expect(pressed).to.deep.equal([]);
      await passTime(READ);
      down(button);
      up(button);
      expect(pressed).to.deep.equal(['Allow']);
    });

  it('counts at once with the keyboard, which presses only what the user has moved the focus to', async () => {
    const { button, pressed } = await offer('Allow');
    button.click();
    expect(pressed).to.deep.equal(['Allow']);
  });

  for (const { name, press, release } of [
    { name: 'the pointer', press: down, release: up },
    {
      name: 'the space bar',
      press: (button: Element) => keyDown(button, ' '),
      release: (button: HTMLButtonElement) => {
        keyUp(button, ' ');
      },
    },
  ])
    for (const held of [READ, 6000])
      it(`does not count if it began with ${name} before the offer changed, ${String(held)} ms ago`, async () => {
        const { button, pressed, change } = await offer('Cancel');
        await passTime(READ);
        press(button);
        change('Pay');
        await passTime(held);
        release(button);
        expect(pressed).to.deep.equal([]);
        // The browser has handled the release.
        await painted();
        press(button);
        release(button);
        expect(pressed).to.deep.equal(['Pay']);
      });

  it('does not count with the keyboard before a change is painted', async () => {
    const { button, pressed, change } = await offer('Cancel');
    await passTime(READ);
    change('Pay');
    // No frame comes while the page is busy: the next one would paint the change.
    const busy = performance.now() + READ;
    while (performance.now() < busy);
    button.click();
    expect(pressed).to.deep.equal([]);
    await passTime(READ);
    button.click();
    expect(pressed).to.deep.equal(['Pay']);
  });

  it('counts without a pointer, as assistive technology presses, when the last press of one is long ago', async () => {
    const { button, pressed } = await offer('Allow');
    down(document.body);
    up(document.body);
    await passTime(6000);
    button.dispatchEvent(new MouseEvent('click', { ...options, detail: 1 }));
    expect(pressed).to.deep.equal(['Allow']);
  });
});

describe('the animation of a new offer', () => {
  /** New questions. Each has buttons that take no press at first. */
  async function questions(count: number): Promise<ShadowRoot> {
    const element = await fixture<HTMLElement>(html`<div></div>`);
    const host = element.attachShadow({ mode: 'open' });
    adoptStylesheet(host, blockStyles);
    render(
      Array.from(
        { length: count },
        () =>
          html`<div ${settledPress()}>
            <div class="settling"><button>Allow</button></div>
          </div>`,
      ),
      host,
    );
    return host;
  }
  const durationOf = (element: Element): unknown => element.getAnimations()[0]?.effect?.getTiming().duration;

  it('lasts until presses count, also if its frame takes long to paint', async () => {
    const host = await questions(1);
    // The page is busy in the frame with the question: the animation has begun, but nobody sees it yet.
    requestAnimationFrame(() => {
      const busy = performance.now() + 100;
      while (performance.now() < busy);
    });
    await painted();
    expect(durationOf(host.querySelector('.settling')!)).to.be.above(500);
  });

  it('is found without a search, which takes longer the more animations a page has', async () => {
    const { getAnimations } = Element.prototype;
    let searches = 0;
    Element.prototype.getAnimations = function (...options) {
      searches += 1;
      return getAnimations.apply(this, options);
    };
    try {
      await questions(20);
      await painted();
    } finally {
      Element.prototype.getAnimations = getAnimations;
    }
    expect(searches).to.equal(0);
  });
});
