/**
 * The classic script: `<script src="…/embed.js" data-endpoint="/api/chat" defer></script>` adds a launcher to the page
 * and loads the widget when a user is about to use it. It defines no globals. Source: `docs/guides/installing.md`.
 */
/** Integrity hash of the `agent-chat.js` built together with this file; inserted by the build. */
declare const AGENT_CHAT_INTEGRITY: string;

interface Widget extends HTMLElement {
  updateComplete?: Promise<unknown>;
  show?(): void;
}

/** Methods that may be called before the widget is loaded; they wait for it. */
const METHODS = ['send', 'setDraft', 'show', 'hide', 'toggle'] as const;
/** Marks a widget that a script created, and its copies in pages that a router keeps. */
const EMBED_MARKER = 'data-embed';

const LAUNCHER = `:host{display:contents}\
@media print{:host{display:none}}\
button{position:fixed;inset-inline:auto var(--agent-chat-offset-inline,24px);inset-block:auto var(--agent-chat-offset-block,24px);z-index:var(--agent-chat-z-index,2147483000);display:grid;place-items:center;inline-size:var(--agent-chat-launcher-size,56px);aspect-ratio:1;border:0;cursor:pointer;border-radius:calc(var(--agent-chat-radius,12px)*100);background:var(--agent-chat-accent,oklch(54% .15 258));color:var(--agent-chat-on-accent,#fff);box-shadow:0 6px 16px #0003}\
:host([placement=start]) button{inset-inline:var(--agent-chat-offset-inline,24px) auto}\
.failed{background:#b00}\
.busy{opacity:.7}\
svg{width:26px;fill:none;stroke:currentColor;stroke-width:1.3}`;
const ICON = [
  ['svg', 'viewBox', '0 0 20 20'],
  [
    'path',
    'd',
    'M10 3.25c4 0 7 2.6 7 6s-3 6-7 6c-.9 0-1.8-.13-2.6-.38L3.75 16.5l.9-3.1C3.6 12.3 3 10.85 3 9.25c0-3.4 3-6 7-6z',
  ],
] as const;

/**
 * Some tag managers lose `currentScript`. The file name finds the script again, and `data-endpoint` excludes scripts of
 * other vendors. An `<img name="currentScript">` in the page's content replaces `currentScript`.
 */
const findScript = (): HTMLScriptElement | null => {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement) return currentScript;
  return (
    document.querySelector('script[src*="/embed.js"][data-endpoint]') ??
    document.querySelector('script[src*="/embed.js"]')
  );
};

function start(script: HTMLScriptElement): void {
  const existing = document.querySelector<Widget>('agent-chat');
  const settings = (globalThis as { agentChat?: Readonly<Record<string, unknown>> }).agentChat ?? {};
  const own = existing?.getAttribute('endpoint');
  // Another script has it already, or it is for another endpoint than this script's settings, such as a key.
  if (existing?.onpointerenter || (own && own !== (script.getAttribute('data-endpoint') ?? own))) return;
  const widget: Widget = existing ?? document.createElement('agent-chat');
  // `data-load` is an option of the script itself.
  for (const { name, value } of script.attributes) {
    const [, attribute] = name.split(/^data-(?!load$)/);
    if (attribute && !widget.hasAttribute(attribute)) widget.setAttribute(attribute, value);
  }
  if (!existing && !widget.hasAttribute('mode')) widget.setAttribute('mode', 'floating');
  Object.assign(widget, settings);
  // The launcher's styles read the attribute.
  if (settings['placement']) widget.setAttribute('placement', settings['placement'] as string);
  const set = (name: string): unknown => settings[name] ?? widget.getAttribute(name);

  // The element before the widget. If it is disconnected too, a router has replaced the page; if not, only the widget
  // was removed. `document.open` removes the handlers of every element, so that a widget without one no longer works.
  let previousElement: Element | null = script;
  const mount = (): void => {
    document.querySelector(`[${EMBED_MARKER}]`)?.remove();
    previousElement = document.body.lastElementChild;
    document.body.append(widget);
  };
  const observer = new IntersectionObserver((entries) => {
    if (!widget.isConnected) {
      if (widget.onpointerenter && !previousElement?.isConnected) mount();
      // Host styles may hide undefined elements or move fixed ones. The defined widget is visible and stays in the
      // viewport.
    } else if (entries.some((entry) => !entry.intersectionRatio) || getComputedStyle(widget).visibility === 'hidden')
      void load();
  });
  let loading: Promise<void> | undefined;
  let ready: () => void;
  const loaded = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const methods = widget as unknown as Record<string, (...given: unknown[]) => unknown>;
  const load = (): Promise<void> => {
    loading ??= fetchWidget(script, widget, button).then(
      (launcher) => {
        for (const method of METHODS) Reflect.deleteProperty(widget, method);
        ready();
        if (launcher) observer.observe(launcher);
      },
      (cause: unknown) => {
        loading = undefined;
        showFailure(widget, button, cause);
      },
    );
    return loading;
  };
  widget.onpointerenter = load;
  for (const method of METHODS) {
    methods[method] = async (...given) => {
      void load();
      await loaded;
      return methods[method]?.(...given);
    };
  }

  const floating = /floating|sidebar/.test(set('mode') as string);
  let button: HTMLButtonElement | undefined;
  if (floating && !customElements.get('agent-chat') && !widget.shadowRoot) {
    button = renderLauncher(widget, set('heading'));
    button.onclick = async () => {
      widget.show?.();
      await loaded;
      // The user opened the chat to write.
      widget.focus();
    };
    button.onfocus = load;
    observer.observe(button);
  }
  if (!existing) {
    widget.setAttribute(EMBED_MARKER, '');
    mount();
  }
  if (!floating || (set('open') ?? false) !== false || wasOpen(widget.id)) void load();
  else if (script.getAttribute('data-load') === 'idle') {
    // Safari has no `requestIdleCallback`.
    const idle: (act: () => unknown) => unknown =
      (globalThis as Partial<typeof globalThis>).requestIdleCallback ?? setTimeout;
    idle(load);
  }
}

