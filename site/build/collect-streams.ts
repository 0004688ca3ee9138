/** Collects the streams of the playground: the adapters' test recordings, and the demo server's long answer in each protocol. */
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import {
  PROTOCOLS,
  WITH_CONNECTION,
  SCENARIOS,
  addressOf,
  scenarioNames,
  type ProtocolName,
  type ScenarioName,
} from '../../demo/choices.ts';
import { handleAgentRequest } from '../../demo/server/handle.ts';
import type { Stream } from '../client/streams.ts';

const TYPES: Readonly<Record<string, string>> = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
};

export async function collectStreams(tests: string): Promise<readonly Stream[]> {
  const all = [...(await scripted()), ...(await recorded(tests))];
  return all.sort((one, other) => (one.protocol < other.protocol ? -1 : one.protocol > other.protocol ? 1 : 0));
}

/** Each recording has a file with its expected result beside it. */
async function recorded(tests: string): Promise<readonly Stream[]> {
  const files = await readdir(tests, { recursive: true });
  const expected = files.filter((file) => file.endsWith('.expect.json'));
  return Promise.all(
    expected.map(async (file) => {
      const base = file.replace(/\.expect\.json$/, '');
      const found = files.find((other) => other.startsWith(`${base}.`) && other !== file);
      const [protocol = '', name = ''] = (found ?? base).split('/');
      const contentType = TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain';
      return { protocol, name, contentType, body: await readFile(join(tests, protocol, name), 'utf8') };
    }),
  );
}

/** The long answer of every protocol, and further scenarios of some protocols. */
const wanted: readonly (readonly [ProtocolName, ScenarioName])[] = [
  ...PROTOCOLS.filter((protocol) => !WITH_CONNECTION.has(protocol)).map((protocol) => [protocol, 'answer'] as const),
  ...scenarioNames
    // Scenarios that wait for the user need a server to continue.
    .filter((name) => !['answer', 'permission', 'rate-limit', 'tool-limit', 'page-tools'].includes(name))
    .map((name) => [SCENARIOS[name].best, name] as const),
];

async function scripted(): Promise<readonly Stream[]> {
  const server = createServer((request, response) => void handleAgentRequest(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  try {
    return await Promise.all(wanted.map(([protocol, scenario]) => ask(origin, protocol, scenario)));
  } finally {
    server.close();
  }
}

async function ask(origin: string, protocol: ProtocolName, scenario: ScenarioName): Promise<Stream> {
  const response = await fetch(`${origin}${addressOf(protocol)}?speed=0&scenario=${scenario}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: SCENARIOS[scenario].ask }], stream: true }),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`${protocol} did not answer "${scenario}": ${body}`);
  const known = protocol === 'deepchat-core' ? 'deepchat-events' : protocol;
  const name = protocol === known ? scenario : `${scenario} (${protocol})`;
  return { protocol: known, name, contentType: response.headers.get('content-type') ?? 'text/plain', body };
}
