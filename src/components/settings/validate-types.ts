/** Validates the types of settings. A page's back end may send anything: a wrong value is reported once on the console, and the default is used. */
import { isRecord } from '../../model/json.ts';
import { excerptOfValue, warnOnce } from '../shared/attribute-converters.ts';

interface SettingType {
  /** Name of the type in console messages. */
  readonly label: string;
  is(value: unknown): boolean;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isFunction = (value: unknown): boolean => typeof value === 'function';

const text: SettingType = { label: 'a string', is: (value) => typeof value === 'string' };
const functionType: SettingType = { label: 'a function', is: isFunction };
/** Accepts strings and numbers too, because JSON and templates also contain `1` and `"true"`. */
const flag: SettingType = {
  label: 'true or false',
  is: (value) => ['boolean', 'number', 'string'].includes(typeof value),
};
const record: SettingType = { label: 'an object', is: isRecord };
const objectOrFunction: SettingType = {
  label: 'an object or a function',
  is: (value) => isObject(value) || isFunction(value),
};
const list: SettingType = { label: 'a list', is: Array.isArray };
const listOrFunction: SettingType = {
  label: 'a list or a function',
  is: (value) => Array.isArray(value) || isFunction(value),
};
const protocol: SettingType = {
  label: 'a string or an adapter',
  is: (value) => typeof value === 'string' || isRecord(value),
};
const sourceType: SettingType = {
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
    text,
    'endpoint model system agent pageTools threadId heading placeholder greeting teaser disclaimer consent',
  ),
  ...typesOf(text, 'locale attachments without imageHosts linkHosts mode placement colorScheme density theme'),
  ...typesOf(flag, 'open keepAlive disabled readonly autofocus demo debug'),
  ...typesOf(functionType, 'fetch transformRequest transformEvent upload loadHistory mcp redact'),
  ...typesOf(objectOrFunction, 'headers body'),
  ...typesOf(record, 'storage limits launcher participants strings'),
  ...typesOf(list, 'agents tools models messageActions suggestions'),
  ...typesOf(listOrFunction, 'commands mentions'),
  protocol,
  poll: sourceType,
  maxToolRounds: countType,
};

function typesOf(kind: SettingType, names: string): Readonly<Record<string, SettingType>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** Lists whose items are validated here, because the code that reads them does not. Other lists: `validate-items.ts`. */
const ITEM_VALIDATORS: Readonly<Record<string, (item: unknown) => boolean>> = {
  agents: (item) => isRecord(item) && (typeof item['id'] === 'string' || typeof item['getAgentInfo'] === 'function'),
  tools: (item) => isRecord(item) && typeof item['name'] === 'string',
  commands: (item) => isRecord(item) && typeof item['name'] === 'string',
  mentions: (item) => isRecord(item) && typeof item['name'] === 'string',
};

/** Returns the usable part of a value, or undefined if it has the wrong type. Undefined and `null` pass unchanged. */
export function validSetting(name: string, value: unknown): unknown {
  const kind = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
  if (value === undefined || value === null || !kind) return value;
  if (!kind.is(value)) {
    warnOnce(`${name} is not ${kind.label}; ${excerptOfValue(value)} is ignored.`);
    return undefined;
  }
  const isItem = Object.hasOwn(ITEM_VALIDATORS, name) ? ITEM_VALIDATORS[name] : undefined;
  if (!isItem || !Array.isArray(value) || value.every(isItem)) return value;
  const items: readonly unknown[] = value;
  warnOnce(`${name} can't use ${excerptOfValue(items.find((item) => !isItem(item)))}; it is ignored.`);
  return items.filter(isItem);
}
