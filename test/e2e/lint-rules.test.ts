/** The lint rules that enforce promises of `docs/security.md`: each must report its violations, and nothing else. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ESLint } from 'eslint';

interface Row {
  readonly name: string;
  readonly code: string;
  /** The rule that reports the code; undefined if it is allowed. */
  readonly rule?: string;
  readonly file?: string;
}

const IDS = 'no-restricted-syntax';
const compares = (comparison: string): string =>
  `export const same = (x: Thing, y: Thing, toolCallId?: string): boolean => ${comparison};`;

const rows: readonly Row[] = [
  ...[
    'x.toolCallId === y.toolCallId',
    'x.toolCallId == y.id',
    'toolCallId === y.id',
    'x.id !== toolCallId',
    'x?.requestId !== y.requestId',
    "x['tool_call_id'] === y.id",
    'x.tool_call?.id === y.tool_call?.id',
    'x.callBlockId === y.id',
    'x!.dataId === y!.dataId',
  ].map((comparison) => ({ name: `compares ids: ${comparison}`, code: compares(comparison), rule: IDS })),
  ...['x.toolCallId !== undefined', 'undefined === x.requestId', 'isSameId(x.toolCallId, y.toolCallId)'].map(
    (comparison) => ({ name: `allows: ${comparison}`, code: compares(comparison) }),
  ),
  ...['fetch(url)', 'new WebSocket(url)', 'new EventSource(url)', 'new XMLHttpRequest()', 'new Image()'].map(
    (request) => ({
      name: `opens a connection: ${request}`,
      code: `export const ask = (url: string): unknown => ${request};`,
      rule: 'no-restricted-globals',
    }),
  ),
  ...['window.fetch(url)', 'globalThis.fetch(url)', 'navigator.sendBeacon(url)'].map((request) => ({
    name: `opens a connection: ${request}`,
    code: `export const ask = (url: string): unknown => ${request};`,
    rule: 'no-restricted-properties',
  })),
  {
    name: 'calls what the oldest supported browser does not have',
    code: 'export const hostOf = (url: string): string | undefined => URL.parse(url)?.host;',
    rule: IDS,
  },
  {
    name: 'names an address as the page’s',
    code: "import { pageAddress } from './request/page-address.ts'; export const of = (url: string): URL => pageAddress(url);",
    rule: 'no-restricted-imports',
  },
  {
    name: 'puts an id into a path without a check',
    file: 'src/protocols/x.ts',
    code: 'export const path = (id: string): string => `/runs/${encodeURIComponent(id)}`;',
    rule: 'no-restricted-globals',
  },
  ...['/(a+)+$/', '/^(\\w+\\s?)*$/', "new RegExp('(a+)+$')"].map((expression) => ({
    name: `reads a text in exponential time: ${expression}`,
    code: `export const is = (text: string): boolean => ${expression}.test(text);`,
    rule: 'regexp/no-super-linear-backtracking',
  })),
  {
    name: 'reads a text in quadratic time',
    code: 'export const is = (text: string): boolean => /a+b/.test(text);',
    rule: 'regexp/no-super-linear-move',
  },
  { name: 'allows: linear time', code: 'export const is = (text: string): boolean => /^a+b/.test(text);' },
  {
    name: 'turns a string into markup',
    code: 'export const show = (host: Element, text: string): void => { host.innerHTML = text; };',
    rule: IDS,
  },
];

const guards = [...new Set(rows.flatMap(({ rule }) => rule ?? []))];

describe('the lint rules of docs/security.md', () => {
  const eslint = new ESLint();
  for (const { name, code, rule, file = 'src/runtime/x.ts' } of rows) {
    it(name, async () => {
      const [result] = await eslint.lintText(code, { filePath: file });
      const reported = new Set(result?.messages.map(({ ruleId }) => ruleId));
      if (rule === undefined)
        assert.deepEqual(
          guards.filter((guard) => reported.has(guard)),
          [],
        );
      else assert.ok(reported.has(rule), `Reported: ${[...reported].join(', ')}`);
    });
  }
});
