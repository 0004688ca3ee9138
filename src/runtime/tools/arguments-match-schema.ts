/** Compares the arguments of a call with the schema of its tool, before `needsApproval` of the page judges them. */
import { toToolSpec, type ClientTool } from '../../agents/tools.ts';
import { isRecord } from '../../model/json.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What the comparison of one call needs everywhere. */
interface Comparison {
  /** The whole schema, to which a `$ref` points. */
  readonly root: JsonObject;
  /** The number of comparisons that are left: an agent chooses the arguments, and nested unions can multiply the work. */
  left: number;
}

const MOST_COMPARISONS = 10_000;
/** A `$ref` may lead back to itself. */
const MOST_LEVELS = 64;

/** Keywords that can exclude a value in a way that is not compared here. A boolean in their place excludes no type. */
const NOT_COMPARED = [
  ...['not', 'if', 'then', 'else', 'contains', 'patternProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['dependencies', 'dependentSchemas', 'dependentRequired', 'extends', 'disallow', '$dynamicRef', '$recursiveRef'],
];

/**
 * Whether the arguments have the types that the tool's `parameters` state, at any depth. Limits of length and size count as met.
 * Whatever can't be read or is not compared counts as not met: it is better to ask about a call once too often.
 */
export function argumentsMatchSchema(tool: ClientTool, args: JsonObject): boolean {
  const root = schemaOf(tool);
  return root !== undefined && fits(args, root, { root, left: MOST_COMPARISONS }, MOST_LEVELS);
}

function schemaOf(tool: ClientTool): JsonObject | undefined {
  try {
    const { parameters } = toToolSpec(tool);
    // An object with functions is the schema of a library that has no JSON form.
    return isRecord(parameters) && !Object.values(parameters).some((value) => typeof value === 'function')
      ? parameters
      : undefined;
  } catch {
    // The method of a schema library may throw on a type without a JSON form.
    return undefined;
  }
}

function fits(value: unknown, schema: unknown, comparison: Comparison, levels: number): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isRecord(schema) || levels <= 0 || comparison.left-- <= 0) return false;
  const { type, nullable, enum: allowed, allOf = [], anyOf, oneOf, $ref } = schema;
  // OpenAPI 3.0 writes a type with null in this way.
  if (value === null && nullable === true) return true;
  const fitsTo = (other: unknown): boolean => fits(value, other, comparison, levels - 1);
  return (
    !NOT_COMPARED.some((name) => typeof (schema[name] ?? true) !== 'boolean') &&
    (!('type' in schema) || listOf(type).some((name) => isOfType(value, name))) &&
    (!('enum' in schema) || isOneOf(value, listOf(allowed))) &&
    (!('const' in schema) || isOneOf(value, [schema['const']])) &&
    ($ref === undefined || fitsTo(targetOf($ref, comparison.root))) &&
    Array.isArray(allOf) &&
    allOf.every(fitsTo) &&
    [anyOf, oneOf].every((list) => list === undefined || fitsOneOf(value, list, comparison, levels)) &&
    (!Array.isArray(value) || itemsFit(value, schema, comparison, levels)) &&
    (!isRecord(value) || propertiesFit(value, schema, comparison, levels))
  );
}

function propertiesFit(value: JsonObject, schema: JsonObject, comparison: Comparison, levels: number): boolean {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (!isRecord(properties)) return false;
  // In the third draft of JSON Schema, and often by mistake, `required: true` is written in the property itself.
  const needed = Array.isArray(required) ? (required as readonly unknown[]) : [];
  // `false` is not compared: it states no type, and libraries write it in each part of an intersection.
  const others = isRecord(additionalProperties) ? additionalProperties : true;
  return (
    (Array.isArray(required) || typeof required === 'boolean') &&
    needed.every(
      (name) =>
        typeof name === 'string' &&
        (Object.hasOwn(value, name) || hasDefault(own(properties, name), comparison.root, levels)),
    ) &&
    Object.entries(value).every(
      ([name, one]) =>
        // Models write `null` for a value that they leave out.
        (one === null && !needed.includes(name) && Object.hasOwn(properties, name)) ||
        fits(one, Object.hasOwn(properties, name) ? properties[name] : others, comparison, levels - 1),
    )
  );
}

function itemsFit(value: readonly unknown[], schema: JsonObject, comparison: Comparison, levels: number): boolean {
  const { prefixItems, items = true, additionalItems = true } = schema;
  const isTuple = Array.isArray(items);
  const first = isTuple ? items : (prefixItems ?? []);
  const rest = isTuple ? additionalItems : items;
  // A number of items that is too large is no type.
  const others = rest === false ? true : rest;
  return (
    Array.isArray(first) &&
    value.every((item, index) => fits(item, index in first ? first[index] : others, comparison, levels - 1))
  );
}

/**
 * Whether a value fits one of several schemas. A property that only another one declares must not be there: with it, a call could
 * choose the schema that says nothing about the property that the page's function reads.
 */
function fitsOneOf(value: unknown, list: unknown, comparison: Comparison, levels: number): boolean {
  if (!Array.isArray(list)) return false;
  const schemas = list as readonly unknown[];
  const fitting = schemas.filter((schema) => fits(value, schema, comparison, levels - 1));
  if (fitting.length === 0 || !isRecord(value)) return fitting.length > 0;
  const declared = new Set(schemas.flatMap((schema) => namesIn(schema, comparison, levels - 1)));
  const used = Object.keys(value).filter((name) => declared.has(name));
  return fitting.some((schema) => {
    const names = namesIn(schema, comparison, levels - 1);
    return used.every((name) => names.includes(name));
  });
}

/** The names of the properties that a schema declares. */
function namesIn(schema: unknown, comparison: Comparison, levels: number): readonly string[] {
  if (!isRecord(schema) || levels <= 0 || comparison.left-- <= 0) return [];
  const { properties, $ref } = schema;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => (schema[name] === undefined ? [] : listOf(schema[name])));
  const all = $ref === undefined ? parts : [...parts, targetOf($ref, comparison.root)];
  return [
    ...(isRecord(properties) ? Object.keys(properties) : []),
    ...all.flatMap((part) => namesIn(part, comparison, levels - 1)),
  ];
}

/** Libraries list a property with a default as required: the agent may still leave it out. */
function hasDefault(schema: unknown, root: JsonObject, levels: number): boolean {
  if (!isRecord(schema) || levels <= 0) return false;
  return (
    'default' in schema ||
    (schema['$ref'] !== undefined && hasDefault(targetOf(schema['$ref'], root), root, levels - 1))
  );
}

/** The schema at a JSON pointer within the whole schema. Undefined for any other address. */
function targetOf(reference: unknown, root: JsonObject): unknown {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined;
  const steps = reference.split('/').slice(1);
  return steps.reduce<unknown>((at, step) => {
    const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    return isRecord(at) || Array.isArray(at) ? own(at as JsonObject, name) : undefined;
  }, root);
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

const own = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function isOneOf(value: unknown, allowed: readonly unknown[]): boolean {
  const text = JSON.stringify(value);
  return allowed.some((one) => JSON.stringify(one) === text);
}

/** An unknown type includes nothing. Gemini's types are in capital letters. */
function isOfType(value: unknown, type: unknown): boolean {
  switch (typeof type === 'string' ? type.toLowerCase() : type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      return false;
  }
}
