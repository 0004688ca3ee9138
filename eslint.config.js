import js from '@eslint/js';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import wc from 'eslint-plugin-wc';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Strings that become markup or code: only `src/safety/` may. Source: `security/README.md`; `docs/decisions`. */
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

export default defineConfig(
  globalIgnores(['**/dist/', 'dist-demo/', 'examples/', 'backends/', '**/node_modules/', '**/.cache/']),
  js.configs.recommended,
  // Without those rules that ask for types: a linter made for them has these, in a tenth of the time (`.oxlintrc.json`).
  tseslint.configs.strict,
  tseslint.configs.stylistic,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      // What belongs to a namespace of others, as React's JSX does, can be said in no other way.
      '@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    extends: [lit.configs['flat/recommended'], wc.configs['flat/best-practice'], litA11y.configs.recommended],
    rules: {
      'no-restricted-syntax': ['error', ...markup],
      'no-console': ['error', { allow: ['warn', 'info'] }],
      // The elements are registered in `define.ts` under names that the page may choose.
      'wc/guard-define-call': 'off',
      'wc/max-elements-per-file': 'error',
      'wc/no-constructor-attributes': 'off',
      'wc/no-closed-shadow-root': 'error',
      'lit-a11y/click-events-have-key-events': 'off',
      'lit-a11y/anchor-is-valid': 'off',
      'lit-a11y/no-autofocus': 'off',
    },
  },
  { files: ['src/safety/**/*.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs', globals: { module: 'writable' } } },
);
