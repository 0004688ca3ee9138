/** A removed widget leaves no timer, listener, observer, object URL, channel, lock, request or socket behind. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ControlledAgent, session, SESSION_END } from './support/controlled-agent.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

/**
 * Counts the objects that a page holds. Targets that outlive an element: the window, the document, and objects of the
 * browser.
 */
const COUNTING = `
  const held = new Map();
  const add = (kind, key) => held.set(key, kind);
  const drop = (key) => held.delete(key);
  for (const [start, stop] of [['setTimeout', 'clearTimeout'], ['setInterval', 'clearInterval'],
    ['requestAnimationFrame', 'cancelAnimationFrame'], ['requestIdleCallback', 'cancelIdleCallback']]) {
    const [begin, end] = [globalThis[start], globalThis[stop]];
    if (!begin) continue;
    globalThis[start] = (act, ...rest) => {
      const id = begin((...values) => { if (start !== 'setInterval') drop(start + id); act?.(...values); }, ...rest);
      add(start, start + id);
      return id;
    };
    globalThis[stop] = (id) => { drop(start + id); end(id); };
  }
  const outlives = (target) => target === globalThis || target === document || target === document.documentElement ||
    target === document.body || target === globalThis.visualViewport || target === globalThis.navigation ||
    target instanceof MediaQueryList || target === navigator.serviceWorker;
  const keys = new WeakMap();
  let count = 0;
  const idOf = (object) => { if (!keys.has(object)) keys.set(object, ++count); return keys.get(object); };
  const key = (target, type, listener, options) =>
    [idOf(target), type, idOf(listener), Boolean(typeof options === 'object' ? options?.capture : options)].join();
  const { addEventListener: listen, removeEventListener: unlisten } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? globalThis;
    if (listener && outlives(target) && !options?.signal?.aborted) {
      const name = key(target, type, listener, options);
      add('listener ' + type, name);
      options?.signal && listen.call(options.signal, 'abort', () => drop(name));
      if (options?.once) listen.call(target, type, () => drop(name), { once: true, capture: Boolean(options.capture) });
    }
    return listen.call(target, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? globalThis;
    if (listener && outlives(target)) drop(key(target, type, listener, options));
    return unlisten.call(target, type, listener, options);
  };
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (blob) => { const url = createObjectURL.call(URL, blob); add('object URL', url); return url; };
  URL.revokeObjectURL = (url) => { drop(url); revokeObjectURL.call(URL, url); };
  for (const name of ['BroadcastChannel', 'WebSocket']) {
    const Base = globalThis[name];
    globalThis[name] = class extends Base {
      constructor(...values) { super(...values); add(name, this); }
      close(...values) { drop(this); super.close(...values); }
    };
  }
  for (const name of ['ResizeObserver', 'IntersectionObserver', 'MutationObserver']) {
    const Base = globalThis[name];
    globalThis[name] = class extends Base {
      // An observer of a removed element is released with it.
      observe(target, ...rest) { if (outlives(target)) add(name, this); super.observe(target, ...rest); }
      disconnect() { drop(this); super.disconnect(); }
    };
  }
  globalThis.countHeld = async () => {
    const counts = {};
    for (const kind of held.values()) counts[kind] = (counts[kind] ?? 0) + 1;
    const { held: locks = [], pending = [] } = await navigator.locks.query();
    if (locks.length + pending.length > 0) counts.locks = [...locks, ...pending].map(({ name }) => name);
    return counts;
  };
`;

const WIDGETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'without storage': { attachments: 'image/*', voice: 'both', feedback: 'comment' },
  'with persist="session"': { persist: 'session', attachments: 'image/*' },
  'with persist="local"': { persist: 'local', consent: '', debug: '' },
  'with keep-alive': { persist: 'local', 'keep-alive': '' },
  floating: { mode: 'floating', persist: 'session' },
};

/** Objects that no module may hold. */
const TEMPORARY = [
  ...['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback'],
  ...['BroadcastChannel', 'WebSocket', 'object URL', 'locks', 'ResizeObserver', 'IntersectionObserver'],
];

describe('a removed widget', () => {
  let site: Site;
  let agent: ControlledAgent;
  before(async () => {
    site = await openSite({
      pages: { '/': '<p>A page</p>' },
      agent: (request, response) => agent.handler(request, response),
    });
  });
  after(() => site.close());

  const counted = (page: Page): Promise<Readonly<Record<string, unknown>>> =>
    page.evaluate(() => (globalThis as unknown as { countHeld(): Promise<Record<string, unknown>> }).countHeld());

  /** A widget is inserted, answers, and is removed in the middle of its second reply. */
  async function cycle(page: Page, attributes: Readonly<Record<string, string>>): Promise<void> {
    const before = agent.requests.length;
    await page.evaluate(async (all) => {
      const chat = document.createElement('agent-chat');
      const settings = { endpoint: '/agent', protocol: 'agent-session', retry: 'off', ...all };
      for (const [name, value] of Object.entries(settings)) chat.setAttribute(name, value);
      document.body.append(chat);
      await chat.updateComplete;
      chat.show();
      void chat.send('First');
    }, attributes);
    await agent.requestCount(before + 1);
    agent.write(session('# One\n\n```js\nconst a = 1\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n') + SESSION_END);
    agent.end();
    await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'idle');
    if (attributes['attachments'])
      await page.locator('agent-chat input[type="file"]').setInputFiles({
        name: 'a.png',
        mimeType: 'image/png',
        buffer: Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          'base64',
        ),
      });
    await page.evaluate(() => void document.querySelector('agent-chat')?.send('Second'));
    await agent.requestCount(before + 2);
    agent.write(session('Half'));
    await page.waitForFunction(() => document.querySelector('agent-chat')?.status === 'streaming');
    await page.evaluate(async (keeps) => {
      const chat = document.querySelector('agent-chat');
      chat?.remove();
      if (keeps) chat?.stop();
      // A removed widget interrupts its reply after a delay, because it could have been moved.
      while (chat?.status === 'streaming') await new Promise(requestAnimationFrame);
    }, attributes['keep-alive'] === '');
    agent.end();
  }

  for (const [name, attributes] of Object.entries(WIDGETS)) {
    it(`${name} holds nothing`, async () => {
      agent = new ControlledAgent();
      const page = await site.open();
      await page.addInitScript(COUNTING);
      await page.goto(site.origin);
      await page.waitForFunction(() => customElements.get('agent-chat') !== undefined);
      // The first widget loads modules, and those may listen as long as the page exists.
      await cycle(page, attributes);
      const settle = async (): Promise<Readonly<Record<string, unknown>>> => {
        let now = await counted(page);
        for (let attempt = 0; attempt < 80 && TEMPORARY.some((kind) => now[kind] !== undefined); attempt++) {
          await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
          now = await counted(page);
        }
        return now;
      };
      const baseline = await settle();
      assert.deepEqual(
        TEMPORARY.filter((kind) => baseline[kind] !== undefined),
        [],
        JSON.stringify(baseline),
      );
      for (let times = 0; times < 2; times++) await cycle(page, attributes);
      assert.deepEqual(await settle(), baseline);
      await releaseContext(page);
    });
  }
});
