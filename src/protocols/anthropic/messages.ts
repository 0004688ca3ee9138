/** The conversation as Anthropic's Messages take it. Source: `anthropic.md`, "Request" and "Next turn". */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds, type ReplyRound } from '../../model/reply-rounds.ts';
import { textOf } from '../../model/text-of.ts';
import { parseDataUrl } from '../shared/data-url.ts';
import { attachmentNote, fileText } from '../shared/file-text.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { roundsOf } from '../../model/rounds.ts';

/** A content block as the wire has it. */
export type Item = Readonly<Record<string, unknown>> & { readonly type: string };

interface Sent {
  readonly role: 'user' | 'assistant';
  readonly content: Item[];
}
type Call = BlockOf<'tool_call'>;

/** What a reply was made of, and the results that its calls were given. */
interface Step {
  readonly items: readonly Item[];
  readonly results: readonly Item[];
}

/** Messages of one role in a row are one, with the results of calls in front of everything else. */
export function toAnthropicMessages(messages: readonly ChatMessage[]): readonly Sent[] {
  const sent: Sent[] = [];
  const say = (role: Sent['role'], items: readonly Item[]): void => {
    if (items.length === 0) return;
    const last = sent.at(-1);
    if (last?.role === role) last.content.push(...items);
    else sent.push({ role, content: [...items] });
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') say('user', message.blocks.flatMap(toUserItems));
    if (message.role !== 'assistant') continue;
    for (const { items, results } of stepsOf(message, index === messages.length - 1)) {
      say('assistant', items);
      say('user', results);
    }
  }
  // The first one has to be a user's, also where the page has let the assistant begin.
  return sent[0]?.role === 'assistant' ? [{ role: 'user', content: [textItem('.')] }, ...sent] : sent;
}

/** `open`: the reply goes on with this request, so that a server's tool may still be at work. */
function stepsOf(message: ChatMessage, open: boolean): readonly Step[] {
  const rounds = roundsOf(message, 'anthropic').map(({ items }) => items.filter(isItem));
  if (rounds.length === 0) return splitRounds(message.blocks).map(fromBlocks);
  const answered = message.blocks.filter(isAnswered);
  const results = new Set(rounds.flat().map((item) => item['tool_use_id']));
  return withWords(rounds, textOf(message)).map((round) => {
    const step: { items: Item[]; results: Item[] } = { items: [], results: [] };
    for (const item of joinBlanks(round)) {
      if (item.type === 'tool_use') {
        const place = answered.findIndex(({ tool_call }) => tool_call.id === item['id']);
        // Taken out: a later round may have the same ids. One without a result can't be told.
        const [call] = place < 0 ? [] : answered.splice(place, 1);
        if (!call) continue;
        step.results.push(toResult(String(item['id']), call));
      } else if (isServerCall(item) && !open && !results.has(item['id'])) continue;
      step.items.push(item);
    }
    // A message must not end with a thought, as one does whose calls were left out.
    while (isThought(step.items.at(-1))) step.items.pop();
    return step;
  });
}

/** The words are the message's: it may have been cut off behind what was kept, or changed by the page. */
function withWords(rounds: readonly (readonly Item[])[], said: string): readonly (readonly Item[])[] {
  const told = rounds.flat().map(wordsOf).join('');
  if (said.startsWith(told)) return [...rounds, [textItem(said.slice(told.length))]];
  const last = rounds.flat().findLast(({ type }) => type === 'text');
  return rounds.map((round) =>
    round.flatMap((item) => (item.type !== 'text' ? [item] : item === last ? [textItem(said)] : [])),
  );
}

/** Blanks between cited texts are refused as blocks of their own. */
function joinBlanks(items: readonly Item[]): readonly Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const before = joined.at(-1);
    const blank = item.type === 'text' && wordsOf(item).trim() === '';
    if (!blank) joined.push(item);
    else if (before?.type === 'text') joined[joined.length - 1] = { ...before, text: wordsOf(before) + wordsOf(item) };
  }
  return joined;
}

/** A reply that somebody else gave. Its thoughts are not signed, and stay here. */
function fromBlocks({ text, calls }: ReplyRound): Step {
  return {
    items: [
      ...(text.trim() ? [textItem(text)] : []),
      ...calls.map(({ id, tool_call }) => {
        const input = parseJson(tool_call.params ?? '');
        return {
          type: 'tool_use',
          id: plain(tool_call.id ?? id),
          name: plain(tool_call.name ?? ''),
          input: isRecord(input) ? input : {},
        };
      }),
    ],
    results: calls.map((call) => toResult(plain(call.tool_call.id ?? call.id), call)),
  };
}

/** Names and ids are refused that have other letters. */
const plain = (name: string): string => name.replace(/[^\w-]/g, '_') || '_';

const toResult = (id: string, { status, tool_call: { response } }: Call): Item => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(response && { content: response }),
  ...(status !== 'success' && { is_error: true }),
});

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function toUserItems(block: AssistantMessageBlock): readonly Item[] {
  switch (block.type) {
    case 'content':
      return block.content.trim() ? [textItem(block.content)] : [];
    case 'image': {
      const { url, image_data, name } = block;
      const inline = image_data ?? parseDataUrl(url ?? '');
      if (inline && PICTURES.has(inline.mimeType)) return [{ type: 'image', source: base64(inline) }];
      if (!inline && isWeb(url)) return [{ type: 'image', source: { type: 'url', url } }];
      return [textItem(attachmentNote({ name, mimeType: inline?.mimeType, ...(!inline && { url }) }))];
    }
    case 'file': {
      const { url, data, name, mimeType } = block;
      const pdf = mimeType === 'application/pdf' || name?.toLowerCase().endsWith('.pdf');
      if (pdf && data !== undefined) return [toDocument(base64({ data, mimeType: 'application/pdf' }), name)];
      if (pdf && isWeb(url)) return [toDocument({ type: 'url', url }, name)];
      const text = fileText(block);
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

const textItem = (text: string): Item => ({ type: 'text', text });

const base64 = ({ data, mimeType }: { readonly data: string; readonly mimeType: string }) => ({
  type: 'base64',
  media_type: mimeType,
  data,
});

const toDocument = (source: object, title: string | undefined): Item => ({
  type: 'document',
  ...(title && { title }),
  citations: { enabled: true },
  source,
});

const isWeb = (url: string | undefined): boolean => /^https?:/i.test(url ?? '');

const isItem = (value: unknown): value is Item => isRecord(value) && typeof value['type'] === 'string';
const isThought = (item: Item | undefined): boolean => item?.type === 'thinking' || item?.type === 'redacted_thinking';
const isServerCall = ({ type }: Item): boolean => type === 'server_tool_use' || type === 'mcp_tool_use';
const isAnswered = (block: AssistantMessageBlock): block is Call =>
  block.type === 'tool_call' && block.tool_call.response !== undefined;
const wordsOf = ({ type, text }: Item): string => (type === 'text' && typeof text === 'string' ? text : '');
