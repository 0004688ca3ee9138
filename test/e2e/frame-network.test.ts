import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { browserArguments, findBrowser } from '../../scripts/find-browser.ts';
import { HARMLESS, RESOURCE_HINTS } from './support/resource-hints.ts';
import { releaseContext, openSite, type Site } from './support/site.ts';

/**
 * A script that starts WebRTC in a frame: it sends STUN and TURN requests to the server of this test.
 */
const webRtcProbe = (port: number): string => `
  (async () => {
    const Connection = self.RTCPeerConnection ?? self.webkitRTCPeerConnection;
    if (!Connection) return 'none';
    const connection = new Connection({ iceServers: [
      { urls: 'stun:127.0.0.1:${String(port)}' },
      { urls: 'turn:127.0.0.1:${String(port)}?transport=tcp', username: 'secret', credential: 'x' },
    ] });
    connection.createDataChannel('x');
    await connection.setLocalDescription();
    await new Promise((resolve) => {
      connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve();
    });
    return 'gathered';
  })().then((result) => { top.postMessage(result, '*'); })`;

const nested = (port: number): string =>
  JSON.stringify(`<script>${webRtcProbe(port)}</script>`).replaceAll('<', '\\u003c');

/** The frame in a declared root, and its end, as markup and as a string of a script. */
const inRoot = (port: number): string =>
  `<iframe srcdoc="${`<script>${webRtcProbe(port)}</script>`.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe></template></div>`;
const quotedRoot = (port: number): string => JSON.stringify(inRoot(port)).replaceAll('<', '\\u003c');

