/**
 * Converts the conversation to input items of OpenAI's Responses API. It does not rely on state stored by the server:
 * the server's items are sent back unchanged, including reasoning, and each call with its result. Source:
 * `docs/protocols/openai-responses.md`.
 */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import { canonicalArguments } from '../../model/canonical-arguments.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../formats/split-rounds.ts';
import { textOf } from '../../model/message-text.ts';
import type { Answer } from '../core/adapter.ts';
import { ranArguments } from '../shared/edited-arguments.ts';
import { parseJson } from '../../model/json.ts';
import { argumentsText, isClientCall, PROTOCOL, type OutputItem } from './calls.ts';
import { parseParts } from './reply-schema.ts';
import { attachmentNote, namedFileText } from '../../formats/attached-file.ts';
import { providerRounds } from '../../formats/provider-rounds.ts';

type Item = Readonly<Record<string, unknown>> & Pick<OutputItem, 'type' | 'name'>;
type ToolBlock = BlockOf<'tool_call'>;

export function toInput(messages: readonly ChatMessage[], answers: readonly Answer[] = []): readonly object[] {
  return messages.flatMap((message): readonly object[] => {
    switch (message.role) {
      case 'user':
        return [{ role: 'user', content: message.blocks.flatMap(toPart) }];
      case 'system':
        return [{ role: 'system', content: textOf(message) }];
      case 'tool':
        return [];
      case 'assistant':
        return storedItems(message, answers) ?? rebuildItems(message);
    }
  });
}

function toPart(block: AssistantMessageBlock): readonly object[] {
  switch (block.type) {
    case 'content':
      return [{ type: 'input_text', text: block.content }];
    case 'image': {
      const { image_data: inline, url } = block;
      const image_url = inline ? `data:${inline.mimeType};base64,${inline.data}` : url;
      return image_url === undefined ? [] : [{ type: 'input_image', image_url, detail: 'auto' }];
    }
    // The API has no part type for these.
    case 'audio':
    case 'video':
      return [{ type: 'input_text', text: attachmentNote(block) }];
    case 'file': {
      const { data, url, mimeType = 'application/octet-stream', name } = block;
      const text = namedFileText(block);
      if (text !== undefined) return [{ type: 'input_text', text }];
      if (data === undefined) return url === undefined ? [] : [{ type: 'input_file', file_url: url }];
      return [{ type: 'input_file', filename: name ?? 'file', file_data: `data:${mimeType};base64,${data}` }];
    }
    default:
      return [];
  }
}

/** Text without a stored item. A part (`output_text`) would need an item id: vLLM refuses parts without one. */
const textMessage = (text: string): object => ({ role: 'assistant', content: text });

/** Builds items from blocks, for replies of other protocols or changed replies. */
const rebuildItems = (message: ChatMessage): readonly object[] =>
  splitRounds(message.blocks).flatMap(({ text, calls }) => [
    ...(text ? [textMessage(text)] : []),
    ...calls.map(({ id, tool_call }) => ({
      type: 'function_call',
      call_id: tool_call.id ?? id,
      name: tool_call.name ?? '',
      arguments: tool_call.params || '{}',
    })),
    ...calls.map((block) => resultOf({ type: 'function_call', call_id: block.tool_call.id ?? block.id }, block)),
  ]);

/** Returns the reply's stored items; undefined when its text differs from them. */
function storedItems(message: ChatMessage, answers: readonly Answer[]): readonly object[] | undefined {
  const rounds = providerRounds(message, PROTOCOL).map(({ items }) => (items as readonly Item[]).filter(isOfServer));
  const itemsText = rounds.flat().map(itemText).join('');
  const text = textOf(message);
  if (rounds.length === 0 || !text.startsWith(itemsText)) return undefined;
  const blockData = makeBlockData(message, answers, rounds.flat());
  const items = rounds.flatMap((round) => {
    const sentItems = round.flatMap((item) => blockData.toSent(item).map((sent) => ({ item, sent })));
    const answeredItems = withoutUnanswered(sentItems, blockData.isOpen);
    return [...answeredItems.map(({ sent }) => sent), ...answeredItems.flatMap(({ item }) => blockData.answerTo(item))];
  });
  // The text of an interrupted stream is only in the blocks.
  const rest = text.slice(itemsText.length);
  return rest ? [...items, textMessage(rest)] : items;
}

/** A server sends no answer to its own question: a stored one was not given by the user. */
const isOfServer = ({ type }: Item): boolean => type !== 'mcp_approval_response';

const itemText = ({ type, content }: Item): string =>
  type === 'message'
    ? parseParts(content)
        .map(({ text, refusal }) => text ?? refusal ?? '')
        .join('')
    : '';

/** An item as received, and in the form that is sent back. */
interface SentItem {
  readonly item: Item;
  readonly sent: Item;
}

/** Removes calls without a result, which the server would refuse, and the reasoning before them or at the end. */
function withoutUnanswered(items: readonly SentItem[], isOpen: (item: Item) => boolean): readonly SentItem[] {
  /** Whether the item after the current one is removed, or there is none. */
  let isNextRemoved = true;
  return items
    .toReversed()
    .filter(({ item }) => {
      const remove = item.type === 'reasoning' ? isNextRemoved : isOpen(item);
      isNextRemoved = remove;
      return !remove;
    })
    .reverse();
}

