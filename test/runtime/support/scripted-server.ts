/** A server that the test controls: each request gets the next answer of its script, and is recorded. */
export interface Asked {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
  /** The body as JSON; undefined for any other body. */
  readonly body: unknown;
}

type Reply = Response | Error | Promise<Response>;
export type Answerer = (asked: Asked) => Reply;

export class ScriptedServer {
  readonly asked: Asked[] = [];
  readonly #script: Answerer[];
  readonly #waiting: (() => void)[] = [];

  /** The last answer is repeated for all later requests. */
  constructor(...script: readonly Answerer[]) {
    this.#script = [...script];
  }

  readonly fetch: typeof fetch = (input, init = {}) => {
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
    const asked = { url, init, headers: new Headers(init.headers), body };
    this.asked.push(asked);
    for (const heard of this.#waiting.splice(0)) heard();
    const answerer = this.#script.length > 1 ? this.#script.shift() : this.#script[0];
    const reply = answerer?.(asked) ?? new Error('The script has no answer.');
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
  };

  /** Resolves when this many requests have arrived. */
  async heard(count: number): Promise<void> {
    while (this.asked.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** The requests' bodies, in order. */
  get bodies(): readonly unknown[] {
    return this.asked.map(({ body }) => body);
  }
}

const STREAM = { 'content-type': 'text/event-stream' };

/** A complete stream. */
export const stream =
  (body: string): Answerer =>
  () =>
    new Response(body, { headers: STREAM });

/** A bad status. */
export const status =
  (code: number, body = '', headers: Readonly<Record<string, string>> = {}): Answerer =>
  () =>
    new Response(body || null, { status: code, headers });

/** The request fails, as without a network. */
export const unreachable: Answerer = () => new TypeError('Failed to fetch');

/** No response until the request is aborted. */
export const silent: Answerer = ({ init }) =>
  new Promise((_resolve, reject) => {
    init.signal?.addEventListener('abort', () => {
      reject(new DOMException('Aborted', 'AbortError'));
    });
  });

/** A body whose chunks are all there, and its later state. `end`: `open` leaves it open, like a server that hangs. */
export function watchedBody(pieces: readonly string[], end: 'close' | 'open' | 'drop' = 'open') {
  const body = { cancelled: false };
  const readable = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        if (end === 'close') controller.close();
      },
      pull(controller) {
        if (end === 'drop') controller.error(new TypeError('network error'));
      },
      cancel() {
        body.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return Object.assign(body, { response: () => new Response(readable, { headers: STREAM }) });
}

/** Session events of a reply, with or without its end. */
export const session = (text: string, ended = true): string =>
  [
    { type: 'content', data: { content: text } },
    ...(ended ? [{ type: 'session_end', data: { status: 'completed' } }] : []),
  ]
    .map((event) => `data: ${JSON.stringify({ ...event, metadata: { timestamp: 1_736_985_600 } })}\n\n`)
    .join('');

const completion = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** A chat completion with text. */
export const completionOf = (text: string): string =>
  `${completion({ content: text }, null)}${completion({}, 'stop')}data: [DONE]\n\n`;

/** A chat completion that calls tools: `[id, name, arguments]` each. */
export const callsOf = (...calls: readonly (readonly [id: string, name: string, args: string])[]): string => {
  const tool_calls = calls.map(([id, name, args], index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  return `${completion({ tool_calls }, null)}${completion({}, 'tool_calls')}data: [DONE]\n\n`;
};
