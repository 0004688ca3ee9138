/**
 * Proposes a mapping for a JSON stream of an unknown protocol, from its first frames. A developer should review the
 * proposal.
 */
import { isRecord, parseJson } from '../model/json.ts';
import { endFlag, frameKind, type FrameKind } from './json-stream/frame-kind.ts';
import { reasoningLeaves, textLeaves, textPath, type Leaf } from './json-stream/text-paths.ts';
import type { ProtocolMapping } from './mapping/map-protocol.ts';

interface ProposedFrame {
  readonly event?: string | undefined;
  readonly data: string;
}

type Scalar = string | number | boolean;
type Rule = ProtocolMapping['events'][number];
type When = Readonly<Record<string, Scalar | null>>;

interface ParsedFrame {
  readonly json: unknown;
  readonly event: string | undefined;
  readonly kind: FrameKind;
  readonly isEnd: boolean;
  /** All scalar values by path, in the notation of a mapping. */
  readonly scalars: ReadonlyMap<string, Scalar>;
}

/** The number of frames that are read. Further ones rarely add information. */
const MAX_FRAMES = 200;
const MAX_DEPTH = 4;

/**
 * Proposes a mapping; returns undefined when no string in the frames looks like an answer.
 *
 * @param ended - the stream has ended, so even one frame is enough
 */
export function proposeMapping(
  frames: readonly ProposedFrame[],
  { ended = true }: { readonly ended?: boolean } = {},
): ProtocolMapping | undefined {
  const parsedFrames = frames.slice(0, MAX_FRAMES).flatMap(parseFrame);
  const candidates = parsedFrames.filter(({ kind }) => kind === 'text');
  const leaves = (candidates.length > 0 ? candidates : parsedFrames.filter(({ kind }) => kind === 'end')).map(
    ({ json }) => textLeaves(json),
  );
  const leafPath =
    textPath(leaves, false) ?? (ended || leaves.length > 1 ? textPath(mostVaried(leaves), true) : undefined);
  if (leafPath === undefined) return undefined;
  const path = toMappingPath(leafPath);
  const hasText = ({ json, kind }: ParsedFrame): boolean =>
    (kind === 'text' || (kind === 'end' && candidates.length === 0)) &&
    textLeaves(json).some((leaf) => leaf.path === leafPath && leaf.value !== '');
  const texts = parsedFrames.filter(hasText);
  const others = parsedFrames.filter((one) => !hasText(one));
  const when = whenOf(texts, others, path);
  const values = texts.map(({ scalars }) => String(scalars.get(path) ?? ''));
  const isCompleteText = isGrowing(values);
  const text: Rule = { ...withWhen(when), ...(isCompleteText ? { textSoFar: path } : { text: path }) };
  const end = endRule(parsedFrames, texts);
  const isDone = frames.some(({ data }) => data === '[DONE]');
  return {
    id: 'my-agent',
    detect: { ...(path === '@data' ? {} : { [path]: null }), ...when },
    request: {
      body: { message: '{text}', messages: '{messages}', id: '{threadId}', threadId: '{threadId}', stream: true },
    },
    events: [...reasoningRules(parsedFrames, texts), ...errorRules(parsedFrames, texts), text, ...end],
    ...(!isDone && end.length === 0 && { end: 'stream' as const }),
  };
}

/**
 * Keeps only the leaves whose values vary the most: if no name identifies the text, a repeated value is not the answer.
 */
function mostVaried(frames: readonly (readonly Leaf[])[]): readonly (readonly Leaf[])[] {
  const values = new Map<string, string[]>();
  for (const { path, value } of frames.flat()) values.set(path, [...(values.get(path) ?? []), value]);
  const variety = (path: string): number => {
    const all = values.get(path) ?? [];
    return new Set(all).size / Math.max(1, all.length);
  };
  const most = Math.max(0, ...[...values.keys()].map(variety));
  return frames.map((leaves) => leaves.filter(({ path }) => variety(path) >= most));
}

function parseFrame({ event, data }: ProposedFrame): readonly ParsedFrame[] {
  if (data === '' || data === '[DONE]') return [];
  const json = parseJson(data);
  if (json === undefined) return [];
  const scalars = new Map<string, Scalar>();
  if (event !== undefined) scalars.set('@event', event);
  collect(json, '', 0, scalars);
  const kind = frameKind(json, event);
  return [{ json, event, kind, isEnd: kind === 'end' || (kind === 'text' && endFlag(json) !== undefined), scalars }];
}

/** Collects the scalars of a value by path; of a list only those of its first element. */
function collect(value: unknown, path: string, depth: number, scalars: Map<string, Scalar>): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    scalars.set(path === '' ? '@data' : path, value);
  else if (depth >= MAX_DEPTH) return;
  else if (Array.isArray(value)) collect(value[0], `${path}[0]`, depth + 1, scalars);
  else if (isRecord(value)) {
    // Keys that a path can't express are skipped.
    for (const [key, inner] of Object.entries(value))
      if (/^[\w-]+$/.test(key)) collect(inner, path === '' ? key : `${path}.${key}`, depth + 1, scalars);
  }
}

