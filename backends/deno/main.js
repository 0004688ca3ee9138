/** The proxy for Deno. */
import { proxy } from '../node/proxy.js';

const key = Deno.env.get('OPENAI_API_KEY');
if (!key) throw new Error('Set OPENAI_API_KEY.');
const model = Deno.env.get('MODEL') ?? 'gpt-5-mini';
const upstream = Deno.env.get('UPSTREAM');

// Replace `signedIn` with your session check: without it, anyone who can reach this port can send requests.
Deno.serve({ port: 8787, hostname: '127.0.0.1' }, (request) =>
  proxy(request, { key, model, upstream, signedIn: () => true }),
);
