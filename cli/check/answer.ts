/** Findings of `check` from the first reply of a server. */
import { proposeMapping } from '../../src/protocols/propose-mapping.ts';
import { missingOrigin } from '../cors.ts';
import { oneLine, type Mask } from '../mask.ts';
import { findingOfStatus, type FindingId } from '../remedies.ts';
import type { Reply } from '../turn/ask.ts';
import { exposedRetry } from './exposed.ts';
import { failure, ok, warning, type Finding } from './finding.ts';
import { lateOrLong, timesOf } from './times.ts';

export function findingsOf(reply: Reply, mask: Mask): readonly Finding[] {
  const { status, problem } = reply;
  if (status >= 300 || status < 100) return refused(reply, mask);
  const found = [ok('status', `${String(status)}, after ${String(reply.head)} ms.`), ...readOf(reply, mask)];
  if (problem?.kind === 'unsupported-stream' || reply.adapter === undefined || isNothingRead(reply)) return found;
  return [...found, ...typeOf(reply), ...checkEnd(reply, mask), ...timesOf(reply), ...framesOf(reply, mask)];
}

/** CORS does not apply to WebSockets. */
export const isSocket = ({ protocol }: URL): boolean => /^wss?:$/.test(protocol);

function refused({ request, status, headers, refusal = '' }: Reply, mask: Mask): readonly Finding[] {
  const id = findingOfStatus(status);
  const errorText = mask.text(oneLine(refusal, 200));
  const where = headers.location === undefined ? '' : ` It redirects to ${mask.text(oneLine(headers.location))}.`;
  const found = failure(
    id,
    `The server answered ${String(status)}.${where}${errorText === '' ? '' : ` It said: ${errorText}`}`,
  );
  if (isSocket(request.url)) return [found];
  return [found, ...originOf(headers['access-control-allow-origin'], 'the refusal'), ...exposedRetry({ headers })];
}

const originOf = (allowed: string | undefined, of: string): readonly Finding[] => {
  const missing = missingOrigin(allowed);
  return missing.length === 0
    ? [ok('cors', `Pages of another origin can read ${of}.`)]
    : [warning('cors-origin', `Pages of another origin can't read ${of}.`, `Missing: ${missing.join('; ')}`)];
};

/** Whether the named protocol fits no part of the reply. */
const isNothingRead = ({ problem, warnings, frames }: Reply): boolean =>
  frames.length > 0 && problem?.reason === 'empty' && warnings.length > 0;

const HTML = /^\s*<(?:!doctype html|html)\b/i;

/** Whether the stream can be parsed, and with which protocol. */
function readOf(reply: Reply, mask: Mask): readonly Finding[] {
  const { adapter, problem, framing, headers, frames } = reply;
  const cors = framing === 'messages' ? [] : originOf(headers['access-control-allow-origin'], 'the answer');
  if (adapter && isNothingRead(reply)) {
    const first = frames[0]?.data ?? '';
    if (HTML.test(first)) return [...cors, failure('html', 'The server answered with a web page.')];
    const text = `No event of the reply fits the protocol ${adapter.id}. First: ${mask.text(oneLine(first, 200))}`;
    return [...cors, failure('unsupported', text, proposalFor(frames, mask))];
  }
  if (adapter) {
    const { id, label = id } = adapter;
    return [...cors, ok('protocol', `The protocol is ${id} (${label}), framed as ${framing ?? 'unknown'}.`)];
  }
  const text = mask.text(oneLine(problem?.message ?? 'The reply could not be parsed.', 300));
  switch (problem?.reason) {
    case 'html':
      return [...cors, failure('html', text)];
    case 'empty':
      return [...cors, failure('empty', text)];
    case 'foreign':
      return [...cors, failure('foreign', text)];
    case 'dropped':
      return [...cors, failure('broken', text)];
    default:
      if (problem?.kind === 'timeout' || problem?.kind === 'limit') return [...cors, lateOrLong(reply, problem)];
      return [
        ...cors,
        frames.length === 0 ? failure('empty', text) : failure('unsupported', text, proposalFor(frames, mask)),
      ];
  }
}

/** The mapping that parses the stream, on one line. */
function proposalFor(frames: Reply['frames'], mask: Mask): string {
  const mapping = proposeMapping(frames);
  return mapping ? `Use this mapping: ${mask.text(JSON.stringify(mapping))}` : '';
}

const TYPES: Readonly<Record<string, RegExp>> = {
  sse: /^text\/event-stream\b/,
  lines: /^(?:application\/(?:x-)?(?:ndjson|jsonl|json-lines|stream\+json|json)|text\/plain)\b/,
  json: /^application\/(?:[\w.-]+\+)?json\b/,
};

function typeOf({ framing = 'text', headers }: Reply): readonly Finding[] {
  const { 'content-type': type = '' } = headers;
  const encoding = headers['content-encoding'] ?? 'identity';
  const expectedType = TYPES[framing];
  return [
    ...(expectedType && !expectedType.test(type)
      ? [
          warning(
            'content-type',
            `The content type is ${type === '' ? 'missing' : `"${oneLine(type, 60)}"`}, and the body is framed as ${framing}.`,
          ),
        ]
      : [ok('content-type', framing === 'messages' ? 'Messages of a WebSocket.' : type)]),
    ...(encoding !== 'identity' && framing !== 'json'
      ? [warning('compressed', `The stream is compressed (${oneLine(encoding, 20)}), which holds small events back.`)]
      : [ok('compression', 'The stream is not compressed.')]),
  ];
}

/** Reasons of errors at the end of a reply that are not about its end mark. */
const ENDS: Readonly<Partial<Record<string, FindingId>>> = { dropped: 'broken', empty: 'empty' };

function checkEnd(reply: Reply, mask: Mask): readonly Finding[] {
  const { outcome, problem, messages } = reply;
  if (problem?.kind === 'limit' || problem?.kind === 'timeout') return [lateOrLong(reply, problem)];
  if (problem) {
    const text = mask.text(oneLine(problem.message, 200));
    const id = ENDS[problem.reason];
    return [id ? failure(id, text) : failure('end-mark', `The reply has no end mark of its protocol: ${text}`)];
  }
  if (outcome?.status === 'error') {
    const error = messages.flatMap(({ blocks }) => blocks).find(({ type }) => type === 'error');
    const errorText = error && 'content' in error && typeof error.content === 'string' ? error.content : 'no text';
    return [failure('agent-error', `The agent reported an error: ${mask.text(oneLine(errorText, 200))}`)];
  }
  return [ok('end', `The reply ended properly (${outcome?.finish ?? 'complete'}).`)];
}

function framesOf({ warnings, frames }: Reply, mask: Mask): readonly Finding[] {
  const [first] = warnings;
  if (!first) return [ok('frames', `All ${String(frames.length)} events were understood.`)];
  const shown = mask.text(oneLine(first.frame.data, 120));
  return [
    warning(
      'unknown-frames',
      `${String(warnings.length)} events were not understood. ${oneLine(first.detail, 120)} First: ${shown}`,
    ),
  ];
}
