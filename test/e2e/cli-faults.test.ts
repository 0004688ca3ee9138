/** `agent-chat-element check <url>` names each fault of an endpoint by a line of its own. The widget's own faults tests
 * have the same faults. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { REMEDIES } from '../../cli/remedies.ts';
import { faultServer, type FaultName } from './support/fault-server.ts';
import { runCommand, serve } from './support/command.ts';

/** The expected findings, but for CORS headers, which this server never sends. */
const rows: Readonly<Record<FaultName, readonly string[]>> = {
  none: [],
  'never answers': ['timeout'],
  'never begins': ['timeout'],
  stalls: ['timeout'],
  'dropped before its head': ['unreachable'],
  'dropped before its first byte': ['broken'],
  'dropped after its first byte': ['broken'],
  'cut without an end mark': ['end-mark'],
  'error in the middle': ['agent-error'],
  'broken frames': ['unknown-frames'],
  'a web page with 200': ['html'],
  'a web page with 502': ['status'],
  'JSON with 200': ['unsupported'],
  'an error as JSON with 200': ['unsupported'],
  'an empty body': ['empty'],
  '204': ['empty'],
  'the wrong content type': ['content-type'],
  '301 here': ['redirect'],
  '302 here': ['redirect'],
  '307 here': ['redirect'],
  '308 here': ['redirect'],
  '301 elsewhere': ['redirect'],
  '302 elsewhere': ['redirect'],
  '307 elsewhere': ['redirect'],
  '308 elsewhere': ['redirect'],
  '401': ['unauthorized'],
  '401 until the token is new': ['unauthorized'],
  '403': ['unauthorized'],
  '404': ['not-found'],
  '408': ['status'],
  '409': ['status'],
  '413': ['status'],
  '429': ['rate-limit'],
  '429 for a second': ['rate-limit'],
  '429 until a date': ['rate-limit'],
  '429 for an hour': ['rate-limit'],
  '429 for half a minute': ['rate-limit'],
  '500': ['status'],
  '503': ['status'],
  '500 whose body never ends': ['status'],
  flood: [],
  'an endless stream': ['endless'],
  'an endless line': ['too-long'],
  'endless comments': ['only-comments'],
  'a gzip bomb of one line': ['compressed', 'endless', 'unknown-frames'],
  'a gzip bomb of events': ['compressed', 'endless'],
};
/** Findings about time: on a busy machine also of a good reply. None of the faults is about them. */
const ABOUT_TIME: ReadonlySet<string> = new Set(['slow', 'silent', 'buffered']);
/** Faults of a reply that does not end by itself. */
const HANGS: ReadonlySet<string> = new Set(['never answers', 'never begins', 'stalls']);

/** Long enough that the command has read the part that was sent. */
const READ_MS = 100;

describe('the check command, with a faulty endpoint', { concurrency: 2 }, () => {
  for (const [fault, expected] of Object.entries(rows)) {
    it(`${fault}: ${expected.join(', ') || 'nothing'}`, async () => {
      const endpoint = faultServer('http://127.0.0.1:9');
      endpoint.fault = fault as FaultName;
      const server = await serve((request, response) => {
        if (request.method === 'OPTIONS') response.writeHead(405).end();
        else void endpoint.handle(request, response).catch(() => undefined);
        setTimeout(() => {
          endpoint.tellSeen();
        }, READ_MS);
      });
      const { code, output } = await runCommand([
        ...['check', `${server.origin}/agent`, '--json', '--protocol', 'agent-session'],
        ...(HANGS.has(fault) ? ['--timeout', '1.5'] : []),
      ]);
      await server.close();
      const { findings } = JSON.parse(output) as { readonly findings: readonly { id: string; level: string }[] };
      const wrong = findings.filter(
        ({ id, level }) => level !== 'ok' && !id.startsWith('cors-') && !ABOUT_TIME.has(id),
      );
      assert.deepEqual(
        wrong.map(({ id }) => id),
        expected,
        output,
      );
      assert.equal(code, wrong.some(({ level }) => level === 'failure') ? 1 : 0);
    });
  }

  it('has a section in the guide for each finding, and no other', async () => {
    const guide = await readFile('docs/guides/is-my-server-ready.md', 'utf8');
    const sections = [...guide.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    assert.deepEqual(sections.sort(), Object.keys(REMEDIES).sort());
  });
});
