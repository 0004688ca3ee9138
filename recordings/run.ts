/**
 * `npm run recordings`: recorded streams of real servers, fetched from public repositories and played whole and in
 * random cuts, under the name of the protocol and under `auto`. Exits with 1 if a reply differs from an independent
 * reader of the stream without an explanation.
 *
 * - `--from <folder>`: existing clones instead of new ones
 * - `--only <text>`: only repositories whose name contains the text
 * - `--match <text>`: only files whose path contains the text
 * - `--seed <number>`, `--cuts <number>`: of the random cuts
 */
import { parseArgs } from 'node:util';
import { checkRecording } from './check.ts';
import { openClone, readFiles } from './source/clones.ts';
import { recordingsOf } from './source/recordings.ts';
import { repositories } from './source/repositories.ts';
import { printRow, printTotal, type Row } from './report.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    cuts: { type: 'string', default: '2' },
    match: { type: 'string', default: '' },
  },
});

/** The widget writes there which protocol it has detected, or what to do if none fits. */
console.info = () => undefined;
console.warn = () => undefined;

const rows: Row[] = [];
for (const repository of repositories.filter(({ name }) => name.includes(values.only))) {
  const clone = openClone(repository, values.from);
  if (clone === undefined) {
    console.log(`${repository.name}: not fetched`);
    continue;
  }
  const { files, commit } = readFiles(clone, repository);
  const { recordings, skipped } = recordingsOf(
    repository,
    files.filter(({ name }) => name.includes(values.match)),
  );
  const results = [];
  for (const recording of recordings) {
    results.push(await checkRecording(recording, { seed: Number(values.seed), cuts: Number(values.cuts) }));
  }
  const row = { repository, commit, skipped, results };
  rows.push(row);
  printRow(row);
}
printTotal(rows);
process.exit(rows.some(({ results }) => results.some(({ unexplained }) => unexplained.length > 0)) ? 1 : 0);
