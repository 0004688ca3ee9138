/**
 * Finds the string of a custom JSON stream that is the answer. Servers use different names, so it is found by what
 * the first frames have in common. Source: `docs/protocols/json-stream.md`.
 */
import { isRecord } from '../../model/json.ts';

/**
 * A string in a frame. `path`: its keys joined by dots, with `[]` for any item of a list; empty if the frame itself
 * is a string.
 */
export interface Leaf {
  readonly path: string;
  readonly value: string;
}

/** Servers don't nest their text more deeply. */
const MAX_DEPTH = 4;

/** Names of fields that describe the answer and don't contain it. */
const DESCRIPTIVE_FIELD =
  /^(?:id|type|event|kind|object|role|model|status|state|name|author|sender|agent|node|stage|title|language|url|p|obfuscation|code|signature|version|created\w*|time\w*|date\w*|\w*reason|\w*fingerprint|\w+(?:_id|Id|_type|Type|_at|At))$/;
/** Names of fields whose content is not the answer. */
const OTHER_CONTENT =
  /^(?:meta|metadata|usage|error|errors|sources|citations|references|documents|suggestions|follow_ups|followUps|related_questions|relatedQuestions|tool_calls?|toolCalls?|args|arguments|params|parameters|headers|config|context|history|messages|init_event_loop)$/;
const REASONING = /reasoning|thinking|thoughts?(?![a-z])/i;
/** Roles other than the agent. An echo of the question is not an answer. */
const OTHER_ROLE = /^(?:user|human|system|tool|function|developer)(?:_?message)?$/i;
/** Whether the text belongs to another role or is a special token such as `</s>`. */
const isOtherRole = (part: Readonly<Record<string, unknown>>): boolean =>
  part['special'] === true ||
  ROLE_FIELDS.some((field) => typeof part[field] === 'string' && OTHER_ROLE.test(part[field]));

const ROLE_FIELDS = ['role', 'messageType', 'message_type', 'type', 'source', 'sender'];

/** Names of the answer's field, the most likely first. */
const NAMES = [
  'delta',
  'token',
  'text',
  'content',
  'response',
  'message',
  'answer',
  'output',
  'chunk',
  'completion',
  'generation',
  'generated_text',
  'outputText',
  'result',
  'reply',
  'assistant',
  'value',
  'data',
];

/** Returns the strings of a frame that may be the answer. */
export const textLeaves = (json: unknown): readonly Leaf[] => leavesOf(json, 'answer');
/** Returns the strings that are reasoning according to a parent key. */
export const reasoningLeaves = (json: unknown): readonly Leaf[] => leavesOf(json, 'thought');

function leavesOf(json: unknown, purpose: 'answer' | 'thought'): readonly Leaf[] {
  const texts = new Map<string, string>();
  const visit = (value: unknown, path: string, depth: number, isThought: boolean): void => {
    if (typeof value === 'string') {
      if (isThought === (purpose === 'thought')) texts.set(path, (texts.get(path) ?? '') + withoutPadding(value));
    } else if (depth >= MAX_DEPTH) return;
    else if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`, depth, isThought);
    else if (isRecord(value)) {
      if (isOtherRole(value)) return;
      const isPart = isThought || (typeof value['type'] === 'string' && REASONING.test(value['type']));
      for (const [key, inner] of Object.entries(value)) {
        // Some servers stream a list of messages in each choice.
        const isOther = OTHER_CONTENT.test(key) && !(key === 'messages' && path.endsWith('choices[]'));
        if (isOther || (typeof inner === 'string' && DESCRIPTIVE_FIELD.test(key))) continue;
        visit(inner, path ? `${path}.${key}` : key, depth + 1, isPart || REASONING.test(key));
      }
    }
  };
  visit(json, '', 0, false);
  return [...texts].map(([path, value]) => ({ path, value }));
}

/** Rank of a path by its last name: lower is more likely the answer; infinity if the name is unknown. */
export function pathRank(path: string): number {
  const name = path.replaceAll('[]', '').split('.').at(-1) ?? '';
  if (name === '') return 0;
  const exactIndex = NAMES.indexOf(name);
  if (exactIndex >= 0) return exactIndex;
  const nameIndexes = name.split(/[_\-\s]|(?<=[a-z])(?=[A-Z])/).map((word) => NAMES.indexOf(word.toLowerCase()));
  const knownIndexes = nameIndexes.filter((index) => index >= 0);
  return knownIndexes.length > 0 ? NAMES.length + Math.min(...knownIndexes) : Number.POSITIVE_INFINITY;
}

/**
 * Returns the path of the answer: the most frequent path that varies, then by name, then the shortest. `isComplete`:
 * the stream is complete, so one frame is enough and any name is accepted.
 */
export function textPath(frames: readonly (readonly Leaf[])[], isComplete: boolean): string | undefined {
  const stats = new Map<string, { count: number; first: string; varies: boolean }>();
  for (const leaves of frames)
    for (const { path, value } of leaves) {
      if (value === '') continue;
      const pathStats = stats.get(path);
      if (!pathStats) stats.set(path, { count: 1, first: value, varies: false });
      else {
        pathStats.count++;
        pathStats.varies ||= value !== pathStats.first;
      }
    }
  const candidates = [...stats]
    .map(([path, { count, varies }]) => ({ path, count, varies, rank: pathRank(path) }))
    .filter(({ varies, rank }) => isComplete || (varies && rank < Number.POSITIVE_INFINITY));
  candidates.sort(
    (one, two) =>
      Number(two.rank < Number.POSITIVE_INFINITY) - Number(one.rank < Number.POSITIVE_INFINITY) ||
      two.count - one.count ||
      Number(two.varies) - Number(one.varies) ||
      one.rank - two.rank ||
      one.path.length - two.path.length,
  );
  return candidates[0]?.path;
}

/** Returns the text of a frame at a path; numbers and booleans count as text. */
export function textAt(json: unknown, path: string): string | undefined {
  const values = path === '' ? [json] : valuesAt(json, path.replaceAll('[]', '.[]').replace(/^\./, '').split('.'));
  const parts = values.filter((value) => /^(?:string|number|boolean)$/.test(typeof value));
  return parts.length > 0 ? withoutPadding(parts.map(String).join('')) : undefined;
}

/** Some servers pad their tokens, so that the length does not reveal the content. */
function withoutPadding(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\0') end--;
  return text.slice(0, end);
}

function valuesAt(value: unknown, [step, ...others]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (step === '[]') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, others)) : [];
  if (!isRecord(value) || !Object.hasOwn(value, step)) return [];
  if (isOtherRole(value)) return [];
  return valuesAt(value[step], others);
}