/** Whether the panel was open on the previous page; the widget stores this under the same name. */
function wasOpen(id: string): boolean {
  try {
    return sessionStorage.getItem(`agent-chat open${id && ` ${id}`}`) === 'true';
  } catch {
    return false;
  }
}

/** Renders the launcher in its final look, into the shadow root that the widget takes over. */
function renderLauncher(widget: Widget, heading: unknown): HTMLButtonElement {
  const root = widget.attachShadow({ mode: 'open', delegatesFocus: true });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAUNCHER);
  root.adoptedStyleSheets = [sheet];
  const button = document.createElement('button');
  Object.assign(button, { part: 'launcher', ariaLabel: heading ?? 'Chat' });
  let inner: Element = button;
  for (const [tag, name, value] of ICON) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    element.setAttribute(name, value);
    inner.append(element);
    inner = element;
  }
  root.append(button);
  return button;
}

async function fetchWidget(
  script: HTMLScriptElement,
  widget: Widget,
  button: HTMLButtonElement | undefined,
): Promise<HTMLElement | null | undefined> {
  const focused = button?.matches(':focus');
  if (button) button.className = 'busy';
  const address = new URL('agent-chat.js', script.src).href;
  await preloadVerified(address);
  await import(/* @vite-ignore */ address);
  // A page may have wrapped `define` and call it later.
  await customElements.whenDefined('agent-chat');
  await widget.updateComplete;
  // The focused element has been re-rendered.
  const launcher = widget.shadowRoot?.querySelector<HTMLElement>('[part=launcher]');
  if (focused) launcher?.focus();
  return launcher;
}

/**
 * Loads exactly the module that this script was built with. `import()` takes no integrity hash, but uses the verified
 * preload. (A `<script>` would need a Trusted Types policy for its URL.)
 */
function preloadVerified(href: string): Promise<unknown> {
  const link = document.createElement('link');
  return new Promise((onload, reject) => {
    const onerror = (): void => {
      reject(new Error(href));
    };
    document.head.append(
      Object.assign(link, { rel: 'modulepreload', integrity: AGENT_CHAT_INTEGRITY, href, onload, onerror }),
    );
  }).finally(() => {
    link.remove();
  });
}

/** Shows that loading failed; the next click tries again. */
function showFailure(widget: Widget, button: HTMLButtonElement | undefined, cause: unknown): void {
  const message = 'The chat could not be loaded.';
  if (button) {
    button.className = 'failed';
    button.title = message;
  }
  widget.dispatchEvent(
    new CustomEvent('agent-chat-error', {
      detail: { kind: 'load', message, retryable: true, cause },
      bubbles: true,
    }),
  );
}

// Does nothing on a server.
const script = (globalThis as Partial<typeof globalThis>).document && findScript();
if (script) {
  if (document.body as HTMLElement | null) start(script);
  else
    document.addEventListener('DOMContentLoaded', () => {
      start(script);
    });
}

// Makes this file a module; otherwise its names would be global in its types.
export {};
