/** The arguments of a call as fields that a reader can change, and back again. */
import { isRecord, parseJson } from '../../model/json.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { escapeInvisible, showInvisible } from './show-invisible.ts';

export interface ArgumentField {
  /** Undefined where the arguments are one text. */
  readonly name: string | undefined;
  /** How its words are read: `json` holds anything, `text` only words. */
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
  readonly value: unknown;
  /** As it stands in its field. Left so, it is the value as it came, also where a key in it is masked. */
  readonly shown: string;
}

/** More arguments than these are edited as one text. */
const MAX_FIELDS = 100;

/** A field for each argument; one for all of them where they are no object. */
export function argumentFields(params = ''): readonly ArgumentField[] {
  const value = parseJson(params);
  if (!isRecord(value)) return [fieldOf(undefined, value === undefined ? params : value)];
  const entries = Object.entries(value);
  return entries.length > MAX_FIELDS ? [fieldOf(undefined, value)] : entries.map(([name, item]) => fieldOf(name, item));
}

function fieldOf(name: string | undefined, value: unknown): ArgumentField {
  const plain = KINDS.find((type) => typeof value === type);
  // Characters that nobody sees are visible as escapes, which only JSON has.
  const kind = plain ?? (typeof value === 'string' && showInvisible(value) === value ? 'text' : 'json');
  const text = kind === 'text' ? String(value) : escapeInvisible(JSON.stringify(value, undefined, plain ? 0 : 2));
  return { name, kind, value, shown: maskDisplayedText(text) };
}
const KINDS = ['number', 'boolean'] as const;

/** The arguments with the words that now stand in their fields, or the fields whose words can't be read. */
export function editedArguments(
  fields: readonly ArgumentField[],
  words: readonly string[],
): { readonly value: unknown } | { readonly wrong: ReadonlySet<ArgumentField> } {
  const read = fields.map((field, index) => {
    const text = words[index] ?? field.shown;
    return text === field.shown ? field.value : valueOf(field, text);
  });
  const wrong = new Set(fields.filter((_field, index) => read[index] === undefined));
  if (wrong.size > 0) return { wrong };
  const [only] = fields;
  if (only && only.name === undefined) return { value: read[0] };
  // (Not with a plain assignment: a name may be `__proto__`.)
  return { value: Object.fromEntries(fields.map(({ name = '' }, index) => [name, read[index]])) };
}

/** Undefined for what is no such value. */
function valueOf({ kind }: ArgumentField, text: string): unknown {
  if (kind === 'text') return text;
  if (kind === 'number') return text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text);
  return parseJson(text);
}
