import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { nextChangelog, nextSamples, nextVersion } from '../../scripts/release.ts';

describe('a release', () => {
  for (const [wanted, next] of [
    ['patch', '1.2.4'],
    ['minor', '1.3.0'],
    ['major', '2.0.0'],
    ['2.0.0-beta.1', '2.0.0-beta.1'],
  ] as const) {
    it(`${wanted} after 1.2.3 is ${next}`, () => {
      assert.equal(nextVersion('1.2.3', wanted), next);
    });
  }

  it('refuses an invalid version, and a changelog without new entries', () => {
    assert.throws(() => nextVersion('1.2.3', 'soon'), /no version/);
    assert.throws(
      () => nextChangelog('# Changelog\n\n## Unreleased\n\n## 1.2.3 – 2026-01-01\n\n- x\n', '1.2.4', 'd'),
      /Nothing/,
    );
  });

  it('moves unreleased entries under the new version', () => {
    assert.equal(
      nextChangelog('# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.3 – 2026-01-01\n', '1.3.0', '2026-02-02'),
      '# Changelog\n\n## Unreleased\n\n## 1.3.0 – 2026-02-02\n\n- new\n\n## 1.2.3 – 2026-01-01\n',
    );
  });

  it('updates the version in the samples, and nothing else with the same number', () => {
    const before = [
      'https://cdn.example/agent-chat-element@1.2.3/dist/embed.js',
      '"agent-chat-element": "1.2.3", "other": "1.2.3"',
      '"node_modules/agent-chat-element": {\n  "version": "1.2.3",',
      ' * Version: 1.2.3\n * Requires at least: 1.2.3',
      'agent-chat-element@1.2.3-beta.1',
    ];
    assert.equal(
      nextSamples(before.join('\n'), '1.2.3', '2.0.0'),
      [
        'https://cdn.example/agent-chat-element@2.0.0/dist/embed.js',
        '"agent-chat-element": "2.0.0", "other": "1.2.3"',
        '"node_modules/agent-chat-element": {\n  "version": "2.0.0",',
        ' * Version: 2.0.0\n * Requires at least: 1.2.3',
        'agent-chat-element@1.2.3-beta.1',
      ].join('\n'),
    );
  });

  it('changes nothing with --dry-run, and prints every step', async () => {
    const files = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'README.md', 'examples/react/package.json'];
    const read = (): Promise<string[]> => Promise.all(files.map((file) => readFile(file, 'utf8')));
    const before = await read();
    const said = execFileSync(process.execPath, ['--import', 'tsx', 'scripts/release.ts', 'minor', '--dry-run'], {
      encoding: 'utf8',
    });
    assert.deepEqual(await read(), before);
    for (const step of [...files.map((file) => `write ${file}`), '$ npm run build', '$ git tag'])
      assert.ok(said.includes(step), step);
  });
});
