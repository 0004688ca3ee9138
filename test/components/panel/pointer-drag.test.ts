import { expect } from '@open-wc/testing';
import { trackDrag } from '../../../src/components/panel/pointer-drag.ts';

const pointer = (type: string, pointerId: number, clientX = 0): PointerEvent =>
  new PointerEvent(type, { pointerId, clientX, bubbles: true });

/** An element that is dragged with pointer 1, and what the drag has reported. */
function startDrag(): { readonly element: HTMLElement; readonly reported: readonly string[] } {
  const element = document.createElement('div');
  element.setPointerCapture = () => undefined;
  const reported: string[] = [];
  trackDrag(pointer('pointerdown', 1), element, {
    move: (right) => reported.push(`move ${String(right)}`),
    end: (cancelled) => reported.push(cancelled ? 'cancelled' : 'ended'),
  });
  element.dispatchEvent(pointer('pointermove', 1, 40));
  return { element, reported };
}

describe('a drag', () => {
  for (const type of ['pointerup', 'pointercancel', 'pointermove']) {
    it(`ignores another pointer: ${type}`, () => {
      const { element, reported } = startDrag();
      element.dispatchEvent(pointer(type, 2, 90));
      expect(reported).to.deep.equal(['move 40']);
    });
  }

  it('ends with its own pointer, once', () => {
    const { element, reported } = startDrag();
    element.dispatchEvent(pointer('pointerup', 1));
    element.dispatchEvent(pointer('pointermove', 1, 90));
    expect(reported).to.deep.equal(['move 40', 'ended']);
  });

  it('is cancelled by the system, or with Escape', () => {
    const first = startDrag();
    first.element.dispatchEvent(pointer('pointercancel', 1));
    const second = startDrag();
    dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    expect([first.reported.at(-1), second.reported.at(-1)]).to.deep.equal(['cancelled', 'cancelled']);
  });
});
