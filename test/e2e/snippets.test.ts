/**
 * Every code sample in the documents: types that hold, scripts that run in a page, HTML that opens without an error.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import ts from 'typescript';
import { WebSocket } from 'ws';
import { build } from 'vite';
import { releaseContext, openSite, sessionStream, type Site } from './support/site.ts';
import { snippets, type Snippet } from './support/snippets.ts';

const FOLDER = '.cache/snippets';
const all = await snippets();
const of = (...languages: readonly string[]): readonly Snippet[] =>
  all.filter(({ language }) => languages.includes(language));

/** Code that does not run in the page: the project's own tests, server code, code of the chat to migrate from. */
const elsewhere = ({ code }: Snippet): boolean =>
  /from '(?:\.\.\/|node:|ws'|@n8n\/chat')|^export |readFile\(/m.test(code);
/** A script can't declare the types of data from the network. */
const OF_UNKNOWN = "type 'unknown'";
/** The first snippet of a page has the imports of the others. */
const IMPORTS = `import { AgentChat, defineRenderer } from 'agent-chat-element';
`;

const inPage = of('js', 'ts').filter((snippet) => !elsewhere(snippet));

describe('the snippets of the documents', () => {
  before(async () => {
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
  });
  after(() => rm(FOLDER, { recursive: true, force: true }));

  it('JSON is valid', () => {
    for (const { location, code } of of('json')) assert.doesNotThrow(() => JSON.parse(code) as unknown, location);
  });

  it('scripts have no type errors', async () => {
    const files = await Promise.all(
      inPage.map(async ({ code, language }, index) => {
        const file = join(FOLDER, `typed-${String(index)}.${language}`);
        // A module, whose names are local.
        const imported = /import \{[^}]*AgentChat\b/.test(code) ? '' : IMPORTS;
        await writeFile(file, `${imported}${code}\nexport {};\n`);
        return file;
      }),
    );
    const program = ts.createProgram([...files, 'test/e2e/support/snippet-globals.d.ts'], {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      // As an editor checks a script, with the published types.
      paths: { 'agent-chat-element': ['./dist/index.d.ts'], 'agent-chat-element/*': ['./dist/*.d.ts'] },
      types: [],
      strict: false,
      skipLibCheck: true,
      noEmit: true,
      allowJs: true,
      checkJs: true,
    });
    const problems = ts.getPreEmitDiagnostics(program).flatMap(({ file, messageText }) => {
      const index = files.findIndex((name) => file?.fileName.endsWith(name));
      const text = ts.flattenDiagnosticMessageText(messageText, ' ');
      return index < 0 || text.includes(OF_UNKNOWN) ? [] : `${inPage[index]?.location ?? ''}: ${text}`;
    });
    assert.deepEqual(problems, [], 'a name of the page goes into snippet-globals.d.ts and snippet-page.ts');
  });

  describe('in a page', () => {
    let site: Site;
    const files = new Map<string, string>();
    before(async () => {
      await bundle(files);
      const pages = Object.fromEntries(of('html').map(({ code }, index) => [`/html/${String(index)}`, pageOf(code)]));
      site = await openSite({
        pages: {
          ...pages,
          '/script': '<!doctype html><title>Scripts</title><script type="module" src="/app/page.js"></script>',
        },
        agent: async (request, response) => {
          const file = files.get(request.url ?? '');
          if (file !== undefined) {
            response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
            return true;
          }
          if (request.url === '/agents.json') {
            const agents = [{ id: 'data', name: 'Data', endpoint: '/api/data' }];
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ agents }));
            return true;
          }
          for await (const _ of request); // the request is read to its end
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(sessionStream('Hello.'));
          return true;
        },
      });
    });
    after(() => site.close());

    it('scripts run', async () => {
      const page = await site.visit('/script');
      await page.waitForFunction(() => 'snippets' in globalThis);
      for (const [index, { location }] of inPage.entries()) {
        const problem = await page.evaluate((number) => runSnippet(number), index);
        assert.equal(problem, undefined, location);
      }
      await releaseContext(page);
    });

    it('the five-minute start starts, with the server that it names', async () => {
      const own = all.filter(({ file }) => file === 'docs/guides/start.md');
      const [html, server] = ['html', 'js'].map((language) => own.find((one) => one.language === language)?.code ?? '');
      const port = await freePort();
      await Promise.all([
        writeFile(join(FOLDER, 'index.html'), html ?? ''),
        writeFile(join(FOLDER, 'server.mjs'), (server ?? '').replace('8080', String(port))),
        symlink(join(process.cwd(), 'dist'), join(FOLDER, 'dist')),
      ]);
      const node = spawn(process.execPath, ['server.mjs'], { cwd: FOLDER, stdio: 'inherit' });
      const page = await site.open();
      try {
        await waitForPort(port);
        await page.goto(`http://127.0.0.1:${String(port)}/`);
        await page.getByRole('textbox').fill('Hi');
        await page.keyboard.press('Enter');
        await transcript(page).getByText('Put your own agent in my place.').waitFor();
      } finally {
        node.kill();
        await releaseContext(page);
      }
    });

    it('the hand-off reaches a person, and returns to the agent', async () => {
      const own = all.filter(({ file }) => file === 'docs/guides/hand-off.md');
      const [html, server] = ['html', 'js'].map((language) => own.find((one) => one.language === language)?.code ?? '');
      const port = await freePort();
      await writeFile(join(FOLDER, 'desk.mjs'), (server ?? '').replace('8081', String(port)));
      const node = spawn(process.execPath, ['desk.mjs'], { cwd: FOLDER, stdio: 'inherit' });
      const page = await site.open();
      try {
        await waitForPort(port);
        await page.routeWebSocket('**/desk', (route) => {
          const desk = new WebSocket(`ws://127.0.0.1:${String(port)}/desk`);
          const opened = new Promise((resolve) => {
            desk.once('open', resolve);
          });
          route.onMessage(
            (message) =>
              void opened.then(() => {
                desk.send(message);
              }),
          );
          desk.on('message', (data: Buffer) => {
            route.send(data.toString());
          });
          route.onClose(() => {
            desk.close();
          });
        });
        // An agent that calls the tool, and then says goodbye.
        await page.route('**/api/agent', (route) => {
          const again = route.request().postData()?.includes('A person was called') === true;
          const delta = again
            ? { content: 'Goodbye.' }
            : { tool_calls: [{ index: 0, id: 'c', function: { name: 'ask_a_person', arguments: '{}' } }] };
          const frames = [
            { choices: [{ delta }] },
            { choices: [{ delta: {}, finish_reason: again ? 'stop' : 'tool_calls' }] },
          ];
          return route.fulfill({
            contentType: 'text/event-stream',
            body: `${frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')}data: [DONE]\n\n`,
          });
        });
        const index = of('html').findIndex(({ code }) => code === html);
        await page.goto(`${site.origin}/html/${String(index)}`);
        const send = async (words: string): Promise<void> => {
          await page.getByRole('textbox').fill(words);
          await page.keyboard.press('Enter');
        };
        await send('I want a person');
        await transcript(page).getByText('Mira has joined.').waitFor();
        await transcript(page).getByText('Goodbye.').waitFor();
        await send('My parcel is lost');
        await transcript(page).getByText('I am looking into “My parcel is lost”.').waitFor();
        await send('bye');
        await transcript(page).getByText('Mira has left.').waitFor();
      } finally {
        node.kill();
        await releaseContext(page);
      }
    });

    it('HTML opens without console output, and gets an answer', async () => {
      const page = await site.open();
      const problems: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(message.text());
      });
      await fromCdn(page);
      for (const [index, { location, code }] of of('html').entries()) {
        if (!code.includes('<agent-chat') && !code.includes('embed.js')) continue;
        await page.goto(`${site.origin}/html/${String(index)}`);
        const chat = page.locator('agent-chat').first();
        // A launcher creates its own element.
        await chat.waitFor({ state: 'attached' });
        const unknown = code.includes('embed.js') ? [] : await unknownAttributes(page);
        assert.deepEqual(unknown, [], location);
        assert.deepEqual(problems.splice(0), [], location);
        if (/protocol=|<\w+-chat-markdown|embed\.js|endpoint="(?:http|ws)s?:/.test(code)) continue;
        const sent = page.evaluate(async () => (await document.querySelector('agent-chat')?.send('Hi'))?.status);
        if (code.includes('consent=')) await page.getByRole('button', { name: 'Accept' }).click();
        assert.equal(await sent, 'complete', location);
      }
      await releaseContext(page);
    });
  });
});

