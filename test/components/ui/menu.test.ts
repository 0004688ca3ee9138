import { expect, fixture } from '@open-wc/testing';
import { html } from 'lit';
import { toggleMenu } from '../../../src/components/ui/menu.ts';

interface Opened {
  readonly root: ShadowRoot;
  readonly button: HTMLButtonElement;
  readonly host: HTMLElement;
  isOpen(): boolean;
}

/** An open menu in a shadow root, which is in another one. */
async function open(outerMode: ShadowRootMode): Promise<Opened> {
  const outer = await fixture<HTMLElement>(html`<div></div>`);
  const host = document.createElement('div');
  const beside = document.createElement('p');
  outer.attachShadow({ mode: outerMode }).append(host, beside);
  const root = host.attachShadow({ mode: 'open' });
  const button = document.createElement('button');
  const heading = document.createElement('h2');
  root.append(button, heading);
  toggleMenu(button, [[{ label: 'One', run: () => undefined }]]);
  return { root, button, host, isOpen: () => root.querySelector('.menu') !== null };
}

const press = (element: Element | null | undefined): void => {
  element?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, composed: true }));
};

describe('an open menu', () => {
  for (const mode of ['open', 'closed'] as const)
    describe(`in a widget in ${mode === 'open' ? 'an open' : 'a closed'} shadow root of the page`, () => {
      it('stays open while one of its entries or its button is pressed', async () => {
        const { root, button, isOpen } = await open(mode);
        press(root.querySelector('.menu button'));
        press(button);
        expect(isOpen()).to.equal(true);
      });

      it('closes with a press elsewhere in the widget', async () => {
        const { root, isOpen } = await open(mode);
        press(root.querySelector('h2'));
        expect(isOpen()).to.equal(false);
      });

      it('closes with a press beside the widget', async () => {
        const { host, isOpen } = await open(mode);
        press(host.nextElementSibling);
        expect(isOpen()).to.equal(false);
      });

      it('closes with a press elsewhere on the page', async () => {
        const { isOpen } = await open(mode);
        press(document.body);
        expect(isOpen()).to.equal(false);
      });
    });
});
