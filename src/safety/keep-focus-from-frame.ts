/** A document may take the focus twice by mistake, such as an app that shows a result while the user types. */
const MOST = 2;
/** Someone who has typed or pressed outside of the frame so recently is still busy there (ms). */
const BUSY_MS = 1000;
/** The Tab key moves the focus into a frame within this time (ms). */
const TAB_MS = 500;

/** What `frame.html`, which contains the agent's document, knows about the user's presses in that document. */
export interface Presses {
  /** The user has pressed a key, the mouse or the screen in the document a moment ago; also true if the browser can't tell. */
  readonly active: boolean;
  /** The pointer is over it. */
  readonly over: boolean;
}

/**
 * Keeps a frame from taking the focus while the user types elsewhere: browsers allow it to any frame, and what is typed
 * next would go to its scripts. A browser reports it only afterwards, and nothing (not even `inert`) prevents
 * `window.focus()`. So the focus is taken back, and a frame that tries again and again is reported, to be closed. Presses
 * and the pointer in a frame of another process are not visible here, so `frame.html` is asked.
 *
 * @param frame - already attached, because its root is read once
 * @returns a function that ends it
 */
export function keepFocus(
  frame: HTMLIFrameElement,
  { askPresses, onTakenTooOften }: { askPresses(): Promise<Presses>; onTakenTooOften(): void },
): () => void {
  /** The field of the widget or the page that has the focus. */
  let field = focusedField();
  /** The last key or press outside of the frame. */
  let last = { isTab: false, at: -Infinity };
  let times = 0;

  const abort = new AbortController();
  const listen = (target: EventTarget, name: string, listener: (event: Event) => void): void => {
    target.addEventListener(name, listener, { capture: true, signal: abort.signal });
  };
  const rememberField = (event: Event): void => {
    const [target] = event.composedPath();
    if (target !== frame) field = target instanceof HTMLElement && isField(target) ? target : undefined;
  };
  // Between two elements of one shadow root, the focus moves without an event outside of it.
  for (const root of [window, frame.getRootNode()]) listen(root, 'focusin', rememberField);
  // At the window, a key in a closed shadow root has the host of that root as its target.
  listen(frame.getRootNode(), 'keydown', rememberField);
  listen(window, 'keydown', (event) => {
    rememberField(event);
    last = { isTab: (event as KeyboardEvent).key === 'Tab', at: performance.now() };
  });
  listen(window, 'pointerdown', () => {
    last = { isTab: false, at: performance.now() };
  });
  listen(window, 'blur', ({ target }) => {
    const isByTab = last.isTab && performance.now() - last.at < TAB_MS;
    // In Firefox, the frame becomes the active element only after this event, so `returnFocus` checks whether it has the focus.
    if (target === window && field?.isConnected && !isByTab) void returnFocus(field);
  });

  async function returnFocus(before: HTMLElement): Promise<void> {
    const isBusy = performance.now() - last.at < BUSY_MS;
    const { active, over } = await askPresses();
    // The user has gone there: they have pressed in it, and point at it or are not busy elsewhere. `active` alone lasts for seconds.
    const isByUser = active && (over || !isBusy);
    if (abort.signal.aborted || !hasFocus(frame) || isByUser) return;
    before.focus({ preventScroll: true });
    times++;
    if (times > MOST) onTakenTooOften();
  }

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
