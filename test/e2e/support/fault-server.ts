/** All faults of an endpoint, or of a proxy before it, by name. The agent sends session events. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

const STREAM = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };

const event = (type: string, data: object): string =>
  `data: ${JSON.stringify({ type, data, metadata: { timestamp: 1_736_985_600 } })}\n\n`;
const contentEvent = (content: string): string => event('content', { content });
export const END = event('session_end', { status: 'completed' });
const completeReply = (content: string): string => contentEvent(content) + END;
/** The text that remains after a fault in mid-reply. */
export const HALF = 'Half an answer';

const page =
  '<!doctype html><html><body><h1 id="login">Sign in</h1><script>document.title = "Taken"</script></body></html>';

interface Scene {
  /** Another host, which answers correctly. */
  readonly elsewhere: string;
  /** Resolves when the user has seen the received text. */
  seen(): Promise<void>;
}

type Fault = (response: ServerResponse, scene: Scene, request: IncomingMessage) => void | Promise<void>;

const answer =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Fault =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };
const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Fault =>
  answer(status, JSON.stringify({ error: { message } }), { ...JSON_TYPE, ...headers });
const stream = (body: string): Fault => answer(200, body, STREAM);

/** Half an answer, then an action after the user has seen it. */
const halfThen =
  (rest: (response: ServerResponse) => void): Fault =>
  async (response, { seen }) => {
    response.writeHead(200, STREAM).write(contentEvent(HALF));
    await seen();
    rest(response);
  };

const redirect =
  (status: number, where: 'here' | 'elsewhere'): Fault =>
  (response, { elsewhere }) => {
    response.writeHead(status, { location: `${where === 'here' ? '' : elsewhere}/agent/moved` }).end();
  };

/** As long as the client reads. */
const endless =
  (start: string, chunk: string): Fault =>
  (response) => {
    response.writeHead(200, STREAM).write(start);
    const write = (): void => {
      while (!response.destroyed) if (!response.write(chunk)) return;
    };
    response.on('drain', write);
    write();
  };

/** A few kilobytes that decompress to a hundred megabytes. */
function bomb(chunk: string): Fault {
  let packed: Buffer | undefined;
  return (response) => {
    packed ??= gzipSync(chunk.repeat(Math.ceil(100e6 / chunk.length)), { level: 1 });
    response.writeHead(200, { ...STREAM, 'content-encoding': 'gzip' }).end(packed);
  };
}

export const FLOOD = 20_000;

const soon = (): string => new Date(Date.now() + 1000).toUTCString();

const well = stream(completeReply('All is well.'));
const expired = refusal(401, 'The session has expired.');

const faults = {
  none: well,

  'never answers': () => undefined,
  'never begins': (response) => {
    response.writeHead(200, STREAM).flushHeaders();
  },
  stalls: halfThen(() => undefined),
  'dropped before its head': (response) => {
    response.destroy();
  },
  'dropped before its first byte': (response) => {
    response.writeHead(200, STREAM).flushHeaders();
    setImmediate(() => response.destroy());
  },
  'dropped after its first byte': halfThen((response) => response.destroy()),
  'cut without an end mark': halfThen((response) => response.end()),
  'error in the middle': halfThen((response) => {
    response.end(event('error', { error_type: 'execution', message: 'The database is away.', recoverable: true }));
  }),
  'broken frames': stream(
    contentEvent(HALF) +
      'data: {"type": "content", "da\n\n' +
      contentEvent(' and the rest.') +
      'data: {"type"\n\n' +
      END,
  ),

  'a web page with 200': answer(200, page, HTML_TYPE),
  'a web page with 502': answer(502, page, HTML_TYPE),
  'JSON with 200': answer(200, '{"answer":"All of it, at once."}', JSON_TYPE),
  'an error as JSON with 200': answer(200, '{"error":{"message":"The quota is used up."}}', JSON_TYPE),
  'an empty body': stream(''),
  '204': answer(204),
  'the wrong content type': answer(200, completeReply('All the same.'), { 'content-type': 'application/octet-stream' }),

  '301 here': redirect(301, 'here'),
  '302 here': redirect(302, 'here'),
  '307 here': redirect(307, 'here'),
  '308 here': redirect(308, 'here'),
  '301 elsewhere': redirect(301, 'elsewhere'),
  '302 elsewhere': redirect(302, 'elsewhere'),
  '307 elsewhere': redirect(307, 'elsewhere'),
  '308 elsewhere': redirect(308, 'elsewhere'),

  '401': expired,
  '401 until the token is new': (response, scene, request) =>
    (request.headers.authorization === 'Bearer new' ? well : expired)(response, scene, request),
  '403': refusal(403, 'Your role may not use the billing assistant.'),
  '404': answer(404),
  '408': refusal(408, 'Too slow.'),
  '409': refusal(409, 'Another run is under way.'),
  '413': refusal(413, 'Too much.'),
  '429': refusal(429, 'Too many.'),
  '429 for a second': refusal(429, 'Too many.', { 'retry-after': '1' }),
  '429 until a date': (response, scene, request) =>
    refusal(429, 'Too many.', { 'retry-after': soon() })(response, scene, request),
  '429 for an hour': refusal(429, 'Too many.', { 'retry-after': '3600' }),
  '429 for half a minute': refusal(429, 'Too many.', { 'retry-after': '30' }),
  '500': refusal(500, 'The <b>queue</b> is full.'),
  '503': refusal(503, 'Back soon.'),
  '500 whose body never ends': (response) => {
    response.writeHead(500, JSON_TYPE).write('{"error":');
  },

  flood: stream(Array.from({ length: FLOOD }, (_, index) => contentEvent(`${String(index)} `)).join('') + END),
  'an endless stream': endless(contentEvent(HALF), contentEvent('and so on ')),
  'an endless line': endless(`${contentEvent(HALF)}data: `, 'x'.repeat(64 * 1024)),
  'endless comments': endless(contentEvent(HALF), ': still here\n'.repeat(1000)),
  'a gzip bomb of one line': bomb('x'.repeat(1000)),
  'a gzip bomb of events': bomb(contentEvent('boom ')),
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

export interface FaultServer {
  /** The response from now on. */
  fault: FaultName;
  /** Requests to the agent since the previous call. */
  takeCount(): number;
  /** The user has seen the received text. */
  tellSeen(): void;
  /** Sends more text in the running reply, and ends it. */
  goOn(rest: string): void;
  /** Cuts the connection of the running reply. */
  breakOff(): void;
  /** Resolves when the client has closed the last request. */
  leftAlone(): Promise<void>;
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

export function faultServer(elsewhere: string): FaultServer {
  let count = 0;
  let resolveSeen: () => void = () => undefined;
  let left: Promise<void> = Promise.resolve();
  let under: ServerResponse | undefined;
  return {
    fault: 'none',
    takeCount() {
      const taken = count;
      count = 0;
      return taken;
    },
    tellSeen: () => {
      resolveSeen();
    },
    goOn: (rest) => {
      under?.end(rest);
    },
    breakOff: () => {
      under?.destroy();
    },
    leftAlone: () => left,
    async handle(request, response) {
      if (!request.url?.startsWith('/agent')) return false;
      count++;
      under = response;
      for await (const _ of request); // the request is read to its end
      left = new Promise((resolve) => response.once('close', resolve));
      const seen = new Promise<void>((resolve) => (resolveSeen = resolve));
      const serve: Fault = faults[this.fault];
      await serve(response, { elsewhere, seen: () => seen }, request);
      return true;
    },
  };
}
