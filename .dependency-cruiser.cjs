/**
 * The allowed imports between modules. A module may import itself, the modules listed here, errors.ts, enumerate.ts,
 * limit-accents.ts, load-once.ts, lookalikes.ts, page-functions.ts and parse-url.ts. `docs/house.md` has a diagram.
 */
const modules = {
  model: [],
  formats: ['model'],
  transport: [],
  protocols: ['model', 'formats', 'transport'],
  conversation: ['model', 'formats'],
  agents: ['model'],
  runtime: ['model', 'formats', 'transport', 'protocols', 'conversation', 'agents', 'safety'],
  storage: ['model', 'protocols', 'conversation', 'runtime', 'safety'],
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
    'storage',
    'theme',
    'locales',
    'primitives',
    'safety',
    'markdown',
    'renderers',
  ],
};

/**
 * The same for the sub-modules of the large modules. `.` stands for the files directly in the module's folder. Lazy
 * imports (`import()`) are not listed: a lazy chunk may use whatever loads it.
 */
const subModules = {
  protocols: {
    core: [],
    shared: ['core'],
    detectors: ['core'],
    'json-stream': ['core', 'shared'],
    mapping: ['core', 'shared'],
    // An adapter may use its own folder, code shared between adapters, and its own detection signals. ADK streams
    // Gemini content, and Cloudflare's agents stream AI SDK chunks.
    '*': ['core', 'shared', 'detectors'],
    adk: ['core', 'shared', 'detectors', 'gemini'],
    'cloudflare-agents': ['core', 'shared', 'detectors', 'ai-sdk'],
    '.': ['core', 'shared', 'detectors', 'json-stream', 'mapping'],
  },
  runtime: {
    masking: [],
    testing: [],
    '.': ['masking'],
    attachments: ['.'],
    trace: ['.'],
    request: ['.'],
    stream: ['.', 'masking', 'request'],
    tools: ['.', 'masking', 'request', 'stream'],
    answers: ['.', 'masking', 'request', 'stream', 'tools'],
    chat: ['.', 'answers', 'masking', 'request', 'stream', 'tools'],
  },
  storage: {
    stores: [],
    settings: ['stores'],
    records: ['settings', 'stores'],
    threads: ['records', 'stores'],
    tabs: ['stores', 'threads'],
    '.': ['records', 'settings', 'stores', 'tabs', 'threads'],
  },
  markdown: { parse: [], render: ['parse'], '.': ['parse', 'render'] },
  renderers: {
    core: [],
    forms: ['core'],
    media: ['core'],
    status: ['core'],
    artifacts: ['core', 'media'],
    'mcp-app': ['actions', 'artifacts', 'core', 'tools'],
    text: ['artifacts', 'core', 'media'],
    tools: ['artifacts', 'core'],
    a2ui: ['core', 'media', 'tools'],
    actions: ['core', 'forms', 'status', 'tools'],
    data: ['core', 'media', 'tools'],
    '.': ['artifacts', 'core', 'mcp-app', 'media', 'status', 'text', 'tools'],
  },
  components: {
    // Their export names are needed to load the chunks.
    shared: ['conversation-chunk', 'turn-chunk'],
    ui: ['shared'],
    selection: ['shared'],
    message: ['selection', 'shared', 'ui'],
    consent: ['message', 'ui'],
    'side-panel': ['message'],
    transcript: ['message', 'selection', 'shared', 'ui'],
    settings: ['shared', 'transcript'],
    host: ['shared', 'transcript'],
    inspector: ['shared'],
    panel: ['settings', 'shared'],
    composer: ['message', 'settings', 'shared', 'transcript'],
    header: ['composer', 'message', 'panel', 'settings', 'shared', 'transcript', 'ui'],
    element: [
      'composer',
      'consent',
      'header',
      'host',
      'inspector',
      'message',
      'panel',
      'settings',
      'shared',
      'side-panel',
      'transcript',
      'ui',
    ],
    '.': ['message', 'selection', 'transcript'],
  },
};

