/** The browsers in `docs/guides/browsers.md`: the main flow in each installed engine, and the notice for older ones. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { canRun, wantedEngines } from '../../scripts/find-browser.ts';
import { engines, type Run } from './support/engines.ts';
import { threeAttempts } from './support/focus-in-page.ts';
import { flowsInPage } from './support/flows-in-page.ts';
import { flowAgent } from './support/flows.ts';
import { openSite, type Handler, type Site } from './support/site.ts';
import { STRICT } from './support/strict-csp.ts';

const ANSWER = '## Größe 🙂\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst one = 1;\n```\n\n- **two**\n';
const event = (data: object): string =>
  `data: ${JSON.stringify({ type: 'response', data: { eventId: 'e', ...data } })}\n\n`;
const END = 'data: {"type":"end","data":{"eventId":"e","userStop":false}}\n\n';
const ASK = event({
  tool_call: 'permission-required',
  tool_call_id: 't',
  tool_call_name: 'pay',
  permission_request: { toolName: 'pay', serverName: 'bank', permissionType: 'write', description: 'May I pay?' },
});
const WORDS = Array.from(ANSWER, (content) => event({ content })).join('');

/** In chunks of a few bytes, so that characters are cut too. */
async function trickle(response: ServerResponse, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let at = 0; at < bytes.length; at += 97) {
    response.write(bytes.subarray(at, at + 97));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

const agent: Handler = async (request, response) => {
  if (request.url !== '/agent') return false;
  let body = '';
  for await (const chunk of request) body += String(chunk);
  await trickle(response, body.includes('"permissions"') ? WORDS + END : ASK + END);
  return true;
};

/** A user's actions in the page, and the expected result. The same text runs in every engine. */
const FLOW = `return (async () => {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const until = async (done) => { while (!done()) await drawn(); };
  const violations = [];
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violations.push(effectiveDirective));
  await customElements.whenDefined('agent-chat');
  const chat = document.querySelector('agent-chat');
  await chat.updateComplete;
  const find = (selector) => chat.shadowRoot.querySelector(selector);
  const input = find('[part=input]');
  input.value = 'Please pay';
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await until(() => find('[part=send-button]:enabled'));
  find('[part=send-button]').click();
  await until(() => chat.status === 'awaiting-action');
  await until(() => find('[part~=block-action] button'));
  await chat.respond(chat.messages.at(-1).blocks.at(-1).id, 'granted');
  await until(() => chat.status === 'idle' && find('[part=transcript] td') && find('[part=transcript] code'));
  const words = (selector) => find(selector).textContent.trim();
  const surface = getComputedStyle(find('[part~=bubble]')).backgroundColor;
  chat.colorScheme = 'dark';
  await chat.updateComplete;
  await drawn();
  return {
    status: chat.messages.at(-1).status,
    heading: words('[part=transcript] h2'),
    cells: [...chat.shadowRoot.querySelectorAll('[part=transcript] td')].map((cell) => cell.textContent.trim()),
    code: words('[part~=code-block] code').replace(/\\s+/g, ' '),
    strong: words('[part=transcript] li strong'),
    darker: getComputedStyle(find('[part~=bubble]')).backgroundColor !== surface,
    emptied: input.value,
    violations,
  };
})()`;

const SEEN = {
  status: 'complete',
  heading: 'Größe 🙂',
  cells: ['1', '2'],
  code: 'const one = 1;',
  strong: 'two',
  darker: true,
  emptied: '',
  violations: [],
};

const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Test</title>' +
  '<script type="module" src="/dist/agent-chat.js"></script>' +
  '<body><agent-chat endpoint="/agent" protocol="deepchat-events" color-scheme="light"></agent-chat></body></html>';

const flowPage = (index: number): string =>
  PAGE.replace(
    /<agent-chat .*?>/,
    `<agent-chat endpoint="/agent/${String(index)}" protocol="deepchat-events" color-scheme="light" persist="session" attachments=".txt">`,
  );

/** Opens an artifact that fills the history of the tab, and returns whether its preview is still there after that. */
const FILLS = `return (async () => {
  await customElements.whenDefined('agent-chat');
  const chat = document.querySelector('agent-chat');
  const content = '<p>x<' + 'script>let i = 0; addEventListener("load", () => setInterval(() => { location.hash = "a" + i++ }, 100))<' + '/script>';
  const artifact = { identifier: 'a', title: 'Page', type: 'text/html' };
  chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content, artifact }] }];
  const find = (name) => chat.shadowRoot?.querySelector('agent-chat-artifact ' + name);
  while (!find('button')) await new Promise(requestAnimationFrame);
  find('button').click();
  for (let waited = 0; waited < 50 && (waited < 5 || find('iframe')); waited++) await new Promise((resolve) => setTimeout(resolve, 100));
  return find('iframe') ? 'open' : 'closed';
})()`;

/** Opens an artifact that runs a document from a `javascript:` URL, in several ways, and returns what has run. */
const NEW_WINDOW = `return (async () => {
  await customElements.whenDefined('agent-chat');
  const chat = document.querySelector('agent-chat');
  const heard = [];
  const tried = new Promise((resolve) => addEventListener('message', ({ data }) => {
    if (typeof data === 'string') heard.push(data);
    if (data === 'end') resolve();
  }));
  const address = 'javascript:"<' + 'script>top.postMessage(\\'new window\\', \\'*\\')<' + '/script>"';
  const tries = ['location = address', 'location.replace(address)', 'open(address, "_self")', 'link.href = address; link.click()'];
  const script = 'const address = ' + JSON.stringify(address).replaceAll('<', '\\\\u003c') + ';' +
    tries.map((code, index) => 'setTimeout(() => { ' + code + ' }, ' + (index + 1) * 200 + ');').join('') +
    'const added = document.createElement("script"); added.text = "top.postMessage(\\'own\\', \\'*\\')"; document.head.append(added);' +
    'setTimeout(() => top.postMessage("end", "*"), 1500);';
  const content = '<a id="link">x</a><' + 'script>' + script + '<' + '/script>';
  const artifact = { identifier: 'a', title: 'Page', type: 'text/html' };
  chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content, artifact }] }];
  const find = () => chat.shadowRoot?.querySelector('agent-chat-artifact button');
  while (!find()) await new Promise(requestAnimationFrame);
  find().click();
  await Promise.race([tried, new Promise((resolve) => setTimeout(resolve, 5000))]);
  return heard;
})()`;

/** Opens an artifact that goes back in the history of the tab, and returns the state of the page after that. */
const GOES_BACK = `return (async () => {
  await customElements.whenDefined('agent-chat');
  history.pushState('before', '');
  history.pushState('here', '');
  const chat = document.querySelector('agent-chat');
  const tried = new Promise((resolve) => addEventListener('message', ({ data }) => data === 'tried' && resolve()));
  const content = '<p>x<' + 'script>addEventListener("load", () => setTimeout(() => { history.back(); history.go(-1); setTimeout(() => top.postMessage("tried", "*"), 500) }))<' + '/script>';
  const artifact = { identifier: 'a', title: 'Page', type: 'text/html' };
  chat.messages = [{ role: 'assistant', blocks: [{ type: 'content', content, artifact }] }];
  const find = () => chat.shadowRoot?.querySelector('agent-chat-artifact button');
  while (!find()) await new Promise(requestAnimationFrame);
  find().click();
  await tried;
  return history.state;
})()`;

describe('the browsers', () => {
  const flowsAgent = flowAgent();
  let site: Site;
  before(async () => {
    // Conversations are stored by the address of the endpoint and the page: each flow has its own page.
    const flowPages = flowsInPage.map((_, index) => [`/flow/${String(index)}`, flowPage(index)] as const);
    site = await openSite({
      pages: { '/': PAGE, '/zh': PAGE.replace('lang="en"', 'lang="zh-CN"'), ...Object.fromEntries(flowPages) },
      headers: { 'content-security-policy': STRICT },
      agent: async (request, response) => (await agent(request, response)) || flowsAgent.handler(request, response),
    });
  });
  after(async () => {
    flowsAgent.close();
    await site.close();
  });

  const inChromium: Run = async (url, body) => {
    const page = await site.visit(new URL(url).pathname);
    const seen = await page.evaluate(`(() => { ${body} })()`);
    await page.context().close();
    return seen;
  };
  for (const engine of wantedEngines()) {
    if (!canRun(engine)) continue;
    describe(engine, () => {
      let run = inChromium;
      let close = (): Promise<void> => Promise.resolve();
      before(async () => {
        if (engine !== 'chromium') ({ run, close } = await engines[engine]());
      });
      after(() => close());

      it('a message, a permission, a chunked answer and the dark scheme work under a strict policy', async () => {
        assert.deepEqual(await run(`${site.origin}/`, FLOW), SEEN);
      });
      for (const [index, { name, body, seen }] of flowsInPage.entries()) {
        it(name, async () => {
          assert.deepEqual(await run(`${site.origin}/flow/${String(index)}`, body), seen);
        });
      }
    });
  }

  it('older browsers show a notice in the page’s language, and no incomplete widget', async () => {
    for (const [path, words] of [
      ['/', 'This browser is too old for the chat. Use a newer one.'],
      ['/zh', '此浏览器版本过旧，无法使用聊天。请换用较新的浏览器。'],
    ] as const) {
      const page = await site.open();
      await page.addInitScript(() => {
        Reflect.deleteProperty(HTMLElement.prototype, 'popover');
      });
      await page.goto(site.origin + path);
      await page.getByRole('note').getByText(words).waitFor();
      assert.equal(await page.evaluate(() => document.querySelector('agent-chat')?.shadowRoot ?? null), null);
      await page.context().close();
    }
  });

  it('the table in the docs has the same versions as the build target', async () => {
    const built = /const engines = \[([^\]]*)\]/.exec(await readFile('vite.config.ts', 'utf8'))?.[1] ?? '';
    const versions = [...built.matchAll(/'([a-z]+)(\d+)'/g)].map(([, name = '', version = '']) => `${name} ${version}`);
    const guide = await readFile('docs/guides/browsers.md', 'utf8');
    const rows = [...guide.matchAll(/^\| (\w+)[^|]*\| (\d+)/gm)].map(([, name = '', from = '']) => {
      return `${name.toLowerCase()} ${from}`;
    });
    assert.deepEqual(rows.sort(), versions.sort());
  });
});

