/** Simulated faults of an endpoint, or of a proxy in front of it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaultName } from '../choices.ts';
import type { Wire } from './wire.ts';

/** The part of a reply that arrives before it breaks. */
const FRAMES_BEFORE = 12;
const RETRY_AFTER_SECONDS = 2;
const FLUSH_MS = 50;

const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

type Answers = (response: ServerResponse, request: IncomingMessage) => void;

/** Faults that replace the complete answer. */
const answers: Partial<Record<FaultName, Answers>> = {
  html: (response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      '<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>',
    );
  },
  '401': (response) => {
    const body = { error: { message: 'The session has expired.', code: 'unauthenticated' } };
    sendJson(response, 401, body, { 'www-authenticate': 'Bearer' });
  },
  '403': (response) => {
    sendJson(response, 403, { error: { message: 'Your role may not use the billing assistant.', code: 'forbidden' } });
  },
  '429': (response) => {
    const body = { error: { message: 'Too many requests.', code: 'rate_limited' } };
    sendJson(response, 429, body, { 'retry-after': String(RETRY_AFTER_SECONDS) });
  },
  '500': (response) => {
    sendJson(response, 500, { error: { message: 'The agent could not be started.', code: 'internal' } });
  },
  empty: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end();
  },
  redirect: (response, request) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    url.searchParams.delete('fault');
    response.writeHead(307, { location: url.pathname + url.search });
    response.end();
  },
};

/** Sends a fault that replaces the answer. Returns false if there is none, or if it starts later. */
export function answerWithFault(
  fault: FaultName | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const answer = fault && answers[fault];
  answer?.(response, request);
  return answer !== undefined;
}

/** Applies a fault in the middle of a reply. Returns true if nothing more may be sent. */
type Break = (wire: Wire, response: ServerResponse, broken: string | Uint8Array) => Promise<boolean>;

const breaks: Partial<Record<FaultName, Break>> = {
  drop: async (_wire, response) => {
    // Waits until the sent data has left before the connection is cut; otherwise all of it would be lost.
    await wait(FLUSH_MS);
    response.destroy();
    return true;
  },
  cut: async (wire) => {
    await wire.end();
    return true;
  },
  stall: async (_wire, response) => {
    if (!response.destroyed) await new Promise((resolve) => response.once('close', resolve));
    return true;
  },
  malformed: async (wire, _response, broken) => !(await wire.send(broken)),
};

/** Wraps the output with a fault after its first frames; for a shorter reply the fault is at the end. */
export function withFault(
  wire: Wire,
  fault: FaultName | undefined,
  { response, broken }: { readonly response: ServerResponse; readonly broken: string | Uint8Array },
): Wire {
  const trouble = fault && breaks[fault];
  if (!trouble) return wire;
  let frames = 0;
  let over = false;
  const breakOnce = async (): Promise<void> => {
    frames = Number.POSITIVE_INFINITY;
    over = await trouble(wire, response, broken);
  };
  return {
    get closed() {
      return over || wire.closed;
    },
    async send(frame) {
      if (++frames === FRAMES_BEFORE) await breakOnce();
      return over ? false : wire.send(frame);
    },
    wait: (paces) => wire.wait(paces),
    async end() {
      if (Number.isFinite(frames)) await breakOnce();
      if (!over) await wire.end();
    },
  };
}
