/**
 * Reports the exchanges that the local server forwards: what was sent, what was answered, and the detected protocol.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ChatError } from '../../src/errors.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { detectProtocol } from '../../src/runtime/stream/detect-protocol.ts';
import type { Frame, FrameStream } from '../../src/transport/frame.ts';
import { openFrames } from '../../src/transport/open-frames.ts';
import { decodeUtf8 } from '../../src/transport/text.ts';
import { bufferedText, deliveryOf } from '../buffering.ts';
import { askPreflight } from '../cors.ts';
import { oneLine, type Mask } from '../mask.ts';
import { findingOfStatus, REMEDIES, type FindingId } from '../remedies.ts';
import { toHeaders } from '../request.ts';
import { snippetsFor } from '../snippets.ts';
import { OWN_HEADER, TOKEN_HEADER } from './guard.ts';
import { PAGE_LEFT, pathFor, type Watcher } from './proxy.ts';
import { socketMessages } from './socket-messages.ts';

/** A line for the terminal and for the page. */
export interface Line {
  readonly kind: 'sent' | 'answer' | 'ok' | 'problem' | 'advice' | 'snippet';
  readonly text: string;
  /** Shown unchanged, over several lines. */
  readonly code?: string;
}

export interface WatchOptions {
  readonly target: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: string | undefined;
  /** The id of the protocol that the page begins with: named by the user, or known from the address. */
  readonly known: string | undefined;
  /** The user's own protocol, which needs no detection. */
  readonly mapping: { readonly id: string; readonly json: string } | undefined;
  readonly mask: Mask;
  tell(line: Line): void;
  /** The printed advice about a stream that matches no protocol. */
  propose(frames: readonly Frame[]): string | undefined;
}

/** Maximum length of a request's body that is inspected. */
const BODY_LENGTH = 2000;

