/** A document may take the focus once by mistake, such as an app that shows a result while the user types. */
const MOST = 2;

/**
 * Keeps a frame from taking the focus while the user types elsewhere: browsers allow it to any frame, and what is typed
 * next would go to its scripts. A browser reports it only afterwards, and nothing (not even `inert`) prevents
 * `window.focus()`. So the focus is taken back, and a frame that tries again and again is reported, to be closed.
 *
 * @param frame - in the document
 * @returns a function that ends it
 */
export function keepFocus(frame: HTMLIFrameElement, tookOften: () => void): () => void {
  /** The field of the widget or the page that has the focus. */
  let field = focusedField();
  /** Whether the pointer is over the frame. Presses in the frame are not reported, but the way there is. */
  let pointed = false;
  /** Whether the last key was Tab, which may move the focus into the frame. */
  let tabbed = false;
  let times = 0;

  const abort = new AbortController();
  const listen = (target: EventTarget, name: string, listener: (event: Event) => void): void => {
    target.addEventListener(name, listener, { capture: true, signal: abort.signal });
  };
  const see = (event: Event): void => {
    const [target] = event.composedPath();
    if (target !== frame) field = target instanceof HTMLElement && isField(target) ? target : undefined;
  };
  // Between two elements of one shadow root, the focus moves without an event outside of it.
  for (const root of [window, frame.getRootNode()]) listen(root, 'focusin', see);
  listen(frame, 'pointerenter', () => {
    pointed = true;
  });
  listen(frame, 'pointerleave', () => {
    pointed = false;
  });
  listen(window, 'keydown', (event) => {
    see(event);
    tabbed = (event as KeyboardEvent).key === 'Tab';
  });
  listen(window, 'pointerdown', () => {
    tabbed = false;
  });
  listen(window, 'blur', ({ target }) => {
    if (target !== window || !hasFocus(frame) || !field?.isConnected || pointed || tabbed) return;
    const before = field;
    times++;
    if (times > MOST) tookOften();
    // During the event, Chromium would set the element, but not the window that gets the keys.
    setTimeout(() => {
      before.focus({ preventScroll: true });
    });
  });
  return () => {
    abort.abort();
  };
}

const isField = (element: HTMLElement): boolean =>
  element.isContentEditable || element.matches('input, textarea, select');

const hasFocus = (frame: HTMLIFrameElement): boolean => {
  const root = frame.getRootNode();
  return (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === frame;
};

function focusedField(): HTMLElement | undefined {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement && isField(active) ? active : undefined;
}
