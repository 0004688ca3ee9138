/** Converts the arguments of a call to fields that the user can edit, and back. */
import { isRecord, parseJson } from '../../model/json.ts';
import { hasRoundedNumber } from '../../model/text/is-lossless.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { escapeInvisible, showInvisible } from '../../safety/show-invisible.ts';

export interface ArgumentField {
  /** The name of the argument; undefined if all arguments are one text. */
  readonly name: string | undefined;
  /** How the field is parsed: `json` accepts any value, `text` is a string. */
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
  readonly value: unknown;
  /** The initial text of the field. An unchanged field keeps the original value, even if a secret in it is masked. */
  readonly shown: string;
}

/** With more arguments than this, all are edited as one text. */
const MAX_FIELDS = 100;

/** Returns a field for each argument, or one field for all if they are not an object. */
export function argumentFields(params = ''): readonly ArgumentField[] {
  const value = parseJson(params);
  if (!isRecord(value)) return [fieldOf(undefined, value === undefined ? params : value)];
  const entries = Object.entries(value);
  return entries.length > MAX_FIELDS ? [fieldOf(undefined, value)] : entries.map(([name, item]) => fieldOf(name, item));
}

function fieldOf(name: string | undefined, value: unknown): ArgumentField {
  const plain = KINDS.find((type) => typeof value === type);
  // Invisible characters are shown as escapes, which only JSON has.
  const kind = plain ?? (typeof value === 'string' && showInvisible(value) === value ? 'text' : 'json');
  const text = kind === 'text' ? String(value) : escapeInvisible(JSON.stringify(value, undefined, plain ? 0 : 2));
  return { name, kind, value, shown: maskDisplayedText(text) };
}
const KINDS = ['number', 'boolean'] as const;

/** Returns the arguments with the fields' current text, or the fields that can't be parsed. */
export function editedArguments(
  fields: readonly ArgumentField[],
  texts: readonly string[],
): { readonly value: unknown } | { readonly invalid: ReadonlySet<ArgumentField> } {
  const read = fields.map((field, index) => {
    const text = texts[index] ?? field.shown;
    return text === field.shown ? field.value : valueOf(field, text);
  });
  // The arguments as one text: an object must stay an object, because an agent accepts nothing else.
  const isOther = ({ name, value }: ArgumentField, index: number): boolean =>
    name === undefined && isRecord(value) && !isRecord(read[index]);
  const invalid = new Set(fields.filter((field, index) => read[index] === undefined || isOther(field, index)));
  if (invalid.size > 0) return { invalid };
  const [only] = fields;
  if (only && only.name === undefined) return { value: read[0] };
  // (No plain assignment: a name may be `__proto__`.)
  return { value: Object.fromEntries(fields.map(({ name = '' }, index) => [name, read[index]])) };
}

/** Undefined for invalid text. */
function valueOf({ kind }: ArgumentField, text: string): unknown {
  if (kind === 'text') return text;
  // It would be sent with another number than is shown.
  if (hasRoundedNumber(text)) return undefined;
  if (kind === 'number') return text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text);
  return parseJson(text);
}
