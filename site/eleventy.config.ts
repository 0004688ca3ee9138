/** The site: what is in `docs/` as pages, a reference made of the manifest, a start page and a playground. Plain files. */
import { writeFile } from 'node:fs/promises';
import packageJson from '../package.json' with { type: 'json' };
import { readDoors } from './build/declarations.ts';
import { chatOf, readManifest, valuesOf } from './build/manifest.ts';
import { makeMarkdown } from './build/markdown.ts';
import { contentsOf } from './build/page-contents.ts';
import { readDocs } from './build/read-docs.ts';
import { navigation } from './build/navigation.ts';
import { rootOf } from './build/links.ts';
import { searchIndex, type WrittenPage } from './build/search-index.ts';

/** What is used of Eleventy, which is installed in this folder alone. */
interface Eleventy {
  setLibrary(language: string, library: unknown): void;
  addTemplate(path: string, content: string, data: Readonly<Record<string, unknown>>): void;
  addGlobalData(name: string, value: unknown): void;
  addFilter(name: string, filter: (...values: never[]) => unknown): void;
  on(event: 'eleventy.after', listener: (done: { readonly results: readonly WrittenPage[] }) => Promise<void>): void;
  addPassthroughCopy(paths: Readonly<Record<string, string>>): void;
}

/** What the start page shows first. */
const TAG = `\`\`\`html
<script type="module" src="https://cdn.example/agent-chat-element@${packageJson.version}/dist/agent-chat.js"></script>
<agent-chat endpoint="/api/agent" image-hosts="self"></agent-chat>
\`\`\``;

export default async function configure(eleventy: Eleventy): Promise<object> {
  const docs = await readDocs('../docs');
  const markdown = makeMarkdown(new Set(docs.map(({ source }) => source)));
  const manifest = await readManifest('../dist/custom-elements.json');

  eleventy.setLibrary('md', markdown);
  // The documents lie outside of this folder, and name no layout: they are read on GitHub and in editors too.
  for (const { source, title, url, text } of docs)
    eleventy.addTemplate(source.replace('../', 'beside/'), text, { layout: 'page.njk', title, permalink: url, source });

  eleventy.addGlobalData('protocols', docs.filter(({ source }) => source.startsWith('protocols/')).length - 1);
  eleventy.addGlobalData('tag', markdown.render(TAG));
  eleventy.addGlobalData('navigation', navigation(docs));
  const chat = chatOf(manifest, 'agent-chat');
  eleventy.addGlobalData('chat', chat);
  eleventy.addGlobalData('themes', valuesOf(chat, 'theme'));
  eleventy.addGlobalData('markdownElement', chatOf(manifest, 'agent-chat-markdown'));
  eleventy.addGlobalData('doors', readDoors('..'));
  eleventy.addFilter('root', rootOf);
  eleventy.addFilter('contents', contentsOf);
  eleventy.addFilter('inline', (text: string | undefined) => markdown.renderInline(text ?? ''));
  eleventy.addFilter('code', (text: string) => markdown.render(`\`\`\`ts\n${text}\n\`\`\``));
  eleventy.addPassthroughCopy({ styles: 'assets', '../demo/icon.svg': 'assets/icon.svg', '../docs/images': 'images' });
  eleventy.on('eleventy.after', ({ results }) => writeFile('dist/assets/search-index.js', searchIndex(results)));
  return {
    dir: { input: 'pages', includes: '../includes', output: 'dist' },
    // A document is Markdown and nothing else: braces in it are braces.
    markdownTemplateEngine: false,
    htmlTemplateEngine: 'njk',
  };
}
