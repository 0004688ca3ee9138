import { expect } from '@open-wc/testing';
import { fileNameOf } from '../../../src/primitives/code/file-name.ts';
import { isDiff, parseDiff, createGutterRows } from '../../../src/primitives/code/line-gutter.ts';
import { parseFenceInfo } from '../../../src/markdown/parse/fence-info.ts';

describe('parseDiff()', () => {
  /** `+12` is an added line with the number 12. */
  const linesOf = (diff: string): readonly string[] =>
    parseDiff(diff.split('\n')).map(({ kind, number }) => {
      const sign = { added: '+', removed: '-', hunk: '@', head: 'h', same: ' ' }[kind];
      return `${sign}${String(number ?? '')}`;
    });

  for (const { name, diff, rows } of [
    {
      name: 'numbers lines by the hunk headers',
      diff: 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -10,2 +20,3 @@ f()\n a\n-b\n+c\n+d\n e',
      rows: ['h', 'h', 'h', '@', ' 20', '-11', '+21', '+22', ' 23'],
    },
    { name: 'without hunk headers counts the lines', diff: '-a\n+b\n c', rows: ['-1', '+2', ' 3'] },
    { name: 'a removed line that begins with a dash is not a file header', diff: '--- a\n b', rows: ['-1', ' 2'] },
    {
      name: 'the marker for a missing line end is not a line',
      diff: '+a\n\\ No newline at end of file',
      rows: ['+1', 'h'],
    },
    {
      name: 'a second hunk restarts the numbers',
      diff: '@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n c',
      rows: ['@', '-1', '+1', '@', ' 9'],
    },
  ]) {
    it(name, () => {
      expect(linesOf(diff)).to.deep.equal(rows);
    });
  }

  for (const [language, expected] of [
    ['diff', true],
    ['Patch', true],
    ['udiff', true],
    ['different', false],
    ['', false],
  ] as const) {
    it(`isDiff(“${language}”) is ${String(expected)}`, () => {
      expect(isDiff(language)).to.equal(expected);
    });
  }

  it('createGutterRows() makes a row for each line, with the text only as an attribute', () => {
    const rows = createGutterRows('a\n\nc\n', false);
    expect(rows.textContent).to.equal('');
    expect(
      [...rows.children].map((row) => [row.getAttribute('data-number'), row.getAttribute('data-text')]),
    ).to.deep.equal([
      ['1', 'a'],
      ['2', ''],
      ['3', 'c'],
    ]);
  });
});

describe('fileNameOf()', () => {
  for (const [filename, language, expected] of [
    [undefined, 'ts', 'code.ts'],
    [undefined, 'TypeScript', 'code.ts'],
    [undefined, '', 'code.txt'],
    [undefined, 'constructor', 'code.txt'],
    [undefined, 'dockerfile', 'Dockerfile'],
    [undefined, 'x/../y', 'code.txt'],
    ['src/app.ts', 'ts', 'app.ts'],
    ['..\\..\\evil.ps1', 'ts', 'evil.ps1'],
    ['.env', '', 'env'],
    ['a\u202Etxt.exe', '', 'atxt.exe'],
    ['a<b>:c?.ts', '', 'abc.ts'],
    ['/', 'py', 'code.py'],
    [`a.pdf${' \u2003'.repeat(99)}.exe`, '', 'a.pdf .exe'],
  ] as const) {
    it(`${JSON.stringify(filename)} in “${language}” is ${expected}`, () => {
      expect(fileNameOf({ filename, language })).to.equal(expected);
    });
  }
});

describe('parseFenceInfo()', () => {
  for (const [info, language, filename] of [
    ['ts', 'ts', undefined],
    ['', '', undefined],
    ['ts title="src/a b.ts"', 'ts', 'src/a b.ts'],
    ["ts {1,3} filename='a.ts'", 'ts', 'a.ts'],
    ['ts file=a.ts x', 'ts', 'a.ts'],
    ['ts:src/a.ts', 'ts', 'src/a.ts'],
    [':a.ts', '', 'a.ts'],
    ['std::vector', '', undefined],
    ['ts title="a\u202Egnp.ts"', 'ts', 'agnp.ts'],
    ['<b> x', '', undefined],
  ] as const) {
    it(`reads ${language || 'no language'} and ${filename ?? 'no file'} from “${info}”`, () => {
      expect(parseFenceInfo(info)).to.deep.equal({ language, filename });
    });
  }
});
