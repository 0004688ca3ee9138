import parser from '@typescript-eslint/parser';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import regexp from 'eslint-plugin-regexp';
import sonarjs from 'eslint-plugin-sonarjs';
import wc from 'eslint-plugin-wc';
import { defineConfig } from 'eslint/config';

/**
 * APIs that convert strings to markup or code: allowed in `src/safety/` only. Source: `docs/security.md`,
 * `docs/decisions/safety.md`.
 */
const markup = [
  ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'setHTMLUnsafe', 'srcdoc', 'createContextualFragment'].map(
    (name) => ({
      selector: `MemberExpression[property.name='${name}'], Property[key.name='${name}']`,
      message: `${name} turns a string into markup: that happens in src/safety/ alone.`,
    }),
  ),
  {
    selector: 'ImportDeclaration[source.value=/unsafe-(html|svg|static)|static-html/]',
    message: 'Unsafe directives turn a string into markup: build templates from data instead.',
  },
  {
    selector: "NewExpression[callee.name='Function'], CallExpression[callee.name='eval']",
    message: 'Nothing in this project evaluates strings.',
  },
  {
    selector: "CallExpression[callee.property.name='open'][callee.object.name='window']",
    message: 'A link is a link that the browser opens.',
  },
  {
    selector: "CallExpression[callee.property.name='setAttribute'][arguments.0.value='style']",
    message: 'A style attribute breaks under a strict CSP: use a class or CSSOM.',
  },
].flat();

/** Network APIs: one module sends requests, one opens sockets. Source: `docs/decisions/requests.md`. */
const network = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket', 'WebSocketStream', 'WebTransport', 'Image'].map(
  (name) => ({
    name,
    message: `${name} reaches the network: requests go through src/runtime/request/send-request.ts.`,
  }),
);
const networkProperties = [
  ...['withResolvers', 'try', 'any', 'allSettled'].map((property) => ({
    object: 'Promise',
    property,
    message: `Promise.${property} is missing where a page has a Promise of its own, as with zone.js: see src/runtime/deferred.ts.`,
  })),
  ...['window', 'self', 'globalThis'].flatMap((object) =>
    network.map(({ name, message }) => ({ object, property: name, message })),
  ),
  ...['sendBeacon', 'serviceWorker'].map((property) => ({
    object: 'navigator',
    property,
    message: `${property} reaches the network: requests go through src/runtime/request/send-request.ts.`,
  })),
];

/** Not in every supported browser. */
const missing = [
  {
    selector: "CallExpression[callee.object.name='URL'][callee.property.name='parse']",
    message: 'Chrome 125 has no URL.parse(): use parseUrl() of src/parse-url.ts.',
  },
];

/**
 * Methods of arrays that libraries on the page replace or delete, as Prototype.js and MooTools do. See
 * `docs/guides/on-your-page.md`.
 */
const replaced = [
  {
    selector: "CallExpression[callee.object.name='Array'][callee.property.name='from'][arguments.length=2]",
    message: 'Array.from of a page may ignore the function: use a spread and map().',
  },
  {
    selector: "ForOfStatement > CallExpression.right[callee.property.name='entries'][callee.object.name!='Object']",
    message: 'A page may have deleted entries(): use src/enumerate.ts, or iterate the map itself.',
  },
];

/**
 * Comparing server ids: two missing ids would be equal. Adapters may compare the ids of their own protocol, whose
 * schemas require them. See `docs/decisions/permissions.md`.
 */
const wireIds = ['left', 'right'].flatMap((side) => {
  const names = '/^(toolCallId|tool_call_id|callBlockId|requestId|dataId|data_id|responseId)$/';
  const id = (node) => [
    `[${node}.name=${names}]`,
    `[${node}.property.name=${names}]`,
    `[${node}.property.value=${names}]`,
    `[${node}.property.name='id'][${node}.object.name='tool_call']`,
    `[${node}.property.name='id'][${node}.object.property.name='tool_call']`,
  ];
  return [...id(side), ...id(`${side}.expression`)].map((where) => ({
    // (With `=` or `!=` instead of an expression, a missing name would count as the name `undefined`.)
    selector: `BinaryExpression[operator=/^[!=]==?$/]:not([left.name=/^undefined$/]):not([right.name=/^undefined$/])${where}`,
    message: 'An id from the wire may be absent: compare it with isSameId() of src/model/same-id.ts.',
  }));
});