describe('rule 99: the history of the tab, in the other engines', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': '<agent-chat endpoint="/agent"></agent-chat>' } });
  });
  after(() => site.close());

  for (const engine of ['firefox', 'webkit'] as const) {
    if (!wantedEngines().includes(engine) || !canRun(engine)) continue;
    it(`${engine}: an artifact can’t go back in it`, async () => {
      const { run, close } = await engines[engine]();
      try {
        assert.equal(await run(`${site.origin}/`, GOES_BACK), 'here');
      } finally {
        await close();
      }
    });
    it(`${engine}: rule 55: an artifact gets no new window from a javascript: URL`, async () => {
      const { run, close } = await engines[engine]();
      try {
        assert.deepEqual(await run(`${site.origin}/`, NEW_WINDOW), ['own', 'end']);
      } finally {
        await close();
      }
    });
    it(`${engine}: an artifact that fills it is closed`, async () => {
      const { run, close } = await engines[engine]();
      try {
        assert.equal(await run(`${site.origin}/`, FILLS), 'closed');
      } finally {
        await close();
      }
    });
  }
});

// In this file, because two Firefoxes at the same time take the focus from each other.
describe('rule 75: the focus, in the other engines', () => {
  let site: Site;
  before(async () => {
    site = await openSite({ pages: { '/': '<agent-chat endpoint="/agent"></agent-chat>' } });
  });
  after(() => site.close());

  for (const [engine, takes, seen] of [
    ['firefox', true, ['open', 'open', 'closed']],
    // WebKit lets no frame take it without a press.
    ['webkit', false, ['open', 'open', 'open']],
  ] as const) {
    if (!wantedEngines().includes(engine) || !canRun(engine)) continue;
    it(`${engine}: it stays in the composer, ${takes ? 'and the third attempt closes the preview' : 'by itself'}`, async () => {
      const { run, close } = await engines[engine]();
      try {
        assert.deepEqual(await run(`${site.origin}/`, threeAttempts(takes)), seen);
      } finally {
        await close();
      }
    });
  }
});