/** (Announced text is in the page too.) */
const transcript = (page: Page): Locator => page.locator('agent-chat [part~="transcript"]');

/** A port without a server. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
  });

/** Resolves when a server listens there. */
async function waitForPort(port: number): Promise<void> {
  const listens = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
  while (!(await listens())) await new Promise(setImmediate);
}

/** All scripts as modules of one bundle, each a function that runs it. */
async function bundle(files: Map<string, string>): Promise<void> {
  const names = await Promise.all(
    inPage.map(async ({ code, language }, index) => {
      const name = `run-${String(index)}.${language}`;
      const imports = code.match(/^import .*$/gm) ?? [];
      const rest = code.replaceAll(/^import .*$/gm, '');
      await writeFile(join(FOLDER, name), `${imports.join('\n')}\nexport const run = async () => {\n${rest}\n};\n`);
      return name;
    }),
  );
  const entry = [
    `import { standIn } from '../../test/e2e/support/snippet-page.ts';`,
    `import { define } from 'agent-chat-element/define';`,
    ...names.map((name, index) => `import { run as run${String(index)} } from './${name}';`),
    'standIn();',
    'define();',
    `globalThis.snippets = [${names.map((_, index) => `run${String(index)}`).join()}];`,
    // Each has its own widget, with a conversation of two stored threads.
    `globalThis.runSnippet = async (index) => {
      const chat = document.createElement('agent-chat');
      globalThis.chat = chat;
      chat.endpoint = '/agent';
      document.body.replaceChildren(chat);
      await chat.send('One');
      await chat.newThread();
      await chat.send('Two');
      try { await snippets[index](); } catch (error) { return String(error); }
      chat.remove();
    };`,
  ];
  await writeFile(join(FOLDER, 'page.ts'), entry.join('\n'));
  const made = await build({
    configFile: false,
    logLevel: 'error',
    base: '/app/',
    resolve: {
      alias: [
        { find: /^agent-chat-element$/, replacement: join(process.cwd(), 'dist/index.js') },
        { find: /^agent-chat-element\/(.*)$/, replacement: join(process.cwd(), 'dist/$1.js') },
      ],
    },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      rolldownOptions: {
        input: join(FOLDER, 'page.ts'),
        output: { entryFileNames: 'page.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  for (const file of [made].flat().flatMap((result) => ('output' in result ? result.output : [])))
    files.set(`/app/${file.fileName}`, file.type === 'chunk' ? file.code : String(file.source));
}
declare global {
  /** Runs one of them; resolves with its errors. */
  var runSnippet: (index: number) => Promise<string | undefined>;
}

/** The complete page of a snippet, which may be one already, or have its own script tag. */
function pageOf(code: string): string {
  const here = code.replaceAll('"./dist/', '"/dist/');
  if (here.startsWith('<!doctype')) return here;
  const script = /agent-chat\.js|embed\.js/.test(here);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>A snippet</title>${
    script
      ? ''
      : '<script type="module" src="/dist/agent-chat.js"></script><script type="module" src="/dist/markdown.js"></script>'
  }<body>${here}</body></html>`;
}

/** The documents use a placeholder host. */
async function fromCdn(page: Page): Promise<void> {
  await page.route('https://cdn.example/**', async (route) => {
    const path = new URL(route.request().url()).pathname.replace(/^\/agent-chat-element(?:@[^/]+)?\//, '');
    await route.fulfill({ path, contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' } });
  });
}

/** Attributes of the snippet that the element does not have. */
const unknownAttributes = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    await customElements.whenDefined('agent-chat');
    const usual = ['style', 'id', 'class', 'status', 'slot', 'lang', 'dir'];
    return [...document.querySelectorAll('agent-chat')].flatMap((element) => {
      const { observedAttributes } = element.constructor as unknown as { readonly observedAttributes: string[] };
      const known = [...observedAttributes, ...usual];
      // Those that begin with `data-` are the page's own.
      return element.getAttributeNames().filter((name) => !known.includes(name) && !name.startsWith('data-'));
    });
  });
