/** Findings of `check` from the first reply of a server. */
import { proposeMapping } from '../../src/protocols/propose-mapping.ts';
import { bufferedText, isBuffered } from '../buffering.ts';
import { missingOrigin } from '../cors.ts';
import { oneLine, type Mask } from '../mask.ts';
import { findingOfStatus, type FindingId } from '../remedies.ts';
import type { Reply } from '../turn/ask.ts';
import { failure, ok, warning, type Finding } from './finding.ts';

/** The longest wait that users accept without doubt (ms). */
const SOON_MS = 3000;
/** Proxies close a connection that was idle for a minute, some sooner. */
const SILENT_MS = 20_000;

export function findingsOf(reply: Reply, mask: Mask): readonly Finding[] {
  const { status, problem } = reply;
  if (status >= 300 || status < 100) return refused(reply, mask);
  const found = [ok('status', `${String(status)}, after ${String(reply.head)} ms.`), ...readOf(reply, mask)];
  if (problem?.kind === 'unsupported-stream' || reply.adapter === undefined || isNothingRead(reply)) return found;
  return [...found, ...typeOf(reply), ...endOf(reply, mask), ...timesOf(reply), ...framesOf(reply, mask)];
}

function refused({ status, headers, refusal = '' }: Reply, mask: Mask): readonly Finding[] {
  const id = findingOfStatus(status);
  const said = mask.text(oneLine(refusal, 200));
  const where = headers.location === undefined ? '' : ` It redirects to ${mask.text(oneLine(headers.location))}.`;
  const found = failure(id, `The server answered ${String(status)}.${where}${said === '' ? '' : ` It said: ${said}`}`);
  return [found, ...originOf(headers['access-control-allow-origin'], 'the refusal')];
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
    case 'timeout':
      return [...cors, failure('timeout', text)];
    case 'event-too-long':
    case 'stream-too-long':
      return [...cors, failure('too-long', text)];
    default:
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
  const wanted = TYPES[framing];
  return [
    ...(wanted && !wanted.test(type)
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

function endOf({ outcome, problem, messages }: Reply, mask: Mask): readonly Finding[] {
  if (problem) {
    const text = mask.text(oneLine(problem.message, 200));
    const id = problem.kind === 'limit' ? 'too-long' : problem.kind === 'timeout' ? 'timeout' : ENDS[problem.reason];
    return [id ? failure(id, text) : failure('end-mark', `The reply has no end mark of its protocol: ${text}`)];
  }
  if (outcome?.status === 'error') {
    const error = messages.flatMap(({ blocks }) => blocks).find(({ type }) => type === 'error');
    const said = error && 'content' in error && typeof error.content === 'string' ? error.content : 'no text';
    return [failure('agent-error', `The agent reported an error: ${mask.text(oneLine(said, 200))}`)];
  }
  return [ok('end', `The reply ended properly (${outcome?.finish ?? 'complete'}).`)];
}

/** How the reply arrived over time: steadily, in one piece, or with long silences. */
function timesOf({ head, pieces, frames, end, framing }: Reply): readonly Finding[] {
  const [first = end] = pieces;
  const [event] = frames;
  const last = pieces.at(-1) ?? end;
  const times = `Head after ${String(head)} ms, first byte after ${String(first)} ms, first event after ${String(event?.t ?? end)} ms, end after ${String(end)} ms.`;
  const found: Finding[] = [first > SOON_MS ? warning('slow', times) : ok('times', times)];
  const arrival = { events: frames.length, first, last, end };
  if (framing !== 'json' && frames.length > 1) {
    found.push(
      isBuffered(arrival)
        ? failure('buffered', bufferedText(arrival))
        : ok(
            'delivery',
            `${String(frames.length)} events in ${String(pieces.length)} pieces, over ${String(last - first)} ms.`,
          ),
    );
  }
  const silence = Math.max(0, ...pieces.map((time, index) => time - (pieces[index - 1] ?? 0)));
  if (silence > SILENT_MS) found.push(warning('silent', `Nothing came for ${String(Math.round(silence / 1000))} s.`));
  return found;
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
