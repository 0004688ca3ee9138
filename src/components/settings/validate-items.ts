/**
 * Leaves out the unusable items of `models`, `messageActions`, `suggestions`, `strings` and messages, with one console warning.
 * `validate-types.ts` checks the type of each setting, and the items of `agents`, `tools`, `commands` and `mentions`.
 */
import { isRecord } from '../../model/json.ts';
import type { MessageInput } from '../../conversation/normalize-message.ts';
import type { Strings } from '../../locales/en.ts';
import type { Text } from '../../locales/text.ts';
import type { RendererRegistry } from '../../renderers/core/registry.ts';
import { excerptOfValue, warnOnce } from '../shared/attribute-converters.ts';
import type { Starter } from '../transcript/empty-state.ts';
import type { MessageAction } from '../shared/custom-actions.ts';
import type { ModelOption } from './setting-types.ts';

/** A shared empty list: the same object each time, so that it causes no re-render. */
const EMPTY: readonly never[] = [];

/** Returns the valid items of a list; the list itself if all are valid. */
function validItems<Item>(name: string, value: unknown, isItem: (item: unknown) => item is Item): readonly Item[] {
  if (value === undefined || value === null) return EMPTY;
  if (!Array.isArray(value)) {
    warnIgnored(name, value);
    return EMPTY;
  }
  const list: readonly unknown[] = value;
  if (list.every(isItem)) return list;
  warnIgnored(
    name,
    list.find((item) => !isItem(item)),
  );
  return list.filter(isItem);
}

const warnIgnored = (name: string, value: unknown): void => {
  warnOnce(`${name} can't use ${excerptOfValue(value)}; it is ignored.`);
};

const isStarter = (item: unknown): item is Starter =>
  typeof item === 'string' ||
  (isRecord(item) && typeof item['label'] === 'string' && typeof item['prompt'] === 'string');

export const usableStarters = (value: unknown): readonly Starter[] => validItems('suggestions', value, isStarter);

const isModel = (item: unknown): item is ModelOption =>
  isRecord(item) && typeof item['id'] === 'string' && typeof item['label'] === 'string';

export const usableModels = (value: unknown): readonly ModelOption[] => validItems('models', value, isModel);

/** Accepts a registry of another copy of the package too. Undefined if the page has removed the registry or assigned something else. */
export function usableRenderers(value: unknown): RendererRegistry | undefined {
  if (value === undefined || value === null) return undefined;
  if (value instanceof EventTarget && 'match' in value) return value as RendererRegistry;
  warnIgnored('renderers', value);
  return undefined;
}

const isText = (value: unknown): value is Text =>
  typeof value === 'string' || (isRecord(value) && Object.values(value).every((form) => typeof form === 'string'));

const isAction = (item: unknown): item is MessageAction =>
  isRecord(item) && typeof item['id'] === 'string' && typeof item['label'] === 'string';

export const usableActions = (value: unknown): readonly MessageAction[] =>
  validItems('messageActions', value, isAction);

export function usableStrings(value: unknown): Strings {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) {
    warnIgnored('strings', value);
    return {};
  }
  const texts = Object.entries(value);
  for (const [key, text] of texts) if (!isText(text)) warnIgnored(`strings.${key}`, text);
  return Object.fromEntries(texts.filter((entry): entry is [string, Text] => isText(entry[1])));
}

/** Returns the same list if all messages are valid, so that assigning that list again changes nothing. */
export function usableMessages(value: unknown): readonly MessageInput[] {
  const list = validItems('messages', value, isMessage);
  const messages = list.map(usableMessage);
  return messages.every((message, index) => message === list[index]) ? list : messages;
}

const isMessage = (item: unknown): item is MessageInput => isRecord(item) && typeof item['role'] === 'string';

/**
 * Returns a message, complete or partial, without an invalid `name`, block or suggestion; the same object if these are
 * valid. The other fields are read where they are used.
 */
export function usableMessage<Input extends Partial<MessageInput>>(value: Input): Input {
  const { name, blocks, suggestions }: { name?: unknown; blocks?: unknown; suggestions?: unknown } = value;
  if (name === undefined && blocks === undefined && suggestions === undefined) return value;
  const valid = {
    ...(typeof name === 'string' && { name }),
    ...(blocks !== undefined && { blocks: validItems('blocks', blocks, isBlock) }),
    ...(suggestions !== undefined && { suggestions: validItems("a message's suggestions", suggestions, isStarter) }),
  };
  if (name === valid.name && blocks === valid.blocks && suggestions === valid.suggestions) return value;
  if (name !== valid.name) warnIgnored("a message's name", name);
  const { name: _name, blocks: _blocks, suggestions: _suggestions, ...rest } = value;
  return { ...rest, ...valid } as unknown as Input;
}

const isBlock = (item: unknown): item is NonNullable<MessageInput['blocks']>[number] =>
  isRecord(item) && typeof item['type'] === 'string';
