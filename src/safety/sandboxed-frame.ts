/** The only module that creates frames. Source: `docs/security.md`. */
import { ignorePresses } from './ignore-presses-near-frames.ts';
import { keepFocus, type Presses } from './keep-focus-from-frame.ts';

/** Longer artifacts are shown as source only. */
const MAX_LENGTH = 2 * 1024 * 1024;
const MAX_HEIGHT = 20_000;
/** Longer messages of an app are ignored. `frame.html` sends none, and answers the app. */
const MAX_MESSAGE = 4_000_000;
/** Milliseconds after its creation until a frame that has sent no message counts as failed. */
const READY_MS = 5000;
/** The same after its `load` event, which also follows if a blocked frame loads the browser's error page. */
const LOADED_MS = 500;

/** Entries that a document may add to the history of the tab by mistake, without a press of the user. */
const MAX_ENTRIES = 2;

/** Milliseconds after the pointer has left a frame in which a scroll may be an answer to a press in it. */
const RECENT_MS = 500;

/** The dialog of an MCP App in full screen. */
const FULL = 'agent-chat-app > dialog:modal';

/** The content type of a frame. */
export type FramedKind = 'text/html' | 'image/svg+xml';

export const isFramedKind = (type: string): type is FramedKind => type === 'text/html' || type === 'image/svg+xml';

/** Why a preview is closed: it was not loaded, took the focus, or filled the history of the tab. */
export type ClosedFrame = 'frame' | 'focus' | 'history';

export interface SandboxedFrame {
  readonly element: HTMLIFrameElement;
  /** Sends a message to an app in the frame. */
  postMessage(message: object): void;
  close(): void;
}

