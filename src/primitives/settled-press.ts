/**
 * Guards controls that an agent can put under the pointer, or change there: a press that began elsewhere, or before they
 * could be read, was meant for what was there before.
 */
import { noChange } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';

/** How long somebody needs to see what is under the pointer now (ms). Also the animation `settling` in `renderers/core/card.css`. */
export const READ_MS = 500;
/** A click this long after the last press came without one: assistive technology can click without a pointer (ms). */
const UNRELATED_MS = 5000;

interface Press {
  readonly target: EventTarget | undefined;
  readonly at: number;
}

let last: Press | undefined;
const observed = new WeakSet<Document>();
/** What each guarded element offers, and when that has changed, in the time of `event.timeStamp`. */
const offers = new WeakMap<Element, { readonly offer: string; readonly since: number }>();

/** A touch is judged by where the finger was put down: a browser looks for the target of its click when it is lifted. */
function observePresses(document: Document): void {
  if (observed.has(document)) return;
  observed.add(document);
  document.addEventListener(
    'pointerdown',
    (event) => {
      last = { target: event.composedPath()[0], at: event.timeStamp };
    },
    { capture: true, passive: true },
  );
}

const guard = {
  capture: true,
  handleEvent(event: Event): void {
    const target = event.target as Element;
    if (event.type === 'keydown') {
      const { repeat, key } = event as KeyboardEvent;
      // The first press may have moved the focus to a field, where a repetition would submit the form.
      if (repeat && key === 'Enter' && target.localName !== 'textarea') event.preventDefault();
      return;
    }
    const control = target.closest('button, a');
    if (!control || isMeant(event as MouseEvent, control)) return;
    event.preventDefault();
    event.stopPropagation();
  },
};

function isMeant({ currentTarget, timeStamp, detail }: MouseEvent, control: Element): boolean {
  const since = offers.get(currentTarget as Element)?.since ?? -Infinity;
  if (detail > 1 || timeStamp - since < READ_MS) return false;
  // The keyboard presses what has the focus, wherever it is.
  if (detail === 0 || !last || timeStamp - last.at > UNRELATED_MS) return true;
  return last.target instanceof Node && control.contains(last.target) && last.at - since >= READ_MS;
}

/**
 * Takes no press on the buttons and links of an element unless it began on the same one, half a second after `offer` has
 * changed; nor the second press of a double-click, nor the repetitions of an Enter that is held down. In the first half-second
 * of the element itself no press can begin: the caller adds the class `settling`, whose animation (`card.css`) takes as long as
 * `READ_MS`.
 *
 * @param offer - what the user reads before a press, if it can change within the element
 */
function guardPresses(element: Element, offer = ''): void {
  const known = offers.get(element);
  if (known?.offer === offer) return;
  offers.set(element, { offer, since: known ? performance.now() : -Infinity });
  if (known) return;
  observePresses(element.ownerDocument);
  for (const type of ['click', 'auxclick', 'keydown']) element.addEventListener(type, guard, guard);
}

/** `guardPresses()` in a template. */
export const settledPress = directive(
  class extends Directive {
    override update({ element }: ElementPart, [offer]: [offer?: string]): unknown {
      guardPresses(element, offer);
      return noChange;
    }

    render(_offer?: string): unknown {
      return noChange;
    }
  },
);
