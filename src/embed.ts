/**
 * The classic script: `<script src="…/embed.js" data-endpoint="/api/chat" defer></script>` puts a launcher on the page and
 * fetches the widget when somebody is about to use it. It makes no global. Source: the contract, section 1.
 */
/** The hash of the `agent-chat.js` that was built along with this file; the build writes it in. */
declare const AGENT_CHAT_INTEGRITY: string;

interface Widget extends HTMLElement {
  updateComplete?: Promise<unknown>;
  show?(): void;
}

/** Methods that may be called before the widget is there: they wait for it. */
const METHODS = ['send', 'setDraft', 'show', 'hide', 'toggle'] as const;
/** A setting of the script itself. */
const OWN = 'load';

const LAUNCHER = `:host{display:contents}
button{position:fixed;inset-inline-end:var(--agent-chat-offset-inline,24px);inset-block-end:var(--agent-chat-offset-block,24px);
z-index:var(--agent-chat-z-index,2147483000);display:grid;place-items:center;padding:0;
inline-size:var(--agent-chat-launcher-size,56px);block-size:var(--agent-chat-launcher-size,56px);border:0;cursor:pointer;
border-radius:calc(var(--agent-chat-radius,12px)*100);background:var(--agent-chat-accent,oklch(54% .15 258));
color:var(--agent-chat-on-accent,#fff);box-shadow:0 6px 16px #00000029}
:host([placement=start]) button{inset-inline:var(--agent-chat-offset-inline,24px) auto}
button:focus-visible{outline:2px solid;outline-offset:2px}
.failed{background:#b42318}
.busy{opacity:.7}
svg{inline-size:26px;block-size:26px;fill:none;stroke:currentColor;stroke-width:1.3;stroke-linecap:round}`;
const BUBBLE =
  'M10 3.25c4 0 7 2.6 7 6s-3 6-7 6c-.9 0-1.8-.13-2.6-.38L3.75 16.5l.9-3.1C3.6 12.3 3 10.85 3 9.25c0-3.4 3-6 7-6z';

/** Tag managers lose `currentScript`; the name finds it again, and a `data-endpoint` tells it from one of another vendor. */
const findScript = (): HTMLScriptElement | undefined => {
  if (document.currentScript) return document.currentScript as HTMLScriptElement;
  const named = [...document.scripts].filter(({ src }) => /\/embed\.js(?:[?#]|$)/.test(src));
  return named.find(({ dataset }) => dataset['endpoint'] !== undefined) ?? named[0];
};

function start(own: HTMLScriptElement): void {
  const there = document.querySelector<Widget>('agent-chat');
  const widget: Widget = there ?? document.createElement('agent-chat');
  const settings = (globalThis as { agentChat?: Readonly<Record<string, unknown>> }).agentChat ?? {};
  for (const [name, value] of Object.entries(own.dataset)) {
    const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (name !== OWN && !widget.hasAttribute(attribute)) widget.setAttribute(attribute, value ?? '');
  }
  if (!there && !widget.hasAttribute('mode')) widget.setAttribute('mode', 'floating');
  Object.assign(widget, settings);
  const set = (name: string): unknown => settings[name] ?? widget.getAttribute(name);

  const waiting: (() => void)[] = [];
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    loading ??= fetchWidget(own, widget, button).then(
      () => {
        for (const method of METHODS) Reflect.deleteProperty(widget, method);
        for (const call of waiting.splice(0)) call();
      },
      (cause: unknown) => {
        loading = undefined;
        fail(widget, button, cause);
      },
    );
    return loading;
  };
  for (const method of METHODS) {
    Object.defineProperty(widget, method, {
      configurable: true,
      value: (...given: unknown[]) =>
        new Promise((resolve) => {
          waiting.push(() => {
            resolve((widget as unknown as Record<string, (...given: unknown[]) => unknown>)[method]?.(...given));
          });
          void load();
        }),
    });
  }

  const floating = /^(?:floating|sidebar)$/.test(String(set('mode')));
  const button =
    floating && !customElements.get('agent-chat') && !widget.shadowRoot
      ? drawLauncher(widget, set('heading'))
      : undefined;
  button?.addEventListener('click', () => {
    widget.show?.();
    // A press means to write.
    waiting.push(() => {
      widget.focus();
    });
  });
  for (const intent of ['pointerenter', 'focus']) button?.addEventListener(intent, () => void load());
  if (!there) document.body.append(widget);
  if (!floating || (set('open') ?? false) !== false || leftOpen(widget.id)) void load();
  else if (own.dataset[OWN] === 'idle') {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => void load());
    else setTimeout(() => void load(), 200);
  }
}

/** The panel was open on the page before; the widget says so under this name. */
function leftOpen(id: string): boolean {
  try {
    return sessionStorage.getItem(`agent-chat open${id && ` ${id}`}`) === 'true';
  } catch {
    return false;
  }
}

/** The launcher as it will look, in the root that the widget takes over. */
function drawLauncher(widget: Widget, heading: unknown): HTMLButtonElement {
  const root = widget.attachShadow({ mode: 'open', delegatesFocus: true });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAUNCHER);
  root.adoptedStyleSheets = [sheet];
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('part', 'launcher');
  button.ariaLabel = typeof heading === 'string' ? heading : 'Chat';
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', BUBBLE);
  svg.append(path);
  button.append(svg);
  root.append(button);
  return button;
}

async function fetchWidget(
  own: HTMLScriptElement,
  widget: Widget,
  button: HTMLButtonElement | undefined,
): Promise<void> {
  const focused = button?.matches(':focus') === true;
  button?.classList.remove('failed');
  button?.classList.add('busy');
  const address = new URL('agent-chat.js', own.src).href;
  await check(address);
  await import(/* @vite-ignore */ address);
  await customElements.whenDefined('agent-chat');
  await widget.updateComplete;
  // What had the focus has been redrawn.
  if (focused) widget.shadowRoot?.querySelector<HTMLElement>('[part=launcher]')?.focus();
}

/**
 * Fetches the module as the one that this script was built with, and no other: `import()` itself takes no hash, but what was
 * fetched ahead is what it gives. (A `<script>` would need a policy of Trusted Types for its address.)
 */
function check(href: string): Promise<unknown> {
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

/** A launcher that does nothing must say so; the next press tries again. */
function fail(widget: Widget, button: HTMLButtonElement | undefined, cause: unknown): void {
  const message = 'The chat could not be loaded.';
  button?.classList.remove('busy');
  button?.classList.add('failed');
  if (button) button.title = message;
  widget.dispatchEvent(
    new CustomEvent('agent-chat-error', {
      detail: { kind: 'load', message, retryable: true, cause },
      bubbles: true,
      composed: true,
    }),
  );
}

// Imported on a server it does nothing.
const script = typeof document === 'undefined' ? undefined : findScript();
if (script) {
  if (document.body as HTMLElement | null) start(script);
  else
    document.addEventListener('DOMContentLoaded', () => {
      start(script);
    });
}

// A module to the compiler, or its names would be global ones in its types.
export {};
