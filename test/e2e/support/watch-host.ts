/** A monitor of a page with widgets: scripts, requests, navigation, changes, and the content of the shadow trees. */
import type { Page } from 'playwright-core';

/** The recorded violations. */
interface Seen {
  readonly violations: string[];
}

/** Runs in the page, before any other script. */
function watchInPage(): void {
  const seen: Seen = { violations: [] };
  const scope = globalThis as unknown as Record<string, unknown>;
  const report = (violation: string): void => void seen.violations.push(violation);
  Object.defineProperty(globalThis, 'seen', { value: seen });
  scope['attacked'] = () => {
    report('a script has run');
  };
  for (const name of ['alert', 'confirm', 'prompt', 'open', 'print']) {
    scope[name] = () => {
      report(`${name}() was called`);
    };
  }
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
    report(`violation of ${violatedDirective} by ${blockedURI} ${sample}`);
  });
  addEventListener('error', ({ message }) => {
    report(`error: ${message}`);
  });
  addEventListener('unhandledrejection', ({ reason }) => {
    report(`rejection: ${String(reason)}`);
  });
  // The widget's only allowed change of the page around it: its own attribute `status`.
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver((mutations) => {
      for (const { target, type, attributeName } of mutations) {
        const own = target instanceof Element && target.localName === 'agent-chat' && attributeName === 'status';
        if (!own) report(`the page has changed: ${type} ${attributeName ?? ''} of ${target.nodeName}`);
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}

/** The global state of a page: none of it may change. */
function lookAtPage(): Readonly<Record<string, string>> {
  const { x, y, width, height } = document.querySelector('#outside')?.getBoundingClientRect() ?? new DOMRect();
  const middle = document.elementFromPoint(x + width / 2, y + height / 2);
  return {
    address: location.href,
    history: String(history.length),
    title: document.title,
    frames: String(frames.length),
    // (zod stores its own global there.)
    globals: Object.keys(globalThis)
      .filter((name) => name !== '__zod_globalConfig')
      .join(' '),
    prototypes: [Object.prototype, Array.prototype, Function.prototype]
      .flatMap((prototype) => Reflect.ownKeys(prototype).map(String))
      .join(' '),
    sheets: String(document.styleSheets.length + document.adoptedStyleSheets.length),
    scroll: `${String(scrollX)} ${String(scrollY)}`,
    focus: document.activeElement?.localName ?? '',
    outside: `${String([x, y, width, height])} ${middle?.id ?? ''}`,
    background: getComputedStyle(document.body).background,
  };
}

/** Opens disclosures, dispatches events that a handler may wait for, and lists forbidden content. */
function strangersInPage(): string[] {
  const found: string[] = [];
  const roots = [...document.querySelectorAll('agent-chat')].map(({ shadowRoot }) => shadowRoot);
  const FINE =
    'input[type=checkbox][disabled], button.citation, button.note-mark, button.note-back, agent-chat-alert-icon svg';
  const MEASURED = 'agent-chat-rows, agent-chat-rows > table, agent-chat-rows > div > table, agent-chat-rows col';
  // A table gets these after it has been visible for a while.
  const TABLE_TOOLS = 'agent-chat-rows > .table-bar, agent-chat-rows th > button.sort-by';
  const OURS = 'audio,video,canvas,svg,math,form,input,button,select,textarea,dialog,slot,template';
  for (const root of roots) {
    for (const details of root?.querySelectorAll('details') ?? []) details.open = true;
    for (const element of root?.querySelectorAll('*') ?? []) {
      for (const type of [
        'mouseover',
        'pointerenter',
        'focus',
        'toggle',
        'error',
        'load',
        'animationstart',
        'scrollend',
      ])
        element.dispatchEvent(new Event(type));
      const name = element.localName;
      const words = element.closest('.prose, agent-chat-html');
      if (/^(?:script|style|link|meta|base|iframe|frame|object|embed|portal|area|map|marquee)$/.test(name))
        found.push(`<${name}>`);
      if (/^x-|^agent-chat$/.test(name)) found.push(`<${name}>`);
      // Nodes that our own elements have rendered inside the text are allowed.
      const drawn = element.parentElement?.closest(
        'agent-chat-code, agent-chat-image, agent-chat-rest, agent-chat-html',
      )?.localName;
      if (
        words &&
        words !== element &&
        drawn !== 'agent-chat-code' &&
        drawn !== 'agent-chat-image' &&
        drawn !== 'agent-chat-rest'
      ) {
        if (element.matches(OURS) && !element.matches(FINE) && !element.closest(TABLE_TOOLS))
          found.push(`<${name}> in words`);
        for (const attribute of ['style', 'id', 'name', 'slot', 'popover', 'autofocus', 'is', 'srcset', 'action'])
          if (element.hasAttribute(attribute) && !(attribute === 'style' && element.matches(MEASURED)))
            found.push(`<${name} ${attribute}>`);
      }
      for (const { name: attribute, value } of element.attributes) {
        if (attribute.startsWith('on') || attribute === 'ping' || attribute === 'formaction')
          found.push(`<${name} ${attribute}="${value}">`);
        if (
          ['src', 'poster', 'background', 'data'].includes(attribute) &&
          !/^(?:data:(?:image\/(?:png|jpeg|gif|webp)|audio\/|video\/)|blob:|$)/.test(value)
        )
          found.push(`<${name} ${attribute}="${value.slice(0, 80)}">`);
      }
      const href = element.getAttribute('href');
      const isFine = /^(?:https?:\/\/|mailto:|tel:)/.test(href ?? '') && element.getAttribute('target') === '_blank';
      if (href !== null && !(isFine && element.getAttribute('rel') === 'noopener noreferrer nofollow'))
        found.push(`<${name} href="${href}">`);
    }
    const box = root?.host.getBoundingClientRect();
    const panel = root?.querySelector('.panel');
    if (
      panel &&
      box &&
      getComputedStyle(panel).contain !== 'layout style paint' &&
      getComputedStyle(panel).contain !== 'content'
    )
      found.push('the panel does not keep to itself');
  }
  return found;
}

/** The differences to the original state. */
const changes = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] =>
  Object.entries(after).flatMap(([name, value]) => {
    const known = new Set(before[name]?.split(' '));
    const fresh = value.split(' ').filter((word) => !known.has(word));
    return before[name] === value ? [] : [`${name} of the page: ${fresh.join(' ')}`];
  });

export interface HostWatch {
  /** All violations since the page was opened. */
  violations(): Promise<readonly string[]>;
}

/** Monitors a page from its very beginning. `visit` opens it. */
export async function watchHost(page: Page, visit: () => Promise<unknown>): Promise<HostWatch> {
  const violations: string[] = [];
  page.on('dialog', (dialog) => {
    violations.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => violations.push(`window ${popup.url()}`));
  page.on('download', (download) => violations.push(`download ${download.url()}`));
  page.on('console', (message) => {
    if (/content.?security|policy|refused to|blocked/i.test(message.text()))
      violations.push(`console: ${message.text()}`);
  });
  // (The runner names functions by a helper that is not in the page.)
  await page.addInitScript('globalThis.__name = (named) => named');
  await page.addInitScript(watchInPage);
  await visit();
  page.on('request', (request) => {
    const url = new URL(request.url());
    const own =
      url.origin === new URL(page.url()).origin && /^\/(?:agent\/\d+$|dist\/|favicon\.ico$)/.test(url.pathname);
    if (!own && !['data:', 'blob:'].includes(url.protocol)) violations.push(`request ${request.url().slice(0, 200)}`);
  });
  page.on('framenavigated', (frame) => violations.push(`navigation to ${frame.url()}`));
  const before = await page.evaluate(lookAtPage);
  return {
    async violations() {
      const strangers = await page.evaluate(strangersInPage);
      const seen = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen.violations);
      const after = await page.evaluate(lookAtPage);
      return [...new Set([...violations, ...seen, ...strangers, ...changes(before, after)])];
    },
  };
}
