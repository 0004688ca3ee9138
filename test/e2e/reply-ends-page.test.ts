import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { REASONS, replyEnds } from '../protocols/reply-ends/bodies.ts';

const cell = (notation: string | undefined): string => (notation === undefined ? '–' : `\`${notation}\``);
const row = (protocol: string): readonly string[] => [
  `[${protocol}](../protocols/${protocol}.md)`,
  ...REASONS.map((reason) => cell(replyEnds[protocol]?.[reason]?.[0])),
];

describe('the table of reply ends in "When things fail"', () => {
  it('has the notations that the tests play, for each protocol', async () => {
    const page = await readFile('docs/guides/when-things-fail.md', 'utf8');
    const [, table = ''] = page.split('## How each protocol reports it');
    const written = table
      .split('\n')
      .filter((line) => line.startsWith('| ['))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((text) => text.trim()),
      );
    const expected = Object.keys(replyEnds).map(row);
    // The missing rows are printed as they have to be in the page.
    assert.deepEqual(written, expected, expected.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
  });
});