/** Documents that try to reach a window with unmodified globals. */
const ESCAPES: Readonly<Record<string, (port: number) => string>> = {
  'its own window': (port) => `<script>${webRtcProbe(port)}</script>`,
  'a frame in its markup': (port) =>
    `<iframe srcdoc="${`<script>${webRtcProbe(port)}</script>`.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`,
  'a frame in a frame': (port) =>
    `<body><script>document.body.innerHTML = '<div><iframe></iframe></div>'; document.querySelector('iframe').srcdoc = ${nested(port)};</script>`,
  'a frame created by a script': (port) =>
    `<script>const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; document.documentElement.append(f);
     const end = performance.now() + 300; while (performance.now() < end);</script>`,
  'a frame with a javascript: URL': (port) =>
    `<script>const f = document.createElement('iframe'); f.src = 'javascript:' + encodeURIComponent(${JSON.stringify(webRtcProbe(port)).replaceAll('<', '\\u003c')}); document.documentElement.append(f);</script>`,
  'the window of an empty frame': (port) =>
    `<script>const f = document.createElement('iframe'); document.documentElement.append(f);
     try { self.RTCPeerConnection = f.contentWindow.RTCPeerConnection; } catch {} ${webRtcProbe(port)}</script>`,
  'a closed shadow root': (port) =>
    `<div id="d"></div><script>const root = d.attachShadow({ mode: 'closed' }); const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; root.append(f);</script>`,
  'a declarative shadow root': (port) =>
    `<div><template shadowrootmode="closed"><iframe srcdoc="${`<script>${webRtcProbe(port)}</script>`.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe></template></div>`,
  'a declarative shadow root from document.write()': (port) =>
    `<script>document.write('<div><template shadow' + 'rootmode="closed"><iframe srcdoc="' + ${nested(port)}.replaceAll('&', '&amp;').replaceAll('"', '&quot;') + '"></iframe></template></div>');</script>`,
  'a root whose name the text after a script completes': (port) =>
    ['s', 'shadow', 'shadowroot', 'shadowrootm', 'SHADOWROOTMOD']
      .map(
        (start) =>
          `<div><script>document.write('<template ${start}')</script>${'shadowrootmode'.slice(start.length)}="closed">${inRoot(port)}`,
      )
      .join(''),
  'a root whose name another line completes': (port) =>
    `<div><script>document.writeln('<template'); document.write('shadowroot', 'm')</script>ode=open>${inRoot(port)}`,
  'a root whose name a nested script begins': (port) =>
    `<script>document.write('<div><script>document.write("<template shadowroot")</scr' + 'ipt>mode=closed>' + ${quotedRoot(port)})</script>`,
  'a root with parts of its name from three calls': (port) =>
    `<script>document.write('<div><script>document.write("<template shadow")</scr' + 'ipt>r'); document.write('ootmode=closed>' + ${quotedRoot(port)})</script>`,
  'a root with its name in the arguments of one call': (port) =>
    `<script>document.write('<div><template shadowroot', 'mode=closed>', ${quotedRoot(port)})</script>`,
  'a root with a call for another document in between': (port) =>
    `<script>const other = document.implementation.createHTMLDocument('');
     document.write('<div><template shadowroot'); other.write('a text that is long enough'); document.write('mode=closed>' + ${quotedRoot(port)})</script>`,
  'a root with a call that fails in between': (port) =>
    `<script>document.write('<div><template shadowroot'); try { document.write.call({}, 'a text that is long enough'); } catch {} document.write('mode=closed>' + ${quotedRoot(port)})</script>`,
  'a root with its attribute in a second call': (port) =>
    `<script>document.write('<div><template '); document.write('shadowrootmode=closed>'); document.write(${quotedRoot(port)})</script>`,
  'a root in a document that was opened again': (port) =>
    `<script>setTimeout(() => { document.open(); document.write('<div><template shadowroot'); document.write('mode=closed>' + ${quotedRoot(port)}); document.close(); })</script>`,
  'a root in a fragment': (port) =>
    `<script>const fragment = document.createRange().createContextualFragment('<div><template shadowrootmode=open><p></p></template></div>');
     const root = fragment.firstChild.shadowRoot; const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; root?.append(f); document.documentElement.append(fragment);</script>`,
  'a root in a parsed document': (port) =>
    `<script>const made = new DOMParser().parseFromString('<div><template shadowrootmode=open><p></p></template></div>', 'text/html').querySelector('div');
     const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; made.shadowRoot?.append(f); document.documentElement.append(made);</script>`,
  'a root that any other method makes from markup': (port) =>
    `<div id="d"><p></p></div><script>
     for (const owner of [Element.prototype, ShadowRoot.prototype, DocumentFragment.prototype, Document])
       for (const name of Object.getOwnPropertyNames(owner))
         if (/HTML/.test(name) && typeof Object.getOwnPropertyDescriptor(owner, name).value === 'function')
           try { owner[name].call(owner === Document ? Document : d, '<p><template shadowrootmode="open"></template></p>'); } catch {}
     for (const made of document.querySelectorAll('p')) {
       const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; made.shadowRoot?.append(f);
     }</script>`,
  'an image of a frame in SVG': (port) =>
    `<svg><g id="g"><foreignObject width="9" height="9"><iframe id="f"></iframe></foreignObject></g></svg><script>
     g.querySelector('foreignObject').innerHTML = '<iframe></iframe>'; g.querySelector('iframe').srcdoc = ${nested(port)};
     const use = document.createElementNS('http://www.w3.org/2000/svg', 'use'); use.setAttribute('href', '#g');
     document.querySelector('svg').append(use); use.getBBox(); document.documentElement.getBoundingClientRect();</script>`,
  'methods that were replaced': (port) =>
    `<script>Element.prototype.remove = Element.prototype.matches = Element.prototype.querySelectorAll = () => [];
     Function.prototype.call = Reflect.apply = () => undefined; Object.defineProperty(Node.prototype, 'nodeType', { get: () => 3 });
     Array.prototype[Symbol.iterator] = function* () {};
     const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; document.documentElement.append(f);</script>`,
  'a document reopened with document.open()': (port) =>
    `<script>setTimeout(() => { document.open(); document.write('<p>x</p>'); const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; document.body.append(f); document.close(); });</script>`,
  'a clone of a shadow root': (port) =>
    `<script>const host = document.createElement('div'); const root = host.attachShadow({ mode: 'closed', clonable: true });
     const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; root.append(f); document.documentElement.append(host.cloneNode(true));</script>`,
  'a shadow root that a sanitizer makes': (port) =>
    `<div id="d"></div><script>d.setHTML?.('<p><template shadowrootmode="open"></template></p>');
     const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; d.firstChild?.shadowRoot?.append(f);</script>`,
  'a sanitized document': (port) =>
    `<script>const made = Document.parseHTML?.('<p><template shadowrootmode="open"></template></p>').querySelector('p');
     const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; made?.shadowRoot?.append(f); if (made) document.documentElement.append(made);</script>`,
  'lists that read as empty': (port) =>
    `<script>Object.defineProperty(NodeList.prototype, 'length', { get: () => 0 });
     const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; document.documentElement.append(f);</script>`,
  'options with inherited members': (port) =>
    `<div id="d"></div><script>Object.prototype.attributeFilter = 1; try { d.attachShadow({ mode: 'open' }); } catch {}
     delete Object.prototype.attributeFilter;
     const f = document.createElement('iframe'); f.srcdoc = ${nested(port)}; d.shadowRoot?.append(f);</script>`,
  'a javascript: URL that returns a document': (port) =>
    `<script>setTimeout(() => { location = 'javascript:' + encodeURIComponent(JSON.stringify(${nested(port)} + '<script>setTimeout(() => top.postMessage("tried", "*"), 1500)</scr' + 'ipt>')); });</script>`,
  'an object': () => `<object type="text/html" data="about:blank"></object><embed src="about:blank">`,
};

