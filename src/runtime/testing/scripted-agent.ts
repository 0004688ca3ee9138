/** Scripted agents for tests of host pages. */
import { encoders, type ScriptedProtocol } from './encoders/encoders.ts';
import { encodeReply, type ScriptedReply } from './scripted-reply.ts';

/** A request that was answered from the script. */
export interface ScriptedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  /** Parsed if it is JSON or a form, otherwise text; undefined without a body. */
  readonly body: unknown;
}

/** An answer of the script: a reply, or `status` and `body` of an error response. */
export type ScriptedAnswer =
  | ScriptedReply
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

export type Script = readonly (
  | ScriptedAnswer
  | ((request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>)
)[];

export interface MockEndpoint {
  /**
   * Answers each request with the next entry of the script, and repeats the last one. Nothing is sent over the network.
   */
  readonly fetch: typeof fetch;
  /** The received requests, in order. */
  readonly requests: readonly ScriptedRequest[];
}

export interface MockOptions {
  /**
   * The protocol of the answers: any built-in one but `cloudflare-agents`, which needs a WebSocket. Default:
   * `deepchat-events`, which supports every step.
   */
  readonly protocol?: ScriptedProtocol;
}

/**
 * Creates a `fetch` that acts as a server of a protocol.
 *
 * @example
 * const { fetch, requests } = mockEndpoint(['Hello!', { status: 429 }], { protocol: 'openai-chat' });
 * Object.assign(chat, { endpoint: '/api/agent', protocol: 'auto', fetch });
 */
export function mockEndpoint(script: Script, { protocol = 'deepchat-events' }: MockOptions = {}): MockEndpoint {
  if (script.length === 0) throw new TypeError('The script has no reply.');
  if (!Object.hasOwn(encoders, protocol))
    throw new TypeError(
      `There are no scripted replies in "${protocol}". Protocols: ${Object.keys(encoders).join(', ')}.`,
    );
  const requests: ScriptedRequest[] = [];
  /** The message whose reply the next request asks for. */
  let posted: ScriptedRequest | undefined;
  const answer: typeof fetch = async (input, init) => {
    const received = await readRequest(input, init);
    const sideResponse = encoders[protocol].aside?.(received);
    if (sideResponse) {
      if (sideResponse.isMessage) posted = received;
      return Response.json(sideResponse.json, { status: sideResponse.status });
    }
    const index = requests.length;
    const request = posted ?? received;
    posted = undefined;
    requests.push(request);
    const entry = script[Math.min(index, script.length - 1)] ?? '';
    const scripted = typeof entry === 'function' ? await entry(request) : entry;
    init?.signal?.throwIfAborted();
    if (typeof scripted === 'object' && 'status' in scripted) {
      const { status, body, headers } = scripted;
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const type = { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' };
      return new Response(text ?? null, { status, headers: { ...type, ...headers } });
    }
    const { headers, chunks } = encodeReply(scripted, protocol, index);
    return new Response(streamOf(chunks, init?.signal ?? undefined), { headers });
  };
  return { fetch: answer, requests };
}

/** Settings of a widget with a scripted agent, and the requests it received. */
export interface ScriptedAgent extends MockEndpoint {
  readonly endpoint: string;
  readonly protocol: ScriptedProtocol;
}

/**
 * Creates an agent that sends these replies one after the other: settings to assign to the element.
 *
 * @example
 * const agent = agentOf(['Hello!', [{ reasoning: 'Let me see.' }, { tool: { name: 'clock', result: '12:00' } }, 'It is
 * noon.']]);
 * Object.assign(chat, { endpoint: agent.endpoint, protocol: agent.protocol, fetch: agent.fetch });
 * await chat.send('Hi');
 * expect(agent.requests.length).to.equal(1);
 */
export function agentOf(script: Script, { protocol = 'deepchat-events' }: MockOptions = {}): ScriptedAgent {
  const mock = mockEndpoint(script, { protocol });
  return { endpoint: `scripted-agent${encoders[protocol].path ?? ''}`, protocol, ...mock };
}

async function readRequest(input: RequestInfo | URL, init: RequestInit = {}): Promise<ScriptedRequest> {
  const request = input instanceof Request ? input : undefined;
  const rawBody = request && init.body === undefined ? await request.clone().text() : init.body;
  // Adapters that write the whole body themselves send a blob.
  const text = rawBody instanceof Blob ? await rawBody.text() : rawBody;
  let body: unknown = text === '' ? undefined : (text ?? undefined);
  if (body instanceof FormData) body = Object.fromEntries(body);
  if (typeof body === 'string') {
    try {
      body = JSON.parse(body);
    } catch {
      // The body is text.
    }
  }
  return {
    url: input instanceof Request ? input.url : input.toString(),
    method: init.method ?? request?.method ?? 'GET',
    headers: new Headers(init.headers ?? request?.headers),
    body,
  };
}

/** A stream with one chunk per read. */
function streamOf(chunks: readonly string[], signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream(
    {
      pull(controller) {
        signal?.throwIfAborted();
        const chunk = chunks[next++];
        if (chunk === undefined) controller.close();
        else controller.enqueue(encoder.encode(chunk));
      },
    },
    { highWaterMark: 0 },
  );
}
