/** The one place that opens a frame. Source: `security/README.md`, rule 9. */

/** A longer artifact is shown as source only. */
const MAX_LENGTH = 2 * 1024 * 1024;
const MAX_HEIGHT = 20_000;
/** A frame that says nothing is given up so long after it was made, */
const READY_MS = 5000;
/** and so long after it was loaded: what the page forbids loads as a page of the browser's. */
const LOADED_MS = 500;

/** What runs in a frame. */
export type FramedKind = 'text/html' | 'image/svg+xml';

export const isFramed = (type: string): type is FramedKind => type === 'text/html' || type === 'image/svg+xml';

export interface ArtifactFrame {
  readonly element: HTMLIFrameElement;
  /** Tells an app in it something. */
  say(message: object): void;
  close(): void;
}

/** The messages of a frame, as far as they are believed. */
function readMessage(
  data: unknown,
):
  | { readonly type: 'ready' }
  | { readonly type: 'size'; readonly height: number }
  | { readonly type: 'app'; readonly message: unknown }
  | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { agentChat, type, height, message } = data as Record<string, unknown>;
  if (agentChat !== 1) return undefined;
  if (type === 'ready') return { type };
  if (type === 'app') return { type, message };
  return type === 'size' && typeof height === 'number' && Number.isFinite(height)
    ? { type, height: Math.min(Math.max(0, height), MAX_HEIGHT) }
    : undefined;
}

/**
 * A frame that shows an artifact: a page of an opaque origin with a policy of its own that allows no network, loaded by URL.
 * Make one only when the reader has asked for it, since a page's `frame-src` may forbid it and would be told. `blocked` is
 * called when it does not come up.
 */
export function openArtifactFrame(
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
    /** Hears what an app says; what it is told must be checked by a schema. Without it, the document can say nothing. */
    readonly hear?: (message: unknown) => void;
    /** For a document of which we have written most. */
    readonly longest?: number;
  },
  blocked: () => void,
): ArtifactFrame | undefined {
  if (source.length > longest) return undefined;
  const element = document.createElement('iframe');
  element.setAttribute('sandbox', 'allow-scripts');
  element.setAttribute('referrerpolicy', 'no-referrer');
  element.title = title;
  // Beside the bundle, whose chunks lie one folder below it as this file does. Vite would make a `data:` address of it.
  element.src = new URL(/* @vite-ignore */ '../frame.html', import.meta.url).href;

  let waiting = setTimeout(blocked, READY_MS);
  let ready = false;
  element.addEventListener('load', () => {
    clearTimeout(waiting);
    if (!ready) waiting = setTimeout(blocked, LOADED_MS);
  });
  const listen = (event: MessageEvent): void => {
    if (event.source !== element.contentWindow || event.origin !== 'null') return;
    const message = readMessage(event.data);
    if (message?.type === 'ready') {
      ready = true;
      clearTimeout(waiting);
      const app = hear ? { app: true } : {};
      element.contentWindow?.postMessage({ agentChat: 1, type: 'show', html: documentOf(kind, source), ...app }, '*');
    } else if (message?.type === 'size') element.height = String(Math.ceil(message.height));
    else if (message?.type === 'app') hear?.(message.message);
  };
  addEventListener('message', listen);
  return {
    element,
    say(message) {
      element.contentWindow?.postMessage({ agentChat: 1, type: 'app', message }, '*');
    },
    close() {
      clearTimeout(waiting);
      removeEventListener('message', listen);
      element.remove();
    },
  };
}

/** A drawing is shown as a picture, so that no script of it runs even there. */
const documentOf = (kind: FramedKind, source: string): string =>
  kind === 'text/html'
    ? source
    : `<!doctype html><meta charset="utf-8"><style>body{margin:0}img{max-width:100%}</style><img alt="" src="data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}">`;