/** The field with the arguments of a client call. */
const ARGUMENT_FIELDS: Readonly<Partial<Record<string, string>>> = {
  function_call: 'arguments',
  custom_tool_call: 'input',
};

/** The data of a reply's blocks for its items: results, decisions and images. */
function makeBlockData({ blocks }: ChatMessage, answers: readonly Answer[], items: readonly Item[]) {
  const calls = blocks.filter((block) => block.type === 'tool_call');
  const blockByItem = new Map<Item, ToolBlock>();
  for (const item of items) {
    if (!isClientCall(item)) continue;
    const block = calls.findIndex(({ tool_call }) => tool_call.id === item['call_id']);
    // Removed from the list, because a later round may use the same ids.
    if (block >= 0) blockByItem.set(item, ...(calls.splice(block, 1) as [ToolBlock]));
  }
  const answeredIds = new Set(items.flatMap(({ type, call_id }) => (type.endsWith('_output') ? [call_id] : [])));
  const lastRequests = new Map(
    items.filter(({ type }) => type === 'mcp_approval_request').map((item) => [item['id'], item]),
  );
  const executedRequests = new Set(items.map((item) => item['approval_request_id']));

  const resultFor = (item: Item): ToolBlock | undefined => {
    const block = blockByItem.get(item);
    return answeredIds.has(item['call_id']) || block?.tool_call.response === undefined ? undefined : block;
  };
  /** An approved call that never ran is not approved again, because it would then run unexpectedly. */
  const decisionOn = (item: Item): { readonly approve: boolean; readonly reason?: string } | undefined => {
    const { id } = item;
    // Several requests may share an id: an answer belongs to the request that its own block shows.
    const questions = blocks.filter(
      (block): block is BlockOf<'action'> =>
        block.type === 'action' && block.extra?.['requestId'] === id && isAbout(block, item),
    );
    const question = questions.at(-1);
    const currentAnswers = answers.filter(({ blockId }) => questions.some((block) => block.id === blockId));
    const currentAnswer = currentAnswers.find(({ decision }) => decision !== 'granted') ?? currentAnswers.at(-1);
    if (currentAnswer) return decide(currentAnswer);
    if (question?.status === 'denied') return { approve: false };
    return question?.status === 'granted' && executedRequests.has(id) ? { approve: true } : undefined;
  };

  return {
    // The answer contains only the request's id, so an earlier request with the same id is not sent again.
    isOpen: (item: Item): boolean =>
      item.type === 'mcp_approval_request'
        ? lastRequests.get(item['id']) !== item || decisionOn(item) === undefined
        : isClientCall(item) && !answeredIds.has(item['call_id']) && resultFor(item) === undefined,
    /** Returns the item with its executed arguments and its image, which only its block stores; empty without that image. */
    toSent: (item: Item): readonly Item[] => {
      const field = ARGUMENT_FIELDS[item.type];
      if (field !== undefined) {
        const sent = item[field];
        return [typeof sent === 'string' ? { ...item, [field]: ranArguments(sent, blockByItem.get(item)) } : item];
      }
      if (item.type !== 'image_generation_call') return [item];
      const image = blocks.find((block) => block.type === 'image' && block.extra?.['dataId'] === item['id']);
      const result = image?.type === 'image' ? image.image_data?.data : undefined;
      return result === undefined ? [] : [{ ...item, result }];
    },
    answerTo: (item: Item): readonly object[] => {
      if (item.type === 'mcp_approval_request') {
        return [{ type: 'mcp_approval_response', approval_request_id: item['id'], ...decisionOn(item) }];
      }
      const block = resultFor(item);
      return block ? [resultOf(item, block)] : [];
    },
  };
}

/** Whether a question is about this request. */
const isAbout = (
  { action_type, tool_call: shown }: BlockOf<'action'>,
  { name, arguments: args, server_label: server }: Item,
): boolean =>
  action_type === 'tool_call_permission' &&
  (shown?.name ?? '') === (name ?? '') &&
  (shown?.server_name ?? '') === (server ?? '') &&
  canonicalArguments(shown?.params ?? '') === canonicalArguments(argumentsText(args));

function decide({ decision, note, arguments: changed }: Answer): { approve: boolean; reason?: string } {
  if (decision === 'granted' && changed !== undefined) {
    // An approval applies to the original arguments.
    return { approve: false, reason: `The user wants it to be called with ${JSON.stringify(changed)} instead.` };
  }
  return { approve: decision === 'granted', ...(note && { reason: note }) };
}

/**
 * Builds the result item of a call. Results of shells and computers are lists and objects; client tools return them
 * as JSON.
 */
function resultOf({ type, call_id }: Pick<Item, 'type'> & { call_id?: unknown }, block: ToolBlock): object {
  const text = block.tool_call.response ?? '';
  const structured = type === 'shell_call' || type === 'computer_call' ? parseJson(text) : undefined;
  return {
    type: `${type}_output`,
    [type === 'local_shell_call' ? 'id' : 'call_id']: call_id,
    ...(type === 'apply_patch_call' && { status: block.status === 'error' ? 'failed' : 'completed' }),
    output: structured ?? text,
  };
}
