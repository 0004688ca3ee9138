/** `docs/house.md` lists the modules; the check reads `.dependency-cruiser.cjs`. Both must agree. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { ChatError } from '../../src/errors.ts';
import { transition, type TurnEvent, type TurnState } from '../../src/runtime/chat/turn-state.ts';

interface Rule {
  readonly name: string;
  readonly comment?: string;
}

const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly Rule[];
};
const page = await readFile('docs/house.md', 'utf8');

/** The imports that the rules of the check allow for a module. */
const allowed = new Map(
  forbidden.flatMap(({ comment = '' }) => {
    const [, module, others] = /^src\/(\w+) imports from (.+)\.$/.exec(comment) ?? [];
    return module === undefined || others === undefined
      ? []
      : [[module, others === 'no other module' ? [] : others.split(', ').sort()] as const];
  }),
);

/** The imports that the page allows. `all but`: every module of the check except those. */
function importsOnPage(cell: string): readonly string[] {
  const names = [...cell.matchAll(/\b(?!all\b|but\b|and\b|nothing\b)[a-z]+\b(?!\.ts)/g)].map(([name]) => name);
  if (!cell.startsWith('all but')) return names.sort();
  return [...allowed.keys()].filter((name) => !names.includes(name) && !['components', 'react'].includes(name)).sort();
}

describe('the modules page', () => {
  it('lists the same allowed imports as the check', () => {
    const rows = [...page.matchAll(/^\| `(\w+)\/` +\|[^|]*\| ([^|]+?) +\|$/gm)];
    assert.deepEqual(rows.map(([, module]) => module).sort(), [...allowed.keys()].sort());
    for (const [, module = '', cell = ''] of rows)
      assert.deepEqual(importsOnPage(cell.replaceAll(/, `[^`]+`/g, '')), allowed.get(module), module);
  });

  it('names files and folders that exist', () => {
    const paths = [...page.matchAll(/`([a-z][\w-]*(?:\/[\w.-]*)+)`/g)].map(([, path = '']) => path);
    assert.ok(paths.length > 20);
    assert.deepEqual(
      paths.filter((path) => !existsSync(path) && !existsSync(`src/${path}`) && !isBeside(path)),
      [],
    );
  });
});

describe('the states of a turn on that page', () => {
  const wait: Extract<TurnState, { readonly phase: 'waiting' }>['wait'] = {
    attempt: 1,
    now: () => undefined,
    error: new ChatError('network', 'Down.', { reason: 'offline' }),
  };
  const end: Extract<TurnEvent, { readonly type: 'end' }>['end'] = {
    outcome: { status: 'complete', finish: 'complete' },
    isFinished: true,
    byServer: true,
    saved: [],
  };
  /** Each state, before and after the server has accepted the message where both are possible; `next` where it returns. */
  const states: readonly TurnState[] = [
    ...[false, true].flatMap((accepted): readonly TurnState[] => [
      { phase: 'connecting', accepted },
      { phase: 'streaming', accepted },
      { phase: 'parked', accepted },
    ]),
    ...(['connecting', 'streaming'] as const).flatMap((next): readonly TurnState[] => [
      { phase: 'waiting', wait, next },
      { phase: 'reconnecting', wait, next },
    ]),
    { phase: 'done', outcome: end.outcome },
  ];
  const eventOf = (type: string): TurnEvent =>
    type === 'wait' ? { type, wait } : type === 'end' ? { type, end } : ({ type } as TurnEvent);
  const table = /^\| state +\|.*\n(?:\|.*\n)+/m.exec(page)?.[0] ?? '';
  const [head = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.slice(1, -1).split('|'));
  const namesIn = (cell = ''): readonly string[] =>
    [...cell.matchAll(/`(\w+)`|next/g)].map(([all, name]) => name ?? all);

  for (const [state = '', ...cells] of rows)
    for (const [index, cell] of cells.entries())
      for (const type of namesIn(head[index + 1]))
        it(`${namesIn(state).join()}, ${type}`, () => {
          const before = states.filter(({ phase }) => phase === namesIn(state)[0]);
          assert.ok(before.length > 0);
          const after = before.map((one) => {
            const [{ phase }] = transition(one, eventOf(type));
            return 'next' in one && phase === one.next ? 'next' : phase;
          });
          assert.deepEqual([...new Set(after)].sort(), [...namesIn(cell)].sort());
        });

  it('are all of them', () => {
    assert.deepEqual(
      rows.map(([state]) => namesIn(state)[0]).sort(),
      [...new Set(states.map(({ phase }) => phase))].sort(),
    );
    assert.equal(head.flatMap(namesIn).length, 7);
  });
});

/** A list of folders names the first one in full. */
const isBeside = (path: string): boolean =>
  ['components', 'renderers', 'runtime', 'storage', 'protocols'].some((module) => existsSync(`src/${module}/${path}`));