/** Other ways to the network: resource hints, pings, fonts, workers, WebTransport. */
const otherRequests = (port: number): string => `
  <link rel="preconnect" href="http://127.0.0.1:${String(port)}/"><link rel="dns-prefetch" href="http://127.0.0.1:${String(port)}/">
  <link rel="prefetch" href="http://127.0.0.1:${String(port)}/"><link rel="modulepreload" href="http://127.0.0.1:${String(port)}/x.js">
  <link rel="prerender" href="http://127.0.0.1:${String(port)}/"><link rel="manifest" href="http://127.0.0.1:${String(port)}/m">
  <link rel="icon" href="http://127.0.0.1:${String(port)}/i.png">
  <script type="speculationrules">{"prefetch":[{"source":"list","urls":["http://127.0.0.1:${String(port)}/s"]}]}</script>
  <a id="a" href="javascript:void 0" ping="http://127.0.0.1:${String(port)}/ping">x</a>
  <svg><use href="http://127.0.0.1:${String(port)}/u.svg#x"></use><image href="http://127.0.0.1:${String(port)}/v.png"></image></svg>
  <style>@font-face { font-family: f; src: url(http://127.0.0.1:${String(port)}/f.woff2) } body { font-family: f }</style>
  <script>
    a.click();
    try { new WebTransport('https://127.0.0.1:${String(port)}/'); } catch {}
    try { new WebSocketStream('ws://127.0.0.1:${String(port)}/'); } catch {}
    try { fetchLater('http://127.0.0.1:${String(port)}/', { activateAfter: 0 }); } catch {}
    import('http://127.0.0.1:${String(port)}/x.js').catch(() => undefined);
    document.fonts.load('1em f').catch(() => undefined);
    try { CSS.paintWorklet.addModule('http://127.0.0.1:${String(port)}/p.js').catch(() => undefined); } catch {}
    try { navigator.serviceWorker.register('http://127.0.0.1:${String(port)}/w.js').catch(() => undefined); } catch {}
    try { new SharedWorker('http://127.0.0.1:${String(port)}/w.js'); } catch {}
    try { navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => undefined); } catch {}
    requestAnimationFrame(() => setTimeout(() => top.postMessage('tried', '*'), 500));
  </script>`;

describe('the network access of an artifact’s frame', () => {
  let site: Site;
  let udp: Socket;
  let tcp: Server;
  let port: number;
  const received: string[] = [];

  before(async () => {
    site = await openSite({ pages: { '/': '<agent-chat endpoint="/agent"></agent-chat>' } });
    tcp = createServer((socket) => {
      received.push('tcp');
      socket.on('error', () => undefined).destroy();
    });
    await once(tcp.listen(0, '127.0.0.1'), 'listening');
    ({ port } = tcp.address() as AddressInfo);
    udp = createSocket('udp4', () => received.push('udp'));
    udp.bind(port, '127.0.0.1');
    await once(udp, 'listening');
  });
  after(async () => {
    udp.close();
    tcp.close();
    await site.close();
  });

  /**
   * Shows a document that reports after its attempt. By then, its requests would have arrived.
   */
  async function show(content: string): Promise<readonly string[]> {
    received.length = 0;
    const page = await site.visit('/');
    await page.evaluate(async (html) => {
      await customElements.whenDefined('agent-chat');
      const artifact = { identifier: 'a', title: 'Page', type: 'text/html' as const };
      document.querySelector('agent-chat')!.messages = [
        { role: 'assistant', blocks: [{ type: 'content', content: html, artifact }] },
      ];
      addEventListener('message', ({ data }) => {
        if (data === 'tried') document.title = 'tried';
      });
    }, content);
    await page.locator('agent-chat-artifact button').first().click();
    await page.waitForFunction(() => document.title === 'tried', undefined, { timeout: 10_000 });
    await releaseContext(page);
    return [...received];
  }

  const reportScript = '<script>setTimeout(() => top.postMessage("tried", "*"), 1500)</script>';

  it('the server receives WebRTC packets from a page without the policy of the frame', async () => {
    received.length = 0;
    const page = await site.visit('/');
    await page.evaluate(
      `new Promise((resolve) => { addEventListener('message', resolve, { once: true }); ${webRtcProbe(port)}; setTimeout(resolve, 3000) })`,
    );
    assert.ok(received.includes('udp'), received.join());
    await releaseContext(page);
  });

  for (const [name, make] of Object.entries(ESCAPES)) {
    it(`blocks WebRTC from ${name}`, async () => {
      assert.deepEqual(await show(make(port) + reportScript), []);
    });
  }

  it('blocks resource hints, pings, fonts, workers and WebTransport', async () => {
    assert.deepEqual(await show(otherRequests(port)), []);
  });
});

