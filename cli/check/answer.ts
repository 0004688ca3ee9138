/** Findings of `check` from the first reply of a server. */
import { proposeMapping } from '../../src/protocols/propose-mapping.ts';
import { missingOrigin } from '../cors.ts';
import { oneLine, type Mask } from '../mask.ts';
import { findingOfStatus } from '../remedies.ts';
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
  if (problem?.kind === 'unsupported-stream' || reply.adapter === undefined) return found;
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

/** Whether the stream can be parsed, and with which protocol. */
function readOf({ adapter, problem, framing, headers, frames }: Reply, mask: Mask): readonly Finding[] {
  const cors = framing === 'messages' ? [] : originOf(headers['access-control-allow-origin'], 'the answer');
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

function endOf({ outcome, problem, messages }: Reply, mask: Mask): readonly Finding[] {
  if (problem) {
    const text = mask.text(oneLine(problem.message, 200));
    return [
      problem.reason === 'dropped'
        ? failure('broken', text)
        : failure('end-mark', `The reply has no end mark of its protocol: ${text}`),
    ];
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
  // A reply that took time and arrived in one piece was buffered. A reply that arrived immediately proves nothing.
  const isHeld = frames.length >= 4 && first > 500 && last - first < Math.max(50, end / 20);
  if (framing !== 'json' && frames.length > 1) {
    found.push(
      isHeld
        ? failure(
            'buffered',
            `${String(frames.length)} events came together after ${String(first)} ms: something holds them back.`,
          )
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
