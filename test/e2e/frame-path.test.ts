/**
 * The path of one token from the bytes to its Text node, read from the call stacks of the unbundled sources. Functions that only
 * return a value to one of them are not on it.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { chromium, type Browser, type Page } from 'playwright-core';
import { browserArguments, findTestBrowser } from '../../scripts/find-browser.ts';
import { startSourceServer, type SourceServer } from './support/source-server.ts';

/** The most functions that may be on the path of the second and later tokens of a paragraph. */
const MAX_FUNCTIONS = 40;

const CHAT = `<!doctype html><body><script type="module">
  Error.stackTraceLimit = Infinity;
  globalThis.stacks = [];
  const watch = (owner, name) => {
    const native = owner[name];
    owner[name] = function (...values) {
      stacks.push(new Error(name).stack);
      return native.apply(this, values);
    };
  };
  watch(globalThis, 'clearTimeout');
  watch(globalThis, 'requestAnimationFrame');
  for (const name of ['appendData', 'replaceData']) watch(CharacterData.prototype, name);
  const fetchFile = fetch;
  globalThis.fetch = async (url, init) => {
    if (!String(url).endsWith('/agent')) return fetchFile(url, init);
    const body = new ReadableStream({ start: (controller) => (globalThis.reply = controller) });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const { AgentChat } = await import('/@fs/SOURCES/define.ts');
  const chat = (globalThis.chat = new AgentChat());
  document.body.append(chat);
  Object.assign(chat, { endpoint: '/agent', protocol: 'openai-chat' });
  globalThis.write = async (token) => {
    const chunk = { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: token } }] };
    reply.enqueue(new TextEncoder().encode('data: ' + JSON.stringify(chunk) + '\\n\\n'));
    while (!chat.renderRoot.textContent.includes(token)) await new Promise((done) => setTimeout(done, 20));
  };
  for (const name of ['agent-chat-message-list', 'agent-chat-message']) {
    await customElements.whenDefined(name);
    const { prototype } = customElements.get(name);
    const native = prototype.requestUpdate;
    prototype.requestUpdate = function (...values) {
      stacks.push(new Error(name).stack);
      return native.apply(this, values);
    };
  }
</script>`;

interface Call {
  /** Path in `src/` and name. A callback without a name belongs to the function around it. */
  readonly name: string;
  /** Folder of `src/`. */
  readonly module: string;
}

/** The functions of this project on a stack, from caller to callee. The callers of `applyStream` wait for the whole stream. */
function callsOf(stack: string): readonly Call[] {
  const calls = [...stack.matchAll(/^ +at (?:async )?(?:(\S+) .*)?\(?http.*\/src\/(\w[\w-]*)\/([^:?]+)/gm)]
    .map(([, name = '', module = '', file = '']) => ({ name: `${module}/${file} ${name}`.trimEnd(), module }))
    .reverse();
  return calls.slice(
    Math.max(
      0,
      calls.findIndex(({ name }) => name.endsWith(' applyStream')),
    ),
  );
}

describe('the path of a token', () => {
  let server: SourceServer;
  let browser: Browser;
  let page: Page;
  before(async () => {
    server = await startSourceServer();
    browser = await chromium.launch({
      executablePath: findTestBrowser(),
      args: browserArguments,
    });
    page = await browser.newPage();
    const { address } = server;
    await page.route(`${address}chat`, (route) =>
      route.fulfill({ contentType: 'text/html', body: CHAT.replace('SOURCES', join(process.cwd(), 'src')) }),
    );
    await page.goto(`${address}chat`);
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  it(`has at most ${String(MAX_FUNCTIONS)} functions, and visits each module once`, async () => {
    await page.waitForFunction('globalThis.chat');
    await page.evaluate('void chat.send("Hello")');
    await page.waitForFunction('globalThis.reply');
    await page.evaluate('(async () => { for (const token of ["One", " two", " three"]) await write(token); })()');
    const stacks = await page.evaluate<string[]>(
      '(async () => { stacks.length = 0; await write(" four"); return stacks; })()',
    );
    const stackOf = (name: string): readonly Call[] =>
      callsOf(stacks.find((stack) => stack.startsWith(`Error: ${name}\n`)) ?? '');
    const path = [
      // Each waits for the one below it, so that the bytes pass them upwards.
      ...stackOf('clearTimeout').toReversed(),
      ...stackOf('requestAnimationFrame'),
      ...stackOf('agent-chat-message-list'),
      ...stackOf('agent-chat-message'),
      ...stackOf('replaceData'),
    ];
    const all = new Set(path.map(({ name }) => name));
    const functions = [...all].filter(
      (name) => name.includes(' ') || ![...all].some((other) => other.startsWith(`${name} `)),
    );
    assert.ok(
      functions.length > 20 && functions.length <= MAX_FUNCTIONS,
      `${String(functions.length)}:\n${functions.join('\n')}`,
    );
    // `runtime/` hands each part the result of the one before.
    const others = path.map(({ module }) => module).filter((module) => module !== 'runtime');
    assert.deepEqual(
      others.filter((module, index) => module !== others[index - 1]),
      ['transport', 'protocols', 'components', 'renderers', 'markdown', 'primitives'],
    );
  });
});
