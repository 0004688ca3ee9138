/** Mutates recorded streams: bytes, JSON, order, ends. */
import type { Random } from './random.ts';

type Mutation = (text: string, random: Random) => string;

const WORDS = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  '[DONE]',
  '\ufeff',
  '\u202e',
  '\ud800',
  '\0',
  '<img src=x onerror=alert(1)>',
  '```',
  '|a|\n|-|',
  '[1]: x',
  '[^1]',
  '$$',
  '*_`[',
  '\r',
  '\n\n',
  '\r\n\r\ndata: ',
  'data:',
  ': ',
  'event: error\n',
  'id: 1\n',
];
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  4_294_967_296,
  1.5,
  '',
  'x',
  '__proto__',
  '[DONE]',
  [],
  {},
  [null],
  [[[]]],
  { type: 'x' },
  { __proto__: null },
  'a'.repeat(2000),
  '{"a":',
  '[{"type":"text"}]',
];
const NAMES = ['__proto__', 'constructor', 'type', 'id', 'data', 'index', 'content', 'role', 'error', 'length', ''];

const position = (text: string, random: Random): number => random.below(text.length + 1);

const insertWord: Mutation = (text, random) => {
  const at = position(text, random);
  return text.slice(0, at) + (random.one(WORDS) ?? '') + text.slice(at);
};
const dropPiece: Mutation = (text, random) => {
  const at = position(text, random);
  return text.slice(0, at) + text.slice(at + 1 + random.below(40));
};
const cutShort: Mutation = (text, random) => text.slice(0, position(text, random));
const flipCharacter: Mutation = (text, random) => {
  const at = position(text, random);
  return (
    text.slice(0, at) + String.fromCharCode(random.below(random.below(8) === 0 ? 0x10000 : 0x80)) + text.slice(at + 1)
  );
};

/** The separators between frames in all framings. */
const framesOf = (text: string): readonly string[] => text.split(/(?<=\n\r?\n)|(?<=\n)(?=[{[0-9a-z]+:?[{"[])/);

const repeatFrame: Mutation = (text, random) => {
  const frames = framesOf(text);
  const at = random.below(frames.length);
  return [
    ...frames.slice(0, at),
    ...Array.from({ length: 1 + random.below(3) }, () => frames[at] ?? ''),
    ...frames.slice(at),
  ].join('');
};
const dropFrame: Mutation = (text, random) =>
  framesOf(text)
    .toSpliced(random.below(framesOf(text).length), 1)
    .join('');
const swapFrames: Mutation = (text, random) => {
  const frames = [...framesOf(text)];
  const [left, right] = [random.below(frames.length), random.below(frames.length)];
  [frames[left], frames[right]] = [frames[right] ?? '', frames[left] ?? ''];
  return frames.join('');
};

/** Changes one value or key in a JSON text. */
const changeJson: Mutation = (text, random) => {
  const objects = [...text.matchAll(/[{[][^\n]*[}\]]/g)];
  const object = random.one(objects);
  if (!object) return text;
  try {
    const changed = JSON.stringify(changeValue(JSON.parse(object[0]), random));
    return text.slice(0, object.index) + changed + text.slice(object.index + object[0].length);
  } catch {
    return text;
  }
};

/** Changes one value or key anywhere in a JSON value. */
export function changeValue(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.below(6) === 0) return random.one(VALUES);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.below(8) === 0) return [...(value as unknown[]), random.one(VALUES)];
    const at = random.below(value.length);
    return random.below(6) === 0 ? value.toSpliced(at, 1) : value.with(at, changeValue(value[at], random));
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return { [random.one(NAMES) ?? '']: random.one(VALUES) };
  const at = random.below(entries.length);
  const [name = '', inner] = entries[at] ?? [];
  switch (random.below(8)) {
    case 0:
      return Object.fromEntries(entries.toSpliced(at, 1));
    case 1:
      return Object.fromEntries([...entries, [random.one(NAMES) ?? '', random.one(VALUES)]]);
    default:
      return Object.fromEntries(entries.with(at, [name, changeValue(inner, random)]));
  }
}

const mutations: readonly Mutation[] = [
  insertWord,
  dropPiece,
  cutShort,
  flipCharacter,
  repeatFrame,
  dropFrame,
  swapFrames,
  changeJson,
  changeJson,
  changeJson,
  changeJson,
];

/** Applies one to four changes to a text. */
export function mutate(text: string, random: Random): string {
  let next = text;
  for (let times = 1 + random.below(4); times > 0; times--) next = random.one(mutations)?.(next, random) ?? next;
  return next;
}

/** Shortens a failing text, with a few hundred attempts. */
export async function shrink(text: string, fails: (text: string) => Promise<boolean>): Promise<string> {
  let smallest = text;
  let tries = 300;
  for (let size = Math.ceil(text.length / 2); size >= 1 && tries > 0; size = Math.floor(size / 2)) {
    for (let at = 0; at < smallest.length && tries > 0;) {
      const shorter = smallest.slice(0, at) + smallest.slice(at + size);
      tries--;
      if (await fails(shorter)) smallest = shorter;
      else at += size;
    }
  }
  return smallest;
}
