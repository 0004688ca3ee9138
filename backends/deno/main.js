/** The proxy for Deno. */
import { proxy } from '../node/proxy.js';

const key = Deno.env.get('OPENAI_API_KEY');
if (!key) throw new Error('Set OPENAI_API_KEY.');
const model = Deno.env.get('MODEL') ?? 'gpt-5-mini';
const upstream = Deno.env.get('UPSTREAM');

// Replace `signedIn` by your session: as it stands, whoever reaches this port may ask.
Deno.serve({ port: 8787, hostname: '127.0.0.1' }, (request) =>
  proxy(request, { key, model, upstream, signedIn: () => true }),
);