/** The line of a server-sent event, or of JSON. */
const EVENT = /^(?:data:|\{)/gm;

/** Protocols that are recognised in almost any reply. */
const UNSPECIFIC: ReadonlySet<string> = new Set(['json', 'text', 'json-stream']);

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Creates a watcher for each exchange; identical reports are printed once. */
export function watchExchanges(options: WatchOptions): (request: IncomingMessage) => Watcher {
  const { target, headers, agent, mask, tell } = options;
  const reported = new Set<string>();
  const once = (line: Line): void => {
    const key = line.kind + line.text + (line.code ?? '');
    if (reported.has(key)) return;
    reported.add(key);
    tell(line);
  };
  const problem = (id: FindingId, text: string): void => {
    tell({ kind: 'problem', text: `${text} ${REMEDIES[id]}` });
  };

  const proposal = (frames: readonly Frame[], why: string): void => {
    const code = options.propose(frames);
    if (code !== undefined)
      once({
        kind: 'advice',
        text: `${why} Save it as a file and add --mapping file.json, or set it as "protocol":`,
        code,
      });
  };

  const recognised = ({ id, label, by, frames }: Recognition): void => {
    // The protocol's other requests, for example to create a thread, are answered with plain JSON.
    if (options.known !== undefined && options.known !== id && UNSPECIFIC.has(id)) return;
    once({ kind: 'ok', text: `The protocol is ${id} (${label}), detected by ${by}.` });
    if (id === 'json-stream')
      proposal(frames, 'The protocol was detected by its structure. This mapping makes it explicit.');
    snippets({ protocol: id });
  };

  const snippets = (own: { readonly protocol?: string; readonly mapping?: string }): void => {
    const keys =
      Object.keys(headers).length > 0 ? ' Your headers are not in it: a key belongs on your own server.' : '';
    for (const { name, code } of snippetsFor({
      endpoint: target.href,
      protocol: own.protocol,
      mapping: own.mapping,
      agent,
    }))
      once({ kind: 'snippet', text: `To paste, ${name}:${keys}`, code });
  };

  const cors = async (url: URL, method: string, names: readonly string[]): Promise<void> => {
    const { missing } = await askPreflight(url, { method, names });
    if (missing.length === 0) once({ kind: 'ok', text: 'Pages of another origin can use it (CORS).' });
    else
      once({
        kind: 'advice',
        text: `Pages of another origin can't use it yet. Answer OPTIONS with 204 and these headers, and every ${method} with the first:`,
        code: missing.join('\n'),
      });
  };

  return (request) => {
    const isSocket = request.headers.upgrade !== undefined;
    const method = isSocket ? 'WebSocket' : (request.method ?? 'GET');
    const url = new URL(pathFor(request.url ?? '/'), target);
    const added = isSocket || request.headers[OWN_HEADER] !== undefined ? Object.keys(headers) : [];
    const names = [...Object.keys(request.headers).filter(isPages), ...added];
    const started = Date.now();
    let body = '';
    let isSent = false;
    const sent = (): void => {
      if (isSent) return;
      isSent = true;
      const maskedHeaders = added.map((name) => `${name}: ***`);
      tell({
        kind: 'sent',
        text: `${method} ${url.pathname}${maskedHeaders.length > 0 ? ` (${maskedHeaders.join(', ')})` : ''}`,
      });
      if (body !== '' && !isSocket) tell({ kind: 'sent', text: `  ${oneLine(mask.text(body), 300)}` });
    };
    let feed: Feed | undefined;
    const arrived = { events: 0, first: 0, last: 0 };
    return {
      sent(bytes) {
        if (body.length < BODY_LENGTH) body += bytes.toString('utf8');
      },
      answer(status, answered) {
        sent();
        const type = answered['content-type'] ?? 'no content type';
        const time = String(Date.now() - started);
        tell({ kind: 'answer', text: `${String(status)} ${isSocket ? 'socket opened' : type}, after ${time} ms` });
        if (status >= 300) {
          const moved = answered.location;
          problem(findingOfStatus(status), moved === undefined ? '' : `It redirects to ${mask.text(oneLine(moved))}.`);
        }
        const success = (status >= 200 && status < 300) || status === 101;
        if (!success || (SAFE_METHODS.has(method) && !isSocket)) return;
        if (!isSocket && url.origin === target.origin) void cors(url, method, names).catch(() => undefined);
        feed = openFeed();
        const by = feed;
        const { mapping } = options;
        if (mapping) {
          void by.bytes.cancel();
          once({ kind: 'ok', text: `The protocol is ${mapping.id}, described by the mapping.` });
          snippets({ mapping: mapping.json });
          return;
        }
        void recogniseFeed(by, { url, answered, isSocket, options }).then(recognised, (error: unknown) => {
          if (!(error instanceof NoProtocol)) return;
          tell({ kind: 'problem', text: mask.text(oneLine(error.message, 400)) });
          proposal(error.frames, 'This mapping may read it.');
        });
      },
      piece(bytes) {
        feed?.push(bytes);
        arrived.last = Date.now() - started;
        arrived.first ||= arrived.last;
        arrived.events += bytes.toString('utf8').match(EVENT)?.length ?? 0;
      },
      end(why) {
        sent();
        feed?.close();
        const arrival = { ...arrived, end: Date.now() - started };
        if (feed && !isSocket && deliveryOf(arrival) === 'buffered') problem('buffered', bufferedText(arrival));
        if (why !== undefined && why !== PAGE_LEFT && feed && !isSocket)
          problem('broken', `The connection was lost after ${String(arrived.events)} events.`);
        if (why !== undefined && feed === undefined) problem('unreachable', `No answer: ${mask.text(oneLine(why))}.`);
      },
    };
  };
}

/** Headers that the widget itself sets. */
const BROWSERS =
  /^(?:host|connection|content-length|user-agent|accept(?:-.*)?|origin|referer|cookie|pragma|cache-control|dnt|priority|upgrade|sec-.*)$/;
const isPages = (name: string): boolean => name !== TOKEN_HEADER && name !== OWN_HEADER && !BROWSERS.test(name);

interface Feed {
  readonly bytes: ReadableStream<Uint8Array>;
  push(bytes: Uint8Array): void;
  close(): void;
}

/** The response as a stream whose consumer may stop early. */
function openFeed(): Feed {
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const bytes = new ReadableStream<Uint8Array>({
    start(controller) {
      control = controller;
    },
    cancel() {
      control = undefined;
    },
  });
  return {
    bytes,
    push(piece) {
      control?.enqueue(piece);
    },
    close() {
      control?.close();
      control = undefined;
    },
  };
}

/** Thrown when no protocol matches; it has the inspected frames. */
class NoProtocol extends Error {
  readonly frames: readonly Frame[];
  constructor(message: string, frames: readonly Frame[]) {
    super(message);
    this.frames = frames;
  }
}

/** Maximum number of frames that are inspected. */
const MOST_FRAMES = 200;

interface Recognition {
  readonly id: string;
  readonly label: string;
  readonly by: string;
  readonly frames: readonly Frame[];
}

interface Seen {
  readonly url: URL;
  readonly answered: IncomingHttpHeaders;
  readonly isSocket: boolean;
  readonly options: Pick<WatchOptions, 'mask'>;
}

async function recogniseFeed({ bytes }: Feed, { url, answered, isSocket, options }: Seen): Promise<Recognition> {
  const stream: FrameStream = isSocket
    ? { framing: 'messages', batches: socketMessages(bytes) }
    : await openFrames(decodeUtf8(bytes, { maxStreamBytes: 64 * 1024 * 1024 }));
  const seenFrames: Frame[] = [];
  const counted = async function* (): AsyncGenerator<readonly Frame[]> {
    for await (const batch of stream.batches) {
      seenFrames.push(...batch);
      yield batch;
    }
  };
  try {
    const found = await detectProtocol(
      { framing: stream.framing, batches: counted() },
      { url, headers: toHeaders(answered), quiet: true },
      protocols.list(),
    );
    const { id } = found.entry;
    const { label = id } = await found.entry.load();
    const first = seenFrames[0] === undefined ? '' : `: ${options.mask.text(oneLine(seenFrames[0].data, 100))}`;
    const by =
      seenFrames.length === 0
        ? 'its address'
        : `its first ${seenFrames.length === 1 ? 'frame' : `${String(seenFrames.length)} frames`} (${stream.framing})`;
    // For a reply detected by its structure, all frames are inspected; for others inspection stops.
    if (id === 'json-stream') for await (const _batch of found.batches) if (seenFrames.length > MOST_FRAMES) break;
    await found.batches[Symbol.asyncIterator]().return?.();
    return { id, label, by: by + first, frames: seenFrames };
  } catch (error) {
    if (error instanceof ChatError) throw new NoProtocol(error.message, seenFrames);
    throw error;
  }
}
