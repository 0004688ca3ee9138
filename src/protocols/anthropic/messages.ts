/**
 * Converts the conversation to Anthropic messages. Source: `docs/protocols/anthropic.md`; Anthropic API reference,
 * "Messages".
 */
import { asText } from '../shared/as-text.ts';
import { enumerate } from '../../enumerate.ts';
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds, type ReplyRound } from '../../formats/split-rounds.ts';
import { textOf } from '../../model/message-text.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { ranInput } from '../shared/edited-arguments.ts';
import { attachmentNote } from '../../formats/attached-file.ts';
import { readFileText } from '../../model/text/file-text.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { providerRounds } from '../../formats/provider-rounds.ts';

/** A content block as the API defines it. */
export type AnthropicBlock = Readonly<Record<string, unknown>> & { readonly type: string };

interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: AnthropicBlock[];
}
type Call = BlockOf<'tool_call'>;

/** A round of a reply, and the results of its calls. */
interface Step {
  readonly items: readonly AnthropicBlock[];
  readonly results: readonly AnthropicBlock[];
}

/** Consecutive messages of one role are merged, with the results of calls before everything else. */
export function toAnthropicMessages(messages: readonly ChatMessage[]): readonly WireMessage[] {
  const sent: WireMessage[] = [];
  const add = (role: WireMessage['role'], items: readonly AnthropicBlock[]): void => {
    if (items.length === 0) return;
    const last = sent.at(-1);
    if (last?.role === role) last.content.push(...items);
    else sent.push({ role, content: [...items] });
  };
  for (const [index, message] of enumerate(messages)) {
    if (message.role === 'user') add('user', message.blocks.flatMap(toUserItems));
    if (message.role !== 'assistant') continue;
    for (const { items, results } of stepsOf(message, index === messages.length - 1)) {
      add('assistant', items);
      add('user', results);
    }
  }
  // The first message must be the user's, even if the page starts with an assistant message.
  return sent[0]?.role === 'assistant' ? [{ role: 'user', content: [textItem('.')] }, ...sent] : sent;
}

/** Splits a reply into rounds. `isContinued`: this request continues the reply, so a server tool may still be running. */
function stepsOf(message: ChatMessage, isContinued: boolean): readonly Step[] {
  const rounds = providerRounds(message, 'anthropic').map(({ items }) => items.filter(isItem));
  if (rounds.length === 0) return splitRounds(message.blocks).map(roundFromBlocks);
  const answeredCalls = message.blocks.filter(isAnswered);
  const results = new Set(rounds.flat().map((item) => item['tool_use_id']));
  return withCurrentText(rounds, textOf(message)).map((round) => {
    const step: { items: AnthropicBlock[]; results: AnthropicBlock[] } = { items: [], results: [] };
    for (const item of joinBlankTexts(round)) {
      let sent = item;
      if (item.type === 'tool_use') {
        const position = answeredCalls.findIndex(({ tool_call }) => tool_call.id === item['id']);
        // The call is removed, since a later round may reuse its id. A call without a result cannot be sent.
        const [call] = position < 0 ? [] : answeredCalls.splice(position, 1);
        if (!call) continue;
        step.results.push(toResult(asText(item['id']), call));
        sent = { ...item, input: ranInput(item['input'], call) };
      } else if (isServerCall(item) && !isContinued && !results.has(item['id'])) continue;
      step.items.push(sent);
    }
    // A message must not end with reasoning, which happens when its calls were left out.
    while (isReasoning(step.items.at(-1))) step.items.pop();
    return step;
  });
}

/** Uses the text of the message, which the page may have changed, or which may be cut off after the stored blocks. */
function withCurrentText(
  rounds: readonly (readonly AnthropicBlock[])[],
  messageText: string,
): readonly (readonly AnthropicBlock[])[] {
  const storedText = rounds.flat().map(itemText).join('');
  if (messageText.startsWith(storedText)) return [...rounds, [textItem(messageText.slice(storedText.length))]];
  const last = rounds.flat().findLast(({ type }) => type === 'text');
  return rounds.map((round) =>
    round.flatMap((item) => (item.type !== 'text' ? [item] : item === last ? [textItem(messageText)] : [])),
  );
}

