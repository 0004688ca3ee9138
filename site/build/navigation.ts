/** The navigation. Named pages come first, in this order, followed by the other pages of the folder. */
import type { Doc } from './read-docs.ts';

interface Entry {
  readonly title: string;
  readonly url: string;
}
export interface Section {
  readonly title: string;
  readonly pages: readonly Entry[];
}

const GUIDES = [
  'start',
  'installing',
  'connect',
  'is-my-server-ready',
  'keys',
  'tools',
  'approvals',
  'hand-off',
  'custom-renderers',
  'markdown',
  'math',
  'own-protocol',
  'theming',
  'places',
  'languages',
  'composer',
  'going-back',
  'persistence',
  'privacy',
  'csp',
  'when-things-fail',
  'limits',
  'inspector',
  'testing',
].map((name) => `guides/${name}.md`);

/** Returns the pages of a folder, the named ones first. */
function pagesOf(docs: readonly Doc[], folder: string, first: readonly string[] = []): readonly Entry[] {
  const place = ({ source }: Doc): number => first.indexOf(source) + 1 || first.length + 1;
  return docs
    .filter(({ source }) => source.startsWith(`${folder}/`))
    .toSorted((one, other) => place(one) - place(other) || (one.source < other.source ? -1 : 1));
}

/** Short titles: the section names the subject. */
const shorten = ({ title, url }: Entry): Entry => ({ title: title.replace(/: .*$/, ''), url });

export function navigation(docs: readonly Doc[]): readonly Section[] {
  const guides = pagesOf(docs, 'guides', GUIDES);
  const named = (...sources: readonly string[]): readonly Entry[] =>
    sources.flatMap((source) => docs.find((doc) => doc.source === source) ?? []);
  const from = guides.filter(({ url }) => url.includes('/from-'));
  return [
    {
      title: 'Guides',
      pages: [
        { title: 'Playground', url: 'playground.html' },
        { title: 'Gallery', url: 'gallery.html' },
        ...guides.filter((guide) => !from.includes(guide)),
      ],
    },
    { title: 'Coming from another chat', pages: [...from, ...named('comparison.md')] },
    {
      title: 'Reference',
      pages: [
        { title: 'The element', url: 'reference.html' },
        { title: 'The modules', url: 'modules.html' },
        ...named('features.md'),
      ],
    },
    { title: 'Protocols', pages: pagesOf(docs, 'protocols', ['protocols/README.md']) },
    {
      title: 'About',
      pages: named(
        'accessibility.md',
        'security.md',
        'reliability.md',
        'performance.md',
        '../CHANGELOG.md',
        '../SECURITY.md',
      ),
    },
    {
      title: 'Architecture',
      pages: [
        ...named('house.md', 'data-flow.md', 'testing.md'),
        ...pagesOf(docs, 'decisions', ['decisions/README.md']),
      ],
    },
  ]
    .filter(({ pages }) => pages.length > 0)
    .map(({ title, pages }) => ({ title, pages: pages.map(shorten) }));
}