/** The message of an app: text, because an object could be much larger than what was sent (see `frame.html`). */
function parseJson(text: unknown): unknown {
  try {
    return typeof text === 'string' && text.length <= MAX_MESSAGE ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Validates the messages of a frame. */
function readMessage(
  data: unknown,
):
  | { readonly type: 'ready' }
  | ({ readonly type: 'size'; readonly height: number } & Presses)
  | { readonly type: 'history' | 'escape' }
  | { readonly type: 'app'; readonly message: unknown }
  | ({ readonly type: 'presses' } & Presses)
  | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { agentChat, type, height, message, active, over } = data as Record<string, unknown>;
  if (agentChat !== 1) return undefined;
  if (type === 'ready' || type === 'history' || type === 'escape') return { type };
  if (type === 'app') return { type, message: parseJson(message) };
  const presses = { active: active === true, over: over === true };
  if (type === 'presses') return { type, ...presses };
  return type === 'size' && typeof height === 'number' && Number.isFinite(height)
    ? { type, height: Math.min(Math.max(0, height), MAX_HEIGHT), ...presses }
    : undefined;
}

/**
 * Opens a frame for an artifact: a document of an opaque origin with its own CSP that allows no network, loaded by URL.
 * Open it only on the user's request: a page's `frame-src` may forbid it and report the violation. `blocked` is called
 * if it does not load, or is to be closed.
 */
export function openSandboxedFrame(
  {
    kind,
    source,
    title,
    hear,
    longest = MAX_LENGTH,
  }: {
    readonly kind: FramedKind;
    readonly source: string;
    readonly title: string;
    /** Receives messages of an app; they must be validated by a schema. Without it, the document cannot send any. */
    readonly hear?: (message: unknown) => void;
    /** Length limit for documents that consist mostly of our own code. */
    readonly longest?: number;
  },
  blocked: (reason: ClosedFrame) => void,
): SandboxedFrame | undefined {
  if (source.length > longest) return undefined;
  const element = document.createElement('iframe');
  element.setAttribute('sandbox', 'allow-scripts');
  element.setAttribute('referrerpolicy', 'no-referrer');
  element.title = title;
  // Next to the bundle, whose chunks are one folder below it, as this file is. Vite would inline it as a `data:` URL.
  element.src = new URL(/* @vite-ignore */ '../frame.html', import.meta.url).href;

  let waiting = setTimeout(blocked, READY_MS, 'frame');
  let ready = false;
  let entries = 0;
  let release: (() => void) | undefined;
  let answer: ((presses: Presses) => void) | undefined;
  element.addEventListener('load', () => {
    clearTimeout(waiting);
    if (!ready) waiting = setTimeout(blocked, LOADED_MS, 'frame');
  });
  function resize({ height, over }: { readonly height: number } & Presses): void {
    // In full screen, a document is at least as high as its frame. It reports its own height again when it leaves it.
    if (element.closest(FULL)) return;
    const before = element.height;
    element.height = String(Math.ceil(height));
    // The document knows where the pointer is, and could move a control of the page under it just before a press.
    if (over && element.height !== before) ignoreMoved();
  }
  /** For a moment, controls of the messages outside of this artifact take no press: they may just have moved under the pointer. */
  function ignoreMoved(): void {
    const own = element.closest('agent-chat-artifact');
    ignorePresses(
      element.getRootNode(),
      (target) => target.closest('agent-chat-message') !== null && own?.contains(target) !== true,
    );
  }
  const scrolling = watchScrolling(element);
  const listen = (event: MessageEvent): void => {
    if (event.source !== element.contentWindow || event.origin !== 'null') return;
    const message = readMessage(event.data);
    if (message?.type === 'ready') {
      ready = true;
      clearTimeout(waiting);
      scrolling.start();
      release ??= keepFocus(element, {
        askPresses: () =>
          new Promise((resolve) => {
            answer = resolve;
            element.contentWindow?.postMessage({ agentChat: 1, type: 'presses' }, '*');
          }),
        onTakenTooOften: () => {
          ignoreMoved();
          blocked('focus');
        },
      });
      const app = hear ? { app: true } : {};
      element.contentWindow?.postMessage({ agentChat: 1, type: 'show', html: documentOf(kind, source), ...app }, '*');
    } else if (message?.type === 'size') resize(message);
    else if (message?.type === 'history') {
      entries++;
      if (entries <= MAX_ENTRIES) return;
      ignoreMoved();
      blocked('history');
    } else if (message?.type === 'escape') {
      // A dialog gets no keys that are pressed in its frames.
      element.closest(FULL)?.dispatchEvent(new Event('cancel', { cancelable: true }));
    } else if (message?.type === 'app') hear?.(message.message);
    else if (message?.type === 'presses') answer?.(message);
  };
  addEventListener('message', listen);
  return {
    element,
    postMessage(message) {
      element.contentWindow?.postMessage({ agentChat: 1, type: 'app', message }, '*');
    },
    close() {
      clearTimeout(waiting);
      removeEventListener('message', listen);
      release?.();
      scrolling.stop();
      element.remove();
    },
  };
}

/**
 * A document can scroll everything around its frame, and it knows when it is pressed: what comes under the pointer takes no press
 * for a moment.
 */
function watchScrolling(frame: HTMLIFrameElement): { start(): void; stop(): void } {
  const watched = new AbortController();
  const { signal } = watched;
  /** When the pointer was over the frame: the moment at which it left, or `Infinity` while it is there. */
  let over = 0;
  const scrolled = ({ target, timeStamp }: Event): void => {
    const root = frame.getRootNode() as ShadowRoot | Document;
    if (timeStamp - over > RECENT_MS && root.activeElement !== frame) return;
    const own = frame.closest('agent-chat-app') ?? frame.closest('agent-chat-artifact');
    // In full screen, only the controls of the app are around it.
    if (frame.closest(FULL)) return;
    ignorePresses(
      window,
      (pressed, path) => target !== null && path.includes(target) && own?.contains(pressed) !== true,
    );
  };
  return {
    start() {
      for (const name of ['pointerenter', 'pointerleave'])
        frame.addEventListener(name, ({ timeStamp }) => (over = name === 'pointerenter' ? Infinity : timeStamp), {
          signal,
        });
      // Scrolling inside a shadow root is not seen outside of it.
      for (const root of new Set([window, frame.getRootNode()]))
        root.addEventListener('scroll', scrolled, { capture: true, passive: true, signal });
    },
    stop() {
      watched.abort();
    },
  };
}

/** SVG is shown as an image, so that its scripts cannot run even in the frame. */
const documentOf = (kind: FramedKind, source: string): string =>
  kind === 'text/html'
    ? source
    : `<!doctype html><meta charset="utf-8"><style>body{margin:0}img{max-width:100%}</style><img alt="" src="data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}">`;
