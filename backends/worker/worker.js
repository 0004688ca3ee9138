/** The proxy as a worker. The key is a secret: `npx wrangler secret put OPENAI_API_KEY`. */
import { proxy } from '../node/proxy.js';

export default {
  fetch: (request, { OPENAI_API_KEY: key, MODEL: model = 'gpt-5-mini', UPSTREAM: upstream }) =>
    // Replace `signedIn` with your session check: without it, anyone who knows the URL can send requests.
    proxy(request, { key, model, upstream, signedIn: () => true }),
};
