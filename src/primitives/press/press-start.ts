/**
 * When and where a press began. Its click is another moment: it comes when the pointer or the key is released, and is handled
 * even later if the page is busy.
 */

/** A click this long after the last press came without one: assistive technology can click without a pointer (ms). */
const UNRELATED_MS = 5000;

interface Start {
  /** In the time of `event.timeStamp`. */
  readonly at: number;
  /** Where a pointer was put down: a browser looks for the target of the click of a touch when the finger is lifted. */
  readonly target?: EventTarget | undefined;
}

interface Press extends Start {
  /** When it was last known to go on. */
  readonly until: number;
}

let pointer: Press | undefined;
let key: Press | undefined;
const observed = new WeakSet<Document>();

/** Notes a press. An element of the widget knows its target more exactly than the document, which does not see into closed shadow roots. */
export function observePress(event: Event): void {
  const { type, timeStamp: at } = event;
  if (type === 'pointerdown') pointer = { at, until: at, target: event.composedPath()[0] };
  else if (type.startsWith('pointer')) pointer &&= { ...pointer, until: at };
  else observeKey(event as KeyboardEvent);
}

function observeKey({ type, timeStamp: at, key: name, repeat }: KeyboardEvent): void {
  if (name !== ' ' && name !== 'Enter') return;
  key = key && (repeat || type === 'keyup') ? { ...key, until: at } : { at, until: at };
  // Enter presses when it is put down, the space bar when it is released: the click comes in the same task. A later one is that of
  // assistive technology, or of the page.
  if (type === 'keyup' || name === 'Enter') setTimeout(() => (key = undefined));
}

export function observePresses(document: Document): void {
  if (observed.has(document)) return;
  observed.add(document);
  for (const type of ['pointerdown', 'pointerup', 'pointercancel', 'keydown', 'keyup'])
    document.addEventListener(type, observePress, { capture: true, passive: true });
}

/** Where and when the press of a click began. One without a press begins with the click. */
export function startOf({ detail, timeStamp: at }: MouseEvent): Start {
  const press = detail === 0 ? key : pointer;
  return press && at - press.until <= UNRELATED_MS ? press : { at };
}
