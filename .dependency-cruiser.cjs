/** Who may see whom. A room sees itself, the rooms listed here, and errors.ts; `docs/house.md` has the picture. */
const rooms = {
  model: [],
  transport: [],
  protocols: ['model', 'transport'],
  conversation: ['model'],
  agents: ['model'],
  runtime: ['model', 'transport', 'protocols', 'conversation', 'agents', 'safety'],
  theme: [],
  locales: [],
  primitives: ['theme', 'locales'],
  safety: [],
  markdown: ['safety', 'primitives', 'theme', 'locales'],
  renderers: ['model', 'markdown', 'safety', 'primitives', 'theme', 'locales'],
  react: ['model', 'conversation', 'renderers', 'components'],
  components: [
    'model',
    'protocols',
    'conversation',
    'agents',
    'runtime',
    'theme',
    'locales',
    'primitives',
    'safety',
    'markdown',
    'renderers',
  ],
};

/** Each dependency has an owner. */
const owners = {
  marked: ['markdown'],
  dompurify: ['safety'],
  '@lit/context': ['components'],
  zod: ['model'],
  'eventsource-parser': ['transport'],
  lowlight: ['primitives'],
  'highlight.js': ['primitives'],
  'chart.js': ['renderers'],
  idb: ['runtime'],
  lit: ['theme', 'primitives', 'markdown', 'renderers', 'components', 'react'],
  react: ['react'],
};

const between = Object.entries(rooms).map(([room, seen]) => ({
  name: `${room}-sees-only`,
  comment: `src/${room} sees ${seen.length === 0 ? 'no other room' : seen.join(', ')}.`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: '^src/',
    pathNot: `^src/(errors\\.ts$|${room === 'react' ? 'define\\.ts$|' : ''}(${[room, ...seen].join('|')})/)`,
  },
}));

const owned = Object.entries(owners).map(([dependency, homes]) => ({
  name: `${dependency.replace(/\W/g, '-')}-has-an-owner`,
  comment: `${dependency} belongs to ${homes.join(', ')}.`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/(${homes.join('|')})/` },
  to: { path: `node_modules/${dependency}/` },
}));

module.exports = {
  forbidden: [
    ...between,
    ...owned,
    { name: 'no-circle', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    {
      name: 'demo-as-a-stranger',
      comment: 'The demo imports only what a stranger could.',
      severity: 'error',
      from: { path: '^demo/' },
      to: {
        path: '^src/',
        pathNot: '^src/(index|define|protocols|model|renderers|markdown|react|embed|testing)\\.ts$',
      },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\.css\\?inline$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\?inline$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['browser', 'import', 'default', 'types'], exportsFields: ['exports'] },
  },
};