/** The modules that may import each dependency. */
const owners = {
  marked: ['markdown'],
  dompurify: ['safety'],
  '@lit/context': ['components'],
  zod: ['model'],
  'eventsource-parser': ['transport'],
  lowlight: ['primitives'],
  'highlight.js': ['primitives'],
  'chart.js': ['renderers'],
  idb: ['storage'],
  lit: ['theme', 'primitives', 'markdown', 'renderers', 'components', 'react'],
  react: ['react'],
};

const moduleRules = Object.entries(modules).map(([module, seen]) => ({
  name: `${module}-imports-only`,
  comment: `src/${module} imports from ${seen.length === 0 ? 'no other module' : seen.join(', ')}.`,
  severity: 'error',
  from: { path: `^src/${module}/` },
  to: {
    path: '^src/',
    pathNot: `^src/((errors|enumerate|limit-accents|load-once|lookalikes|page-functions|parse-url)\\.ts$|${module === 'react' ? 'define\\.ts$|' : ''}(${[module, ...seen].join('|')})/)`,
  },
}));

const subModuleRules = Object.entries(subModules).flatMap(([module, table]) =>
  Object.entries(table).map(([name, seen]) => ({
    name: `${module}-${name === '.' ? 'root' : name === '*' ? 'others' : name}-imports-only`,
    comment: `src/${module}/${name} imports from ${seen.length === 0 ? 'no other folder' : seen.join(', ')} of src/${module}.`,
    severity: 'error',
    from: fromSubModule(module, name, Object.keys(table)),
    to: {
      path: `^src/${module}/`,
      // A stylesheet is text: several are joined to one that is loaded at once.
      pathNot: [...[name, ...seen].map((other) => filesOf(module, other)), '\\.css$'],
      dependencyTypesNot: ['dynamic-import'],
    },
  })),
);

/** Returns the path pattern of a sub-module. */
function filesOf(module, name) {
  if (name === '.') return `^src/${module}/[^/]+$`;
  return name === '*' ? `^src/${module}/$1/` : `^src/${module}/${name}[/.]`;
}

function fromSubModule(module, name, names) {
  if (name !== '*') return { path: filesOf(module, name) };
  return { path: `^src/${module}/([^/]+)/`, pathNot: names.map((other) => filesOf(module, other)) };
}

const dependencyRules = Object.entries(owners).map(([dependency, homes]) => ({
  name: `${dependency.replace(/\W/g, '-')}-imported-only-by-owner`,
  comment: `Only src/${homes.join(' and src/')} may import ${dependency}.`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/(${homes.join('|')})/` },
  to: { path: `node_modules/${dependency}/` },
}));

module.exports = {
  forbidden: [
    ...moduleRules,
    ...subModuleRules,
    ...dependencyRules,
    {
      name: 'no-import-cycle',
      comment: 'Two files must not import each other, not even through other files.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'cli-imports-only',
      comment:
        'The command runs in Node: it imports only modules that render nothing. Its page (cli/page/) uses the built package.',
      severity: 'error',
      from: { path: '^cli/', pathNot: '^cli/page/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/((errors|enumerate|limit-accents|load-once|lookalikes|page-functions|parse-url)\\.ts$|testing\\.ts$|(model|formats|transport|protocols|conversation|runtime|safety)/)',
      },
    },
    {
      name: 'not-to-cli',
      comment: 'Neither the widget nor the demo imports from cli/.',
      severity: 'error',
      from: { path: '^(src|demo)/' },
      to: { path: '^cli/' },
    },
    {
      name: 'demo-imports-only-public-api',
      comment: 'The demo imports only the entry points, as a page would.',
      severity: 'error',
      from: { path: '^demo/' },
      to: {
        path: '^src/',
        pathNot: '^src/(index|define|protocols|model|renderers|markdown|react|embed|testing)\\.ts$',
      },
    },
    {
      name: 'no-unresolved-import',
      comment: 'Every import must resolve to a file or a package.',
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
