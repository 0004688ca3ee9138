/**
 * Guards controls that an agent can put under the pointer, or change there: a press that began elsewhere, or before they
 * could be read, was meant for what was there before.
 */
import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';
import { nextPaint, type Paint } from './next-paint.ts';
import { observePress, observePresses, startOf } from './press-start.ts';

/** How long somebody needs to see what is under the pointer now (ms). The animation `settling` in `renderers/core/card.css` ends with it. */
export const READ_MS = 500;

interface Offer {
  readonly text: string;
  readonly since: Paint;
  /** Whether the element is new with it, so that it has not got the focus. */
  readonly isNew: boolean;
}

/** What each guarded element offers. */
const offers = new WeakMap<Element, Offer>();

const guard = {
  capture: true,
  handleEvent(event: Event): void {
    if (event.type === 'pointerdown') {
      observePress(event);
      return;
    }
    const target = event.target as Element;
    if (event.type === 'keydown') {
      const { repeat, key } = event as KeyboardEvent;
      // The first press may have moved the focus to a field, where a repetition would submit the form.
      if (repeat && key === 'Enter' && target.localName !== 'textarea') event.preventDefault();
      return;
    }
    const control = target.closest('button, a');
    const offer = offers.get(event.currentTarget as Element);
    if (!control || !offer || isMeant(event as MouseEvent, control, offer)) return;
    event.preventDefault();
    event.stopPropagation();
  },
};

function isMeant(event: MouseEvent, control: Element, { since, isNew }: Offer): boolean {
  const { detail } = event;
  // The keyboard presses what has the focus, wherever it is.
  if (detail === 0 && isNew) return true;
  const { at, target } = startOf(event);
  return detail < 2 && at - since.time >= READ_MS && (!target || (target instanceof Node && control.contains(target)));
}

/**
 * Takes no press on the buttons and links of an element unless it began on the same one, half a second after `text` could first be
 * seen; nor the second press of a double-click, nor the repetitions of an Enter that is held down. The caller adds the class
 * `settling` to what is new, whose animation (`card.css`) takes as long.
 *
 * @param text - what the user reads before a press, if it can change within the element
 */
function guardPresses(element: Element, text = ''): void {
  const known = offers.get(element);
  if (known?.text === text) return;
  const since = nextPaint();
  offers.set(element, { text, since, isNew: !known });
  if (known) return;
  observePresses(element.ownerDocument);
  for (const type of ['click', 'auxclick', 'keydown', 'pointerdown']) element.addEventListener(type, guard, guard);
  void since.done.then((delay) => {
    endWith(element, READ_MS + delay);
  });
}

/**
 * Otherwise the animation would end before presses count: it has begun with the frame, whose painting may take long. `card.css` reads
 * the property. Animations are not looked for: with hundreds of questions, that takes a page many seconds.
 */
function endWith(element: Element, duration: number): void {
  (element as HTMLElement).style.setProperty('--_read', `${String(duration)}ms`);
}

/** `guardPresses()` in a template. */
export const settledPress = directive(
  class extends Directive {
    override update({ element }: ElementPart, [text]: [text?: string]): unknown {
      guardPresses(element, text);
      return noChange;
    }

    render(_text?: string): unknown {
      return noChange;
    }
  },
);
