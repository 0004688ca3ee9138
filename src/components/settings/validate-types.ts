/**
 * Validates the types of settings. Pages often take settings from their server, so TypeScript can't check them. A wrong value is
 * reported once on the console, and the default is used.
 */
import { isRecord } from '../../model/json.ts';
import { excerptOfValue, warnOnce } from '../shared/attribute-converters.ts';

interface SettingType {
  /** Name of the type in console messages. */
  readonly label: string;
  is(value: unknown): boolean;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isFunction = (value: unknown): boolean => typeof value === 'function';

const stringType: SettingType = { label: 'a string', is: (value) => typeof value === 'string' };
const functionType: SettingType = { label: 'a function', is: isFunction };
/** A boolean. Also accepts numbers and strings, because JSON and templates may contain `1` or `"true"`. */
const booleanType: SettingType = {
  label: 'true or false',
  is: (value) => ['boolean', 'number', 'string'].includes(typeof value),
};
const recordType: SettingType = { label: 'an object', is: isRecord };
const objectOrFunctionType: SettingType = {
  label: 'an object or a function',
  is: (value) => isObject(value) || isFunction(value),
};
const listType: SettingType = { label: 'a list', is: Array.isArray };
const listOrFunctionType: SettingType = {
  label: 'a list or a function',
  is: (value) => Array.isArray(value) || isFunction(value),
};
const protocolType: SettingType = {
  label: 'a string or an adapter',
  is: (value) => typeof value === 'string' || isRecord(value),
};
const pollType: SettingType = {
  label: 'an object with a source',
  is: (value) => isRecord(value) && (typeof value['source'] === 'string' || isFunction(value['source'])),
};
const countType: SettingType = {
  label: 'an integer of at least 1',
  is: (value) => Number.isInteger(value) && Number(value) >= 1,
};

/** Settings without an entry accept any value (`context`), or are validated where they are used (enums, renderers). */
const TYPES: Readonly<Record<string, SettingType>> = {
  ...typesOf(
    stringType,
    'endpoint model system agent pageTools threadId heading placeholder greeting teaser disclaimer consent',
  ),
  ...typesOf(stringType, 'locale attachments without imageHosts linkHosts mode placement colorScheme density theme'),
  ...typesOf(booleanType, 'open keepAlive disabled readonly autofocus demo debug'),
  ...typesOf(functionType, 'fetch transformRequest transformEvent upload loadHistory mcp redact'),
  ...typesOf(objectOrFunctionType, 'headers body'),
  ...typesOf(recordType, 'storage limits launcher participants strings'),
  ...typesOf(listType, 'agents tools models messageActions suggestions'),
  ...typesOf(listOrFunctionType, 'commands mentions'),
  protocol: protocolType,
  poll: pollType,
  maxToolRounds: countType,
};

/** @param names - names of settings, separated by spaces */
function typesOf(type: SettingType, names: string): Readonly<Record<string, SettingType>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, type]));
}

/** Lists whose items are validated here, because the code that reads them does not. Other lists: `validate-items.ts`. */
const ITEM_VALIDATORS: Readonly<Record<string, (item: unknown) => boolean>> = {
  agents: (item) => isRecord(item) && (typeof item['id'] === 'string' || typeof item['getAgentInfo'] === 'function'),
  tools: (item) => isRecord(item) && typeof item['name'] === 'string',
  commands: (item) => isRecord(item) && typeof item['name'] === 'string',
  mentions: (item) => isRecord(item) && typeof item['name'] === 'string',
};

/** Returns the value, without the invalid items of a list; undefined if it has the wrong type. Undefined and `null` pass unchanged. */
export function validSetting(name: string, value: unknown): unknown {
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (value === undefined || value === null || !type) return value;
  if (!type.is(value)) {
    warnOnce(`${name} is not ${type.label}; ${excerptOfValue(value)} is ignored.`);
    return undefined;
  }
  const isItem = Object.hasOwn(ITEM_VALIDATORS, name) ? ITEM_VALIDATORS[name] : undefined;
  if (!isItem || !Array.isArray(value) || value.every(isItem)) return value;
  const items: readonly unknown[] = value;
  warnOnce(`${name} can't use ${excerptOfValue(items.find((item) => !isItem(item)))}; it is ignored.`);
  return items.filter(isItem);
}