const toMappingPath = (path: string): string => (path === '' ? '@data' : path.replaceAll('[]', '[0]'));

/** Whether each value starts with the previous one and at least one is longer. */
const isGrowing = (values: readonly string[]): boolean =>
  values.length > 1 &&
  new Set(values).size > 1 &&
  values.every((value, index) => index === 0 || value.startsWith(values[index - 1] ?? ''));

/** Fields that may name the kind of a frame. `NAMES` are the most likely ones, the most common first. */
const KINDS = /^(?:@event|(?:\w+\.)?(?:type|event|kind|role|status|special|code|operate|is_end|done))$/;
const NAMES = ['type', 'event', 'kind', '@event', 'role', 'status'];

const namePriority = (path: string): number => {
  const index = NAMES.indexOf(path);
  return index >= 0 ? index : KINDS.test(path) ? NAMES.length : NAMES.length + path.length;
};

/** The fields that all of these frames share, the most likely kind field first. */
function sharedBy(frames: readonly ParsedFrame[]): readonly (readonly [string, Scalar])[] {
  const [first, ...rest] = frames;
  if (!first) return [];
  return [...first.scalars]
    .filter(([path, value]) => rest.every(({ scalars }) => scalars.get(path) === value))
    .filter(([path]) => path !== '@data')
    .sort(([one], [two]) => namePriority(one) - namePriority(two));
}

/** Conditions that match these frames and none of the others; empty when no field distinguishes them. */
function distinguishingConditions(frames: readonly ParsedFrame[], others: readonly ParsedFrame[]): When {
  const when: Record<string, Scalar> = {};
  let remaining = others;
  for (const [path, value] of sharedBy(frames)) {
    const next = remaining.filter(({ scalars }) => scalars.get(path) === value);
    // A field is a condition only if it excludes at least one more frame.
    if (next.length === remaining.length) continue;
    when[path] = value;
    remaining = next;
    if (remaining.length === 0) break;
  }
  return when;
}

/**
 * The conditions under which a frame's text belongs to the answer. They are only needed if another frame has a value at the
 * same path too.
 */
function whenOf(texts: readonly ParsedFrame[], others: readonly ParsedFrame[], path: string): When {
  const root = path.split('.')[0] ?? path;
  const similar = others.filter(({ json, scalars }) =>
    path === '@data'
      ? typeof json === 'string' || scalars.has('@event')
      : isRecord(json) && isFilled(valueAt(json, path)) && root !== '',
  );
  return distinguishingConditions(texts, similar);
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const step of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isRecord(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

const withWhen = (when: When): Rule => (Object.keys(when).length > 0 ? { when } : {});

/** Names of flags that are true only in the last frame. `REASON` matches fields with the reason of the end. */
const ENDING =
  /(?:^|\.)(?:done|finished|complete|completed|final|end|stop|stopped|close|closed|is_?(?:done|final|finished|complete|end|last))$/i;
const REASON = /reason$/i;

function endRule(parsedFrames: readonly ParsedFrame[], texts: readonly ParsedFrame[]): readonly Rule[] {
  const ends = parsedFrames.filter(({ isEnd }) => isEnd);
  const before = texts.filter(({ isEnd }) => !isEnd);
  if (ends.length === 0) return [];
  const shared = sharedBy(ends).filter(([path, value]) => before.every(({ scalars }) => scalars.get(path) !== value));
  const endField =
    shared.find(([path]) => NAMES.includes(path)) ??
    shared.find(([path, value]) => value === true && ENDING.test(path)) ??
    shared.find(([path]) => REASON.test(path));
  if (!endField) return [];
  const [path, value] = endField;
  // The reason may differ in other replies, so only its presence is required.
  const isReason = REASON.test(path);
  return [{ when: { [path]: isReason ? null : value }, finish: 'complete' }];
}

function reasoningRules(parsedFrames: readonly ParsedFrame[], texts: readonly ParsedFrame[]): readonly Rule[] {
  const reasoningFrames = parsedFrames.filter(({ kind }) => kind === 'reasoning');
  if (reasoningFrames.length > 0) {
    const path = textPath(
      reasoningFrames.map(({ json }) => [...textLeaves(json), ...reasoningLeaves(json)]),
      true,
    );
    const when = distinguishingConditions(reasoningFrames, texts);
    return path === undefined || Object.keys(when).length === 0 ? [] : [{ when, reasoning: toMappingPath(path) }];
  }
  const path = textPath(
    parsedFrames.filter(({ kind }) => kind === 'text').map(({ json }) => reasoningLeaves(json)),
    true,
  );
  return path === undefined ? [] : [{ reasoning: toMappingPath(path) }];
}

function errorRules(parsedFrames: readonly ParsedFrame[], texts: readonly ParsedFrame[]): readonly Rule[] {
  const errors = parsedFrames.filter(({ kind }) => kind === 'error');
  const when = distinguishingConditions(errors, texts);
  const [first] = errors;
  const path = ['error.message', 'error', 'message', 'detail', 'content', 'text'].find((field) =>
    first?.scalars.has(field),
  );
  return path === undefined || Object.keys(when).length === 0 ? [] : [{ when, error: path }];
}
