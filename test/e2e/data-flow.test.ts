/** `docs/data-flow.md` names functions in the order in which they use each other. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

interface Step {
  readonly name: string;
  readonly file: string;
  /** The file that uses it. Without one it is that of the step before. */
  readonly user: string | undefined;
}

const page = await readFile('docs/data-flow.md', 'utf8');

const stepsUnder = (heading: string): readonly Step[] =>
  [
    ...(page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(
      /\| `(\w+)` +\| `([^`]+)`(?: ← `([^`]+)`)? +\|/g,
    ),
  ].map(([, name = '', file = '', user]) => ({ name, file, user }));

describe('the page of the data flow', () => {
  for (const heading of ['A frame', 'A question']) {
    it(`names functions that exist and use each other: ${heading}`, async () => {
      const steps = stepsUnder(heading);
      assert.ok(steps.length > 9);
      for (const [index, { name, file, user = steps[index - 1]?.file }] of steps.entries()) {
        const declared = new RegExp(
          `export (?:async )?(?:function\\*?|async function\\*?|const|class) ${name}\\b|function ${name}\\b`,
        );
        assert.match(await readFile(file, 'utf8'), declared, file);
        if (user !== undefined)
          assert.match(await readFile(user, 'utf8'), new RegExp(`\\b${name}\\b`), `${user} uses ${name}`);
      }
    });
  }
});
