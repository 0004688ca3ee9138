/** The tables of the decoders: the tests of a protocol have a stream with each event that its table names. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import ts from 'typescript';

const SOURCES = 'src/protocols';
const TESTS = ['test/protocols', 'test/documents'];

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`);
}

/** The keys of each table of handlers in a file. */
function tablesIn(path: string, code: string): readonly (readonly string[])[] {
  const tables: string[][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText().endsWith('HANDLERS') && node.initializer) {
      if (ts.isObjectLiteralExpression(node.initializer))
        tables.push(
          node.initializer.properties.flatMap(({ name }) =>
            name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? [name.text] : [],
          ),
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true));
  return tables;
}

describe('the tables of the decoders', async () => {
  const sources = (await filesIn(SOURCES)).filter((path) => path.endsWith('.ts'));
  const tests = await Promise.all(
    (await Promise.all(TESTS.map(filesIn))).flat().map(async (path) => ({ path, text: await readFile(path, 'utf8') })),
  );
  for (const path of sources) {
    const tables = tablesIn(path, await readFile(path, 'utf8'));
    if (tables.length === 0) continue;
    const [protocol = ''] = path.slice(SOURCES.length + 1).split(/[./]/);
    const own = tests.filter(({ path: file }) => file.includes(`/${protocol}`) || file.startsWith('test/documents/'));
    it(path, () => {
      const missing = tables.flat().filter((name) => !own.some(({ text }) => occursIn(name, text)));
      assert.deepEqual(missing, []);
    });
  }
});

/** Whether a test names an event: completely, or its last part, which a helper completes. */
function occursIn(name: string, text: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const quoted = [name, last].flatMap((part) => [`'${part}'`, `"${part}"`, `\\"${part}\\"`, `${part}: `]);
  return quoted.some((part) => text.toLowerCase().includes(part.toLowerCase())) || text.includes(`event: ${name}`);
}