/**
 * Counts the `let`s of a function that its inner functions use: with more than a few, nobody sees what belongs to the state.
 * Source: `docs/decisions/adapters.md`.
 */
const maxCapturedVariables = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'integer', minimum: 0 }],
    messages: {
      tooMany:
        '{{count}} variables of this function are used by its inner functions ({{names}}), {{max}} may be. Make the state a class.',
    },
  },
  create({ options: [max], sourceCode, report }) {
    const variablesOf = (scope) => [
      ...scope.variables,
      ...scope.childScopes.filter(({ type }) => !/function|class/.test(type)).flatMap(variablesOf),
    ];
    const isCaptured = ({ defs, references, scope }) =>
      defs.some(({ parent }) => parent?.kind === 'let') &&
      references.some(({ from }) => from.variableScope !== scope.variableScope);
    return {
      ':function'(node) {
        const names = variablesOf(sourceCode.getScope(node))
          .filter(isCaptured)
          .map(({ name }) => name);
        if (names.length > max) {
          report({ node, messageId: 'tooMany', data: { count: names.length, max, names: names.join(', ') } });
        }
      },
    };
  },
};

/** The rules for the sources that oxlint does not have. It has all others, for all files (`.oxlintrc.json`). */
export default defineConfig(
  {
    files: ['src/**/*.ts'],
    languageOptions: { parser },
    extends: [lit.configs['flat/recommended'], wc.configs['flat/best-practice'], litA11y.configs.recommended],
    plugins: { regexp },
    rules: {
      // A regular expression over external text must run in linear time. `bench -- --only expressions` measures all of
      // them.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      'no-useless-assignment': 'error',
      'no-restricted-syntax': ['error', ...markup, ...replaced, ...missing],
      'no-console': ['error', { allow: ['warn', 'info'] }],
      'no-restricted-globals': ['error', ...network],
      'no-restricted-properties': ['error', ...networkProperties],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/page-address.ts'],
              importNames: ['pageAddress'],
              message:
                'Only what reads a setting of the page, or an argument of its script, may call it the page’s address.',
            },
          ],
        },
      ],
      // `define.ts` registers the elements, under names that the page may choose.
      'wc/guard-define-call': 'off',
      'wc/max-elements-per-file': 'error',
      'wc/no-constructor-attributes': 'off',
      'wc/no-closed-shadow-root': 'error',
      'lit-a11y/click-events-have-key-events': 'off',
      'lit-a11y/anchor-is-valid': 'off',
      'lit-a11y/no-autofocus': 'off',
    },
  },
  {
    files: ['src/protocols/**/*.ts'],
    ignores: ['src/protocols/shared/request-urls.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...network,
        {
          name: 'encodeURIComponent',
          message: 'An id in a path passes segment(): `..` climbs, also when it is encoded.',
        },
        { name: 'encodeURI', message: 'An id in a path passes segment(): `..` climbs, also when it is encoded.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { sonarjs },
    rules: { 'sonarjs/cognitive-complexity': ['error', 40] },
  },
  {
    files: ['src/{protocols,runtime,storage}/**/*.ts'],
    plugins: { local: { rules: { 'max-captured-variables': maxCapturedVariables } } },
    rules: {
      'max-lines-per-function': ['error', { max: 80 }],
      'local/max-captured-variables': ['error', 4],
    },
  },
  {
    files: ['src/runtime/request/send-request.ts', 'src/runtime/request/open-socket.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: [
      'src/runtime/stream/request-with-retries.ts',
      'src/runtime/request/poll.ts',
      'src/runtime/tools/discover-agents.ts',
      'src/components/element/agent-chat-conversation.ts',
    ],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['src/{components,conversation,model,renderers,runtime}/**/*.ts'],
    ignores: ['src/model/same-id.ts'],
    rules: { 'no-restricted-syntax': ['error', ...markup, ...replaced, ...missing, ...wireIds] },
  },
  { files: ['src/safety/**/*.ts'], rules: { 'no-restricted-syntax': 'off' } },
);
