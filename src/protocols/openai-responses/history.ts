/**
 * The conversation as input items of OpenAI's Responses API. Nothing is left to the server's memory: what it said goes back item
 * for item as it came, reasoning included, each call with its result. Source: `openai-responses.md`, "Request" and "Next turn".
 */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../model/reply-rounds.ts';
import { textOf } from '../../model/text-of.ts';
import type { Answer } from '../adapter.ts';
import { parseJson } from '../../model/json.ts';
import { isClientCall, PROTOCOL, type OutputItem } from './calls.ts';
import { partsIn } from './wire.ts';
import { roundsOf } from '../../model/rounds.ts';

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
        return repeated(message, answers) ?? rebuilt(message);
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
    case 'audio': {
      const format = /mpeg|mp3/.test(block.mimeType ?? '') ? 'mp3' : 'wav';
      return block.data === undefined ? [] : [{ type: 'input_audio', input_audio: { data: block.data, format } }];
    }
    case 'file': {
      const { data, url, mimeType = 'application/octet-stream', name } = block;
      if (data === undefined) return url === undefined ? [] : [{ type: 'input_file', file_url: url }];
      return [{ type: 'input_file', filename: name ?? 'file', file_data: `data:${mimeType};base64,${data}` }];
    }
    default:
      return [];
  }
}

/** Words without an item. As a part (`output_text`) they would need the id of one: vLLM refuses those without. */
const said = (text: string): object => ({ role: 'assistant', content: text });

/** A reply of another protocol, or one that was changed since. */
const rebuilt = (message: ChatMessage): readonly object[] =>
  splitRounds(message.blocks).flatMap(({ text, calls }) => [
    ...(text ? [said(text)] : []),
    ...calls.map(({ id, tool_call }) => ({
      type: 'function_call',
      call_id: tool_call.id ?? id,
      name: tool_call.name ?? '',
      arguments: tool_call.params || '{}',
    })),
    ...calls.map((block) => resultOf({ type: 'function_call', call_id: block.tool_call.id ?? block.id }, block)),
  ]);

/** The reply's own items; undefined where it says something else than they. */
function repeated(message: ChatMessage, answers: readonly Answer[]): readonly object[] | undefined {
  const rounds = roundsOf(message, PROTOCOL).map(({ items }) => items as readonly Item[]);
  const words = rounds.flat().map(wordsOf).join('');
  const text = textOf(message);
  if (rounds.length === 0 || !text.startsWith(words)) return undefined;
  const ledger = makeLedger(message, answers, rounds.flat());
  const items = rounds.flatMap((round) => {
    const kept = withoutUnanswered(round.flatMap(ledger.whole), ledger.isOpen);
    return [...kept, ...kept.flatMap(ledger.answerTo)];
  });
  // What a stream said that broke off is in the blocks alone.
  const rest = text.slice(words.length);
  return rest ? [...items, said(rest)] : items;
}

const wordsOf = ({ type, content }: Item): string =>
  type === 'message'
    ? partsIn(content)
        .map(({ text, refusal }) => text ?? refusal ?? '')
        .join('')
    : '';

/** Calls that nobody has answered would be refused, and so would the thoughts that led to them, or to nothing. */
function withoutUnanswered(items: readonly Item[], isOpen: (item: Item) => boolean): readonly Item[] {
  let lost = true;
  return items
    .toReversed()
    .filter((item) => {
      const gone = item.type === 'reasoning' ? lost : isOpen(item);
      lost = gone;
      return !gone;
    })
    .reverse();
}

/** What the reply's blocks know of its items: results, decisions, pictures. */
function makeLedger({ blocks }: ChatMessage, answers: readonly Answer[], all: readonly Item[]) {
  const calls = blocks.filter((block) => block.type === 'tool_call');
  const taken = new Map<Item, ToolBlock>();
  for (const item of all) {
    if (!isClientCall(item)) continue;
    const block = calls.findIndex(({ tool_call }) => tool_call.id === item['call_id']);
    // Taken out: a later round may have the same ids.
    if (block >= 0) taken.set(item, ...(calls.splice(block, 1) as [ToolBlock]));
  }
  const answered = new Set(all.flatMap(({ type, call_id }) => (type.endsWith('_output') ? [call_id] : [])));
  const run = new Set(all.map((item) => item['approval_request_id']));

  const resultFor = (item: Item): ToolBlock | undefined => {
    const block = taken.get(item);
    return answered.has(item['call_id']) || block?.tool_call.response === undefined ? undefined : block;
  };
  /** A call that was allowed and never ran is not asked for again: it would run then, unexpectedly. */
  const decisionOn = (id: unknown): { readonly approve: boolean; readonly reason?: string } | undefined => {
    const now = answers.find(({ extra }) => extra?.['requestId'] === id);
    if (now) return decide(now);
    const before = blocks.find((block) => block.type === 'action' && block.extra?.['requestId'] === id);
    if (before?.status === 'denied') return { approve: false };
    return before?.status === 'granted' && run.has(id) ? { approve: true } : undefined;
  };

  return {
    isOpen: (item: Item): boolean =>
      item.type === 'mcp_approval_request'
        ? decisionOn(item['id']) === undefined
        : isClientCall(item) && !answered.has(item['call_id']) && resultFor(item) === undefined,
    /** With the picture that was taken out of it, so that it is kept once. */
    whole: (item: Item): readonly Item[] => {
      if (item.type !== 'image_generation_call') return [item];
      const picture = blocks.find((block) => block.type === 'image' && block.extra?.['dataId'] === item['id']);
      const result = picture?.type === 'image' ? picture.image_data?.data : undefined;
      return result === undefined ? [] : [{ ...item, result }];
    },
    answerTo: (item: Item): readonly object[] => {
      if (item.type === 'mcp_approval_request') {
        return [{ type: 'mcp_approval_response', approval_request_id: item['id'], ...decisionOn(item['id']) }];
      }
      const block = resultFor(item);
      return block ? [resultOf(item, block)] : [];
    },
  };
}

function decide({ decision, note, arguments: changed }: Answer): { approve: boolean; reason?: string } {
  if (decision === 'granted' && changed !== undefined) {
    // An approval is for the arguments as they were.
    return { approve: false, reason: `The user wants it to be called with ${JSON.stringify(changed)} instead.` };
  }
  return { approve: decision === 'granted', ...(note && { reason: note }) };
}

/**
 * The result of a call. Those of shells and of computers are lists and objects there: a page's tool gives them so.
 */
function resultOf({ type, call_id }: Pick<Item, 'type'> & { call_id?: unknown }, block: ToolBlock): object {
  const text = block.tool_call.response ?? '';
  const given = type === 'shell_call' || type === 'computer_call' ? parseJson(text) : undefined;
  return {
    type: `${type}_output`,
    [type === 'local_shell_call' ? 'id' : 'call_id']: call_id,
    ...(type === 'apply_patch_call' && { status: block.status === 'error' ? 'failed' : 'completed' }),
    output: given ?? text,
  };
}
