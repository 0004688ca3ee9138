/**
 * The kind of a frame in a custom JSON stream, by its type names and flags. Source: `docs/protocols/json-stream.md`.
 */
import { isRecord } from '../../model/json.ts';
import { replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';

/** `text`: its text belongs to the answer, if it has any. `status`: it reports progress. */
export type FrameKind = 'text' | 'reasoning' | 'tool' | 'status' | 'error' | 'end';

type Json = Readonly<Record<string, unknown>>;

const END =
  /^(?:done|end|ended|finish|finished|complete|completed|stop|stopped|final|close|closed|eof|cancell?ed|aborted)$/;
const CANCELLED = /^(?:cancell?ed|aborted)$/;
/** Words beside `END` in names that end the reply, such as `message_end`. Others, such as `node_end`, end only a part. */
const REPLY_WORD =
  /^(?:stream|message|response|run|chat|answer|reply|agent|generation|conversation|session|text|content|all|is)$/;
const END_FLAG =
  /^(?:done|finished|complete|completed|final|end|stop|stopped|close|closed|is_?(?:done|final|finished|complete|end|last))$/i;
const STOP_REASON = /^(?:finish_?reason|stop_?reason|completion_?reason|done_?reason)$/i;
/** A stop reason that is only a pause for a tool that the server runs: the reply continues. */
const TOOL_PAUSE = /tool|function/i;
const TOOL = /^(?:tools?|functions?|toolcalls?|action|observation)$/;
const THOUGHT = /^(?:reasoning|thinking|thoughts?|think)$/;
const STATUS =
  /^(?:steps?|logs?|status|state|progress|ping|pong|heartbeat|keepalive|alive|start|started|begin|init|metadata|meta|info|session|debug|trace|usage|node|title|sources?|citations?|references|documents?|context|search|searching|retrieval|connected|open|ack|suggestions?|suggested)$/;
/** Type names of frames that contain a chunk of text. */
const PIECE = /^(?:deltas?|chunks?|tokens?|partial|streaming|append)$/;
const ERROR = /^(?:errors?|exception|failed|failure|fatal)$/;

const splitWords = (name: string): readonly string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);

/** The objects of a frame that may contain its kind and flags: the frame itself and the objects it wraps. */
export function envelopes(json: unknown): readonly Json[] {
  if (!isRecord(json)) return [];
  const inner = ['data', 'payload', 'result', 'message', 'delta', 'obj'].map((name) => json[name]).filter(isRecord);
  return [json, ...inner];
}

/** The type names of a frame: those in it, and the name of its event. `trace` says nothing if the frame has a type of its own. */
export function typeNames(json: unknown, event: string | undefined): readonly string[] {
  const typesInFrame = envelopes(json)
    .flatMap((part) => KIND_FIELDS.map((field) => part[field]))
    .filter((name) => typeof name === 'string');
  return event === undefined || (event === 'trace' && typesInFrame.length > 0)
    ? typesInFrame
    : [...typesInFrame, event];
}

const STEP_FIELDS = ['node', 'step', 'stage', 'task'];
const KIND_FIELDS = ['type', 'event', 'kind', 'message_type', 'event_type'];

/** Whether a frame contains a chunk of text instead of the complete text, by its type names. */
export const isPiece = (json: unknown, event: string | undefined): boolean =>
  typeNames(json, event).some((name) => splitWords(name).some((word) => PIECE.test(word)));

export function frameKind(json: unknown, event: string | undefined): FrameKind {
  const names = typeNames(json, event).map(splitWords);
  const has = (pattern: RegExp): boolean => names.some((words) => words.some((word) => pattern.test(word)));
  if (has(TOOL)) return 'tool';
  if (has(ERROR)) return 'error';
  if (has(THOUGHT)) return 'reasoning';
  if (names.some(isEnd)) return 'end';
  if (has(STATUS)) return 'status';
  const status = isRecord(json) && typeof json['status'] === 'string' ? splitWords(json['status']) : undefined;
  // The end of a node or a step is not the end of the reply.
  if (status && isEnd(status)) return isRecord(json) && STEP_FIELDS.some((field) => field in json) ? 'status' : 'end';
  if (status?.some((word) => ERROR.test(word))) return 'error';
  return 'text';
}

const isEnd = (words: readonly string[]): boolean =>
  words.some((word) => END.test(word)) && words.every((word) => END.test(word) || REPLY_WORD.test(word));

/** Text next to a status field is probably about the status: `{"status": "thinking", "message": "Searching"}`. */
export const isStatusLine = (json: unknown, path: string): boolean =>
  isRecord(json) && typeof json['status'] === 'string' && /^(?:message|msg|detail|text|data|value)$/.test(path);

/** How a frame of kind `end` ends the reply, by its status or else by its type name; undefined for a normal end. */
export const endStatus = (json: unknown, event: string | undefined): ReplyEnd | undefined =>
  (isRecord(json) ? [json, json['data']] : [])
    .map((part) => (isRecord(part) && typeof part['status'] === 'string' ? replyEnd(part['status']) : undefined))
    .find((end) => end === 'error' || end === 'cancelled') ??
  (typeNames(json, event).some((name) => splitWords(name).some((word) => CANCELLED.test(word)))
    ? 'cancelled'
    : undefined);

/** How a frame ends the reply: by a stop reason in it, or else by a flag such as `done: true`. */
export function endFlag(json: unknown): ReplyEnd | undefined {
  const [top] = envelopes(json);
  if (!top) return undefined;
  const reason = stopReason(top, 0);
  if (reason !== undefined && !TOOL_PAUSE.test(reason)) {
    const end = replyEnd(reason);
    return end === undefined || end === 'stop_sequence' ? 'complete' : end;
  }
  const isFlagged = envelopes(json).some((part) =>
    Object.entries(part).some(([name, value]) => value === true && END_FLAG.test(name)),
  );
  return isFlagged ? 'complete' : undefined;
}

function stopReason(value: unknown, depth: number): string | undefined {
  if (!isRecord(value) || depth > 3) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (STOP_REASON.test(name) && typeof inner === 'string' && inner !== '') return inner;
    const nested = stopReason(inner, depth + 1);
    if (nested !== undefined) return nested;
  }
  return undefined;
}