/** The API rejects separate blocks of white space, which occur between cited texts. */
function joinBlankTexts(items: readonly AnthropicBlock[]): readonly AnthropicBlock[] {
  const joined: AnthropicBlock[] = [];
  for (const item of items) {
    const before = joined.at(-1);
    const isBlank = item.type === 'text' && itemText(item).trim() === '';
    if (!isBlank) joined.push(item);
    else if (before?.type === 'text')
      joined[joined.length - 1] = { ...before, text: itemText(before) + itemText(item) };
  }
  return joined;
}

/** Builds a round from a reply of another protocol. Its reasoning has no signature, so it is not sent. */
function roundFromBlocks({ text, calls }: ReplyRound): Step {
  return {
    items: [
      ...(text.trim() ? [textItem(text)] : []),
      ...calls.map(({ id, tool_call }) => {
        const input = parseJson(tool_call.params ?? '');
        return {
          type: 'tool_use',
          id: sanitizeId(tool_call.id ?? id),
          name: sanitizeId(tool_call.name ?? ''),
          input: isRecord(input) ? input : {},
        };
      }),
    ],
    results: calls.map((call) => toResult(sanitizeId(call.tool_call.id ?? call.id), call)),
  };
}

/** Replaces characters that the API rejects in names and ids. */
const sanitizeId = (name: string): string => name.replace(/[^\w-]/g, '_') || '_';

const toResult = (id: string, { status, tool_call: { response } }: Call): AnthropicBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(response && { content: response }),
  ...(status !== 'success' && { is_error: true }),
});

const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function toUserItems(block: AssistantMessageBlock): readonly AnthropicBlock[] {
  switch (block.type) {
    case 'content':
      return block.content.trim() ? [textItem(block.content)] : [];
    case 'image': {
      const { url, image_data, name } = block;
      const inline = image_data ?? parseDataUrl(url ?? '');
      if (inline && IMAGE_TYPES.has(inline.mimeType)) return [{ type: 'image', source: base64(inline) }];
      if (!inline && isWeb(url)) return [{ type: 'image', source: { type: 'url', url } }];
      return [textItem(attachmentNote({ name, mimeType: inline?.mimeType, ...(!inline && { url }) }))];
    }
    case 'file': {
      const { url, data, name, mimeType } = block;
      const pdf = mimeType === 'application/pdf' || name?.toLowerCase().endsWith('.pdf');
      if (pdf && data !== undefined) return [toDocument(base64({ data, mimeType: 'application/pdf' }), name)];
      if (pdf && isWeb(url)) return [toDocument({ type: 'url', url }, name)];
      const text = readFileText(block);
      if (text === undefined) return [textItem(attachmentNote(block))];
      return text.trim() ? [toDocument({ type: 'text', media_type: 'text/plain', data: text }, name)] : [];
    }
    case 'audio':
    case 'video':
      return [textItem(attachmentNote(block))];
    default:
      return [];
  }
}

const textItem = (text: string): AnthropicBlock => ({ type: 'text', text });

const base64 = ({ data, mimeType }: { readonly data: string; readonly mimeType: string }) => ({
  type: 'base64',
  media_type: mimeType,
  data,
});

const toDocument = (source: object, title: string | undefined): AnthropicBlock => ({
  type: 'document',
  ...(title && { title }),
  citations: { enabled: true },
  source,
});

const isWeb = (url: string | undefined): boolean => /^https?:/i.test(url ?? '');

const isItem = (value: unknown): value is AnthropicBlock => isRecord(value) && typeof value['type'] === 'string';
const isReasoning = (item: AnthropicBlock | undefined): boolean =>
  item?.type === 'thinking' || item?.type === 'redacted_thinking';
const isServerCall = ({ type }: AnthropicBlock): boolean => type === 'server_tool_use' || type === 'mcp_tool_use';
const isAnswered = (block: AssistantMessageBlock): block is Call =>
  block.type === 'tool_call' && block.tool_call.response !== undefined;
const itemText = ({ type, text }: AnthropicBlock): string => (type === 'text' && typeof text === 'string' ? text : '');
