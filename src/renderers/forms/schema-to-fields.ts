/**
 * Converts a JSON Schema to form fields: the schemas of MCP elicitation, AG-UI and Dify, and those that pydantic and
 * zod generate. Types without a matching field become a text field. Patterns are not evaluated, because a hostile one
 * would block the page.
 */
import { isRecord } from '../../model/json.ts';
import { isSecret } from '../../model/is-secret.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { showExactly } from '../../safety/show-invisible.ts';
import { CHARACTERS_PER_NAME, listOf, targetOf, type Schema } from './schema-reference.ts';
import { containsSecret, schemasOfProperty, schemasOfValue, type SecretSearch } from './secret-schema.ts';

interface FieldOption {
  readonly label: string;
  readonly value: unknown;
  readonly description?: string;
}

export interface FormField {
  /** The path of the value in the answer; empty if the answer is the value itself. */
  readonly path: readonly string[];
  readonly label: string;
  readonly help?: string;
  readonly required: boolean;
  readonly kind: 'text' | 'long' | 'number' | 'boolean' | 'one' | 'many' | 'secret';
  /** For `text`: the type of the HTML input. */
  readonly input?: 'date' | 'datetime-local' | 'time' | 'email' | 'url';
  /** For `one` and `many`. */
  readonly options: readonly FieldOption[];
  /** Whether a value outside the options is allowed. */
  readonly other: boolean;
  readonly whole: boolean;
  /** For `many` without options: its items are numbers. */
  readonly numbers?: boolean;
  /** Minimum and maximum: of a number, of characters, of choices. */
  readonly min?: number;
  readonly max?: number;
  readonly initial?: unknown;
}

/** Maximum number of fields; further ones are left out. */
const MAX_FIELDS = 60;
const MAX_DEPTH = 4;
const MAX_OPTIONS = 200;
/** Maximum number of names that are read: references can repeat a part of the schema, and parts of that again. */
const MAX_WORK = 20_000;

/** The fields in order; empty if the schema cannot be a form. */
export function fieldsOf(schema: unknown): readonly FormField[] {
  if (!isRecord(schema)) return [];
  const fields: FormField[] = [];
  const search = { root: schema, left: MAX_WORK, plain: new Set<Schema>() };
  const position = { root: schema, path: [], name: '', required: true, fields, depth: 0, work: { left: MAX_WORK } };
  collect(schema, { ...position, search, others: [], isSecret: false });
  // A question without fields has an input for any text.
  if (fields.length === 0 && containsSecret(schema, search)) {
    const label = textOf(schema['title']);
    fields.push({ path: [], label, required: true, kind: 'secret', options: [], other: false, whole: false });
  }
  return fields;
}

interface FieldPosition {
  readonly root: Schema;
  readonly path: readonly string[];
  readonly name: string;
  readonly required: boolean;
  readonly fields: FormField[];
  readonly depth: number;
  /** The default of this field in the default of the object around it. */
  readonly given?: unknown;
  /** The remaining budget. */
  readonly work: { left: number };
  readonly search: SecretSearch;
  /** What other schemas of the object say about this property. They can say that it is a secret. */
  readonly others: readonly Schema[];
  /** Whether an object around it is a secret. */
  readonly isSecret: boolean;
}

function collect(input: Schema, position: FieldPosition): void {
  if (position.fields.length >= MAX_FIELDS || position.work.left < 0) return;
  const { schema, optional } = resolve(input, position);
  const { properties } = schema;
  if (isRecord(properties)) {
    if (position.depth >= MAX_DEPTH) return;
    const needed = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    const entries = Object.entries(properties);
    const given = schema['default'] ?? position.given;
    position.work.left -= entries.length + needed.size;
    const schemas = schemasOfValue([input, ...position.others], position.search);
    const isSecretObject = position.isSecret || schemas.some(isSecret);
    for (const [name, inner] of entries) {
      if (!isRecord(inner)) continue;
      const path = [...position.path, name];
      collect(inner, {
        ...position,
        path,
        name,
        required: position.required && needed.has(name),
        depth: position.depth + 1,
        given: isRecord(given) && Object.hasOwn(given, name) ? given[name] : undefined,
        others: schemasOfProperty(schemas, name, position.search).filter((other) => other !== inner),
        isSecret: isSecretObject,
      });
    }
    return;
  }
  // An object without fields asks for nothing.
  if (position.path.length === 0 && schema['type'] === 'object') return;
  const field = fieldOf(schema, { ...position, required: position.required && !optional });
  position.fields.push(
    asksForSecret(input, { schema, field, position }) ? { ...field, kind: 'secret', options: [] } : field,
  );
}

/** Whether the user could enter a secret into the field, or what it asks for is one. */
function asksForSecret(
  input: Schema,
  { schema, field, position }: Readonly<{ schema: Schema; field: FormField; position: FieldPosition }>,
): boolean {
  const { items } = schema;
  if (position.isSecret || isSecret(schema) || (isRecord(items) && isSecret(items))) return true;
  // The agent has written the options.
  const isChosen = field.options.length > 0 && !field.other;
  return !isChosen && [input, ...position.others].some((one) => containsSecret(one, position.search));
}