describe('rule 108: resource hints of an artifact', () => {
  const names = Object.keys(RESOURCE_HINTS);
  /** By document: the connections from a page without a policy, and from a preview. */
  const connections = names.map(() => ({ page: 0, preview: 0 }));
  const servers: Server[] = [];
  let site: Site;
  let context: BrowserContext;
  let profile: string;

  async function openServer(count: () => void): Promise<string> {
    const server = createServer((socket) => {
      count();
      socket.on('error', () => undefined).destroy();
    });
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  }

  /** Opens the frames of previews with these documents, as the widget does. Each of them reports when it has run. */
  async function preview(documents: readonly string[]): Promise<{ readonly page: Page; readonly reports: unknown }> {
    const page = await context.newPage();
    await page.goto(`${site.origin}/empty`);
    const reports = await page.evaluate(
      (contents) =>
        new Promise<unknown[]>((resolve) => {
          const seen: unknown[] = [];
          const frames = contents.map(() => document.createElement('iframe'));
          addEventListener('message', ({ source, data }) => {
            const message = data as { type?: string; seen?: unknown };
            const index = frames.findIndex((frame) => frame.contentWindow === source);
            if (message.type === 'ready')
              frames[index]?.contentWindow?.postMessage({ agentChat: 1, type: 'show', html: contents[index] }, '*');
            if (message.seen !== undefined && seen.push(message.seen) === contents.length) resolve(seen);
          });
          for (const frame of frames) {
            frame.setAttribute('sandbox', 'allow-scripts');
            frame.src = '/dist/frame.html';
            document.body.append(frame);
          }
        }),
      documents,
    );
    return { page, reports };
  }

  before(async () => {
    const pages: Record<string, string> = { '/empty': '<!doctype html><body>' };
    const documents: string[] = [];
    for (const [index, name] of names.entries()) {
      const counts = connections[index]!;
      const make = RESOURCE_HINTS[name]!;
      const inPage = await openServer(() => counts.page++);
      const inPreview = await openServer(() => counts.preview++);
      pages[`/control/${String(index)}`] = `<!doctype html>${make(inPage)}`;
      documents.push(`<script>setTimeout(() => top.postMessage({ seen: 1 }, '*'), 500)</script>${make(inPreview)}`);
    }
    pages['/controls'] = names
      .map((_, index) => `<iframe src="/control/${String(index)}" width="9" height="9"></iframe>`)
      .join('');
    site = await openSite({ pages });
    // A browser follows hints only in a profile that is stored, with the setting to preload pages. The headless shell has none.
    profile = await mkdtemp(join(tmpdir(), 'hints-'));
    await mkdir(join(profile, 'Default'));
    const preferences = JSON.stringify({ net: { network_prediction_options: 0 } });
    await writeFile(join(profile, 'Default', 'Preferences'), preferences);
    const offline = '--disable-background-networking';
    context = await chromium.launchPersistentContext(profile, {
      executablePath: findBrowser(),
      args: browserArguments.filter((argument) => argument !== offline),
      ignoreDefaultArgs: [offline],
    });
    const page = await context.newPage();
    await page.goto(`${site.origin}/controls`);
    for (let waited = 0; waited < 50 && connections.some((counts) => counts.page === 0); waited++)
      await page.waitForTimeout(100);
    await page.close();
    const opened = await preview(documents);
    await opened.page.waitForTimeout(1000);
    await opened.page.close();
  });
  after(async () => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
    for (const server of servers) server.close();
    await site.close();
  });

  for (const [index, name] of names.entries()) {
    it(`connects to no server with a link from ${name}`, () => {
      const { page, preview: inPreview } = connections[index]!;
      assert.ok(page > 0, 'without the policy, it connects');
      assert.equal(inPreview, 0);
    });
  }

  it('works otherwise, with markup and elements of other names', async () => {
    const { page, reports } = await preview([HARMLESS]);
    assert.deepEqual(reports, ['<s>0</s><i>2</i><u>3</u>||rgb(1, 2, 3)|text|own|<b>4</b>|5|2']);
    await page.close();
  });
});
