/**
 * The complete proxy: takes a `Request` and returns a `Response`. It runs wherever both exist: Node, workers, Deno, Bun.
 *
 * @param {Request} request
 * @param {{ key: string, model: string, upstream?: string, signedIn: (request: Request) => boolean | Promise<boolean> }} settings
 * @returns {Promise<Response>}
 */
export async function proxy(request, { key, model, upstream = UPSTREAM, signedIn }) {
  if (request.method !== 'POST') return refuse(405, 'Send a POST.');
  if (!(await signedIn(request))) return refuse(401, 'Please sign in.');
  const text = await readText(request);
  if (text === undefined) return refuse(413, 'That is too long.');
  const asked = parse(text);
  if (!Array.isArray(asked?.messages)) return refuse(400, 'There are no messages.');
  const answer = await post(upstream, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    // The allowed fields are decided here, not in the page.
    body: JSON.stringify({ model, stream: true, messages: asked.messages, ...(asked.tools && { tools: asked.tools }) }),
    // A user who stops the reply also stops the provider.
    signal: request.signal,
  });
  if (!answer) return refuse(502, 'The provider does not answer.');
  return new Response(answer.body, {
    status: answer.status,
    headers: {
      'content-type': answer.headers.get('content-type') ?? 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      // Nginx buffers a stream without this header.
      'x-accel-buffering': 'no',
    },
  });
}

const UPSTREAM = 'https://api.openai.com/v1/chat/completions';
/** In characters. */
const MAX_LENGTH = 1_000_000;

/** Undefined if it is too long. The rest is then read and dropped: a client that is still sending would not get the answer. */
async function readText({ body }) {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) if (text.length <= MAX_LENGTH) text += decoder.decode(bytes, { stream: true });
  text += decoder.decode();
  return text.length > MAX_LENGTH ? undefined : text;
}

const refuse = (status, message) => Response.json({ error: { message } }, { status });

/** Undefined if nobody answers, or if the user has disconnected. */
async function post(url, init) {
  try {
    return await fetch(url, { method: 'POST', ...init });
  } catch (error) {
    if (!init.signal.aborted) console.error(error);
    return undefined;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
