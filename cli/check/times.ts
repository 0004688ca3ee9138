/** Findings about time and length: delays, buffering, silence, replies that never end. */
import type { ChatError } from '../../src/errors.ts';
import { bufferedText, deliveryOf } from '../buffering.ts';
import { oneLine } from '../mask.ts';
import type { Reply } from '../turn/ask.ts';
import { failure, ok, warning, type Finding } from './finding.ts';

/** The longest wait that users accept without doubt (ms). */
const SOON_MS = 3000;
/** Proxies close a connection that was idle for a minute, some sooner. */
const SILENT_MS = 20_000;

/** How the reply arrived over time: steadily, in one piece, or with long silences. */
export function timesOf({ head, chunkTimes, frames, end, framing, comments }: Reply): readonly Finding[] {
  const [first = end] = chunkTimes;
  const [event] = frames;
  const last = chunkTimes.at(-1) ?? end;
  const times = `Head after ${String(head)} ms, first byte after ${String(first)} ms, first event after ${String(event?.t ?? end)} ms, end after ${String(end)} ms.`;
  const found: Finding[] = [first > SOON_MS ? warning('slow', times) : ok('times', times)];
  const arrival = { events: frames.length, first, last, end };
  if (framing !== 'json' && frames.length > 1) {
    const delivery = deliveryOf(arrival);
    const amount = `${String(frames.length)} events in ${String(chunkTimes.length)} chunks, over ${String(last - first)} ms`;
    found.push(
      delivery === 'buffered'
        ? failure('buffered', bufferedText(arrival))
        : ok(
            'delivery',
            delivery === 'steady'
              ? `${amount}.`
              : `${amount}: whether something holds events back can't be told from a reply this short or this fast.`,
          ),
    );
  }
  const silence = Math.max(0, ...chunkTimes.map((time, index) => time - (chunkTimes[index - 1] ?? 0)));
  const keepAlive = comments > 0 ? `, with ${String(comments)} comments that keep the connection alive` : '';
  const longest = silence < 1000 ? `${String(silence)} ms` : `${String(Math.round(silence / 1000))} s`;
  found.push(
    silence > SILENT_MS
      ? warning('silent', `Nothing came for ${longest}${keepAlive}.`)
      : ok('silence', `The longest silence was ${longest}${keepAlive}.`),
  );
  return found;
}

/** The part of the time at the end in which something has to arrive for a reply to count as still being sent. */
const RECENT = 1 / 4;

/** A reply that was not over within the time, or that was longer than the widget accepts: what kept it from ending. */
export function lateOrLong(
  { chunkTimes, frames, comments, end }: Reply,
  { kind, reason, message }: ChatError,
): Finding {
  const text = oneLine(message, 200);
  const isRecent = (time = 0): boolean => time >= end * (1 - RECENT);
  const isSending = kind === 'limit' || isRecent(chunkTimes.at(-1));
  if (!isSending) return failure('timeout', text);
  if (reason !== 'event-too-long') {
    if (isRecent(frames.at(-1)?.t)) return failure('endless', `The reply does not end: events still come. ${text}`);
    if (comments > 0)
      return failure(
        'only-comments',
        `The reply does not end: only comments still come (${String(comments)}). ${text}`,
      );
  }
  return failure('too-long', `An event does not end: its line goes on and on. ${text}`);
}
