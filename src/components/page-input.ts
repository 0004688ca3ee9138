/** What a page sets may come from its own back end: what can't be used is said once on the console and left out. */
import { isRecord } from '../model/json.ts';
import type { MessageInput } from '../conversation/fill-message.ts';
import type { Strings } from '../locales/en.ts';
import type { Text } from '../locales/text.ts';
import type { RendererRegistry } from '../renderers/registry.ts';
import { warn } from './attributes.ts';
import type { Starter } from './empty.ts';
import type { MessageAction } from './message-actions.ts';
import type { ModelOption } from './model-picker.ts';

/** Always the same: what is given it has nothing to draw. */
const NONE: readonly never[] = [];

/** The items of a list that are of a kind; the list itself where all are. */
function usable<Item>(name: string, given: unknown, isItem: (item: unknown) => item is Item): readonly Item[] {
  if (given === undefined || given === null) return NONE;
  if (!Array.isArray(given)) {
    leftOut(name, given);
    return NONE;
  }
  const list: readonly unknown[] = given;
  if (list.every(isItem)) return list;
  leftOut(
    name,
    list.find((item) => !isItem(item)),
  );
  return list.filter(isItem);
}

/** So much of a value is enough to find it. */
const EXCERPT = 60;

function leftOut(name: string, value: unknown): void {
  let excerpt = String(value);
  try {
    excerpt = JSON.stringify([value]).slice(1, -1);
  } catch {
    // What JSON can't hold has its name.
  }
  warn(`${name} can't be used with ${excerpt.slice(0, EXCERPT)}, which is left out.`);
}

const isStarter = (item: unknown): item is Starter =>
  typeof item === 'string' ||
  (isRecord(item) && typeof item['label'] === 'string' && typeof item['prompt'] === 'string');

export const usableStarters = (given: unknown): readonly Starter[] => usable('suggestions', given, isStarter);

const isModel = (item: unknown): item is ModelOption =>
  isRecord(item) && typeof item['id'] === 'string' && typeof item['label'] === 'string';

export const usableModels = (given: unknown): readonly ModelOption[] => usable('models', given, isModel);

/** A page may have taken them away; and JSON has none. One of another copy of the package does as well. */
export function usableRenderers(given: unknown): RendererRegistry | undefined {
  if (given === undefined || given === null) return undefined;
  if (given instanceof EventTarget && 'match' in given) return given as RendererRegistry;
  leftOut('renderers', given);
  return undefined;
}

const isText = (value: unknown): value is Text =>
  typeof value === 'string' || (isRecord(value) && Object.values(value).every((form) => typeof form === 'string'));

const isAction = (item: unknown): item is MessageAction =>
  isRecord(item) && typeof item['id'] === 'string' && typeof item['label'] === 'string';

export const usableActions = (given: unknown): readonly MessageAction[] => usable('messageActions', given, isAction);

export function usableStrings(given: unknown): Strings {
  if (given === undefined || given === null) return {};
  if (!isRecord(given)) {
    leftOut('strings', given);
    return {};
  }
  const texts = Object.entries(given);
  for (const [key, text] of texts) if (!isText(text)) leftOut(`strings.${key}`, text);
  return Object.fromEntries(texts.filter((entry): entry is [string, Text] => isText(entry[1])));
}

/** The same list where all of it can be used: setting it again changes nothing then. */
export function usableMessages(given: unknown): readonly MessageInput[] {
  const list = usable('messages', given, isMessage);
  const fine = list.map(usableMessage);
  return fine.every((message, index) => message === list[index]) ? list : fine;
}

const isMessage = (item: unknown): item is MessageInput => isRecord(item) && typeof item['role'] === 'string';

/** A message, or a part of one, without the fields that are none; the same object where all are. */
export function usableMessage<Input extends Partial<MessageInput>>(given: Input): Input {
  const { name, blocks, suggestions }: { name?: unknown; blocks?: unknown; suggestions?: unknown } = given;
  if (name === undefined && blocks === undefined && suggestions === undefined) return given;
  const fine = {
    ...(typeof name === 'string' && { name }),
    ...(blocks !== undefined && { blocks: usable('blocks', blocks, isBlock) }),
    ...(suggestions !== undefined && { suggestions: usable('suggestions', suggestions, isStarter) }),
  };
  if (name === fine.name && blocks === fine.blocks && suggestions === fine.suggestions) return given;
  if (name !== fine.name) leftOut("a message's name", name);
  const { name: _name, blocks: _blocks, suggestions: _suggestions, ...rest } = given;
  return { ...rest, ...fine } as unknown as Input;
}

const isBlock = (item: unknown): item is NonNullable<MessageInput['blocks']>[number] =>
  isRecord(item) && typeof item['type'] === 'string';
