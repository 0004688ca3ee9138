/** A server behind a proxy that adds the CORS headers which the command advises, and nothing else. */
import http from 'node:http';
import { serve, type AgentServer } from './command.ts';

/** The CORS header lines in the command's output, for a page of this origin. */
export function advisedHeaders(output: string, origin: string): Readonly<Record<string, string>> {
  const lines = [...output.matchAll(/^\s+(access-control-[\w-]+): (.+)$/gim)];
  return Object.fromEntries(
    lines.map(([, name = '', value = '']) => [name.toLowerCase(), value.replace('https://your-page.example', origin)]),
  );
}

export async function advisedProxy(target: string, headers: Readonly<Record<string, string>>): Promise<AgentServer> {
  const { 'access-control-allow-origin': allowed = '' } = headers;
  const proxy: AgentServer = await serve((request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, headers).end();
      return;
    }
    const passed = { ...request.headers, host: new URL(target).host };
    const outgoing = http.request(
      new URL(request.url ?? '/', target),
      { method: request.method ?? 'GET', headers: passed, agent: false },
      (answer) => {
        const isJson = answer.headers['content-type']?.startsWith('application/json');
        const { 'content-length': _length, ...others } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, { ...others, 'access-control-allow-origin': allowed });
        answer.on('data', (bytes: Buffer) => {
          // An agent card names the addresses of its server.
          response.write(isJson ? bytes.toString('utf8').replaceAll(target, proxy.origin) : bytes);
        });
        answer.on('end', () => response.end());
      },
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    request.pipe(outgoing);
  });
  return proxy;
}