/** Resolves references and removes nullable wrappers. */
function resolve(
  input: Schema,
  { root, work }: Pick<FieldPosition, 'root' | 'work'>,
): { readonly schema: Schema; readonly optional: boolean } {
  let schema = input;
  let optional = false;
  // Each step removes one wrapper; circular references end at the limit.
  for (let step = 0; step < 8 && work.left >= 0; step++) {
    const reference = typeof schema['$ref'] === 'string' ? schema['$ref'] : '';
    const target = targetOf(root, reference);
    const [whole, ...others] = listOf(schema['allOf']);
    const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
    const real = choices.filter(({ type }) => type !== 'null');
    const [only] = real;
    work.left -= 1 + reference.length / CHARACTERS_PER_NAME + others.length + choices.length;
    if (target) schema = { ...target, ...without(schema, '$ref') };
    else if (whole && others.length === 0) schema = { ...whole, ...without(schema, 'allOf') };
    else if (only && real.length === 1 && !Object.hasOwn(only, 'const')) {
      optional ||= choices.length > 1;
      schema = { ...only, ...without(schema, 'anyOf', 'oneOf') };
    } else break;
    work.left -= Object.keys(schema).length;
  }
  const { type } = schema;
  if (Array.isArray(type)) {
    const real: unknown = type.find((name) => name !== 'null');
    return { schema: { ...schema, type: real }, optional: optional || type.includes('null') };
  }
  return { schema, optional };
}

const without = (schema: Schema, ...names: readonly string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));

function fieldOf(schema: Schema, { path, name, required, given }: FieldPosition): FormField {
  const { title, description, type, format } = schema;
  const initial = schema['const'] ?? schema['default'] ?? given;
  const help = textOf(description);
  const base = {
    path,
    label: textOf(title) || readable(name),
    ...(help && { help }),
    required,
    options: [],
    other: false,
    whole: false,
    ...(initial !== undefined && { initial }),
  };
  const { options, other } = choicesOf(schema);
  if (options.length > 0) return { ...base, kind: 'one', options, other };
  if (type === 'boolean') return { ...base, kind: 'boolean' };
  if (type === 'number' || type === 'integer') {
    return { ...base, kind: 'number', whole: type === 'integer', ...bounds(schema, 'minimum', 'maximum') };
  }
  if (type === 'array') {
    const items = isRecord(schema['items']) ? schema['items'] : {};
    const many = isRecord(schema['items']) ? choicesOf(items) : { options: [], other: true };
    const numbers = ['number', 'integer'].includes(items['type'] as string) && many.options.length === 0;
    return {
      ...base,
      kind: 'many',
      ...many,
      ...(numbers && { numbers, whole: items['type'] === 'integer' }),
      ...bounds(schema, 'minItems', 'maxItems'),
    };
  }
  const input = typeof format === 'string' && Object.hasOwn(INPUTS, format) ? INPUTS[format] : undefined;
  const length = bounds(schema, 'minLength', 'maxLength');
  const long =
    format === 'textarea' ||
    (length.max ?? 0) > 200 ||
    schema['contentMediaType'] !== undefined ||
    // One line would not show all of the default.
    /[\r\n]|.{80}/.test(typeof initial === 'string' ? initial : JSON.stringify(initial ?? ''));
  return { ...base, kind: long && !input ? 'long' : 'text', ...(input && { input }), ...length };
}

const INPUTS: Readonly<Record<string, NonNullable<FormField['input']>>> = {
  date: 'date',
  'date-time': 'datetime-local',
  time: 'time',
  email: 'email',
  uri: 'url',
};

/** The options, in the notations of the different schema generators. */
function choicesOf(schema: Schema): { readonly options: readonly FieldOption[]; readonly other: boolean } {
  const all = [
    // Its title is that of the field: the label of the only option is the value.
    ...(Object.hasOwn(schema, 'const') ? [{ const: schema['const'] }] : []),
    ...listOf(schema['oneOf']),
    ...listOf(schema['anyOf']),
  ];
  const listed = Array.isArray(schema['enum']) ? schema : all.find((choice) => Array.isArray(choice['enum']));
  const values = (listed?.['enum'] ?? []) as readonly unknown[];
  const names = Array.isArray(listed?.['enumNames']) ? (listed['enumNames'] as readonly unknown[]) : [];
  const constChoices = all.filter((choice) => Object.hasOwn(choice, 'const')).slice(0, MAX_OPTIONS);
  const options = [
    ...values.slice(0, MAX_OPTIONS).map((value, index) => ({ label: textOf(names[index]) || labelOf(value), value })),
    ...constChoices.map((choice) => {
      const description = textOf(choice['description']);
      return {
        label: textOf(choice['title']) || labelOf(choice['const']),
        value: choice['const'],
        ...(description && { description }),
      };
    }),
  ];
  const free = all.some((choice) => choice['type'] === 'string' && !choice['enum'] && !Object.hasOwn(choice, 'const'));
  return { options: options.slice(0, MAX_OPTIONS), other: free && options.length > 0 };
}

const labelOf = (value: unknown): string => showExactly(typeof value === 'string' ? value : JSON.stringify(value));

const textOf = (value: unknown): string => (typeof value === 'string' ? withoutInvisible(value) : '');

/** Converts a property name to a label. */
function readable(name: string): string {
  const label = withoutInvisible(name)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function bounds(schema: Schema, least: string, most: string): { readonly min?: number; readonly max?: number } {
  const [min, max] = [schema[least], schema[most]];
  return { ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) };
}

/** Maximum number of short fields on a page. */
const PAGE_LENGTH = 5;

/** Groups the fields into pages: a choice with descriptions or many options has its own page, as do the fields of each object. */
export function pagesOf(fields: readonly FormField[]): readonly (readonly FormField[])[] {
  const pages: FormField[][] = [];
  let group: string | undefined;
  let isPageFull = false;
  for (const field of fields) {
    const objectPath = field.path.slice(0, -1).join('.');
    const needsPage = field.options.length > PAGE_LENGTH || field.options.some(({ description }) => description);
    const page = pages.at(-1);
    if (!page || isPageFull || needsPage || objectPath !== group || page.length >= PAGE_LENGTH) pages.push([field]);
    else page.push(field);
    group = objectPath;
    isPageFull = needsPage;
  }
  return pages;
}
