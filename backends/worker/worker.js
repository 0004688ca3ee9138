/** The proxy as a worker. The key is a secret: `npx wrangler secret put OPENAI_API_KEY`. */
import { proxy } from '../node/proxy.js';

export default {
  fetch: (request, { OPENAI_API_KEY: key, MODEL: model = 'gpt-5-mini', UPSTREAM: upstream }) =>
    // Replace `signedIn` by your session: as it stands, whoever knows the address may ask.
    proxy(request, { key, model, upstream, signedIn: () => true }),
};
