/** Response bodies of the demo's agent server: one for each protocol and scenario. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROTOCOLS, scenarioNames } from '../demo/choices.ts';
import { handleAgentRequest } from '../demo/server/handle.ts';

/** Bodies by protocol id. The model layer of `deepchat-events` counts as that protocol. */
export async function demoBodies(): Promise<ReadonlyMap<string, readonly string[]>> {
  const server = createServer((request, response) => void handleAgentRequest(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const bodies = new Map<string, string[]>();
  for (const protocol of PROTOCOLS) {
    const id = protocol === 'deepchat-core' ? 'deepchat-events' : protocol;
    const known = bodies.get(id) ?? [];
    bodies.set(id, known);
    for (const scenario of scenarioNames) {
      const url = `http://127.0.0.1:${String(port)}/agent/${protocol}?scenario=${scenario}&speed=0`;
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], stream: true }),
      });
      known.push(await response.text());
    }
  }
  server.closeAllConnections();
  server.close();
  return bodies;
}
