/** The input of an AG-UI run. Source: `ag-ui.md`, "Request" and "Next turn". */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../model/reply-rounds.ts';
import { textOf } from '../../model/text-of.ts';
import type { RequestOptions, Turn, WireRequest } from '../adapter.ts';
import { resumeOf } from './answers.ts';
import { lastFact, PROTOCOL, runsSoFar, type OpenInterrupt } from './facts.ts';
import type { WireMessage } from './wire.ts';
import { asText } from '../shared/as-text.ts';
import { sentHistory } from '../shared/history.ts';
import { isRecord } from '../../model/json.ts';
import { roundsOf } from '../../model/rounds.ts';

type Json = Readonly<Record<string, unknown>>;

export function agUiRequest(
  turn: Turn,
  { url, headers = {}, system, context, tools = [] }: RequestOptions,
): WireRequest {
  const { resume, command } = resumeOf(turn);
  const parent = lastFact(turn, 'runId');
  const history = sentHistory(turn).flatMap(toWire);
  return {
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream', ...headers },
      body: {
        threadId: turn.threadId,
        runId: runIdOf(turn),
        ...(typeof parent === 'string' && { parentRunId: parent }),
        state: lastFact(turn, 'state') ?? {},
        messages: system ? [{ id: 'system', role: 'system', content: system }, ...history] : history,
        tools,
        context: toContext(context),
        forwardedProps: command ? { command } : {},
        ...(resume && { resume }),
      },
    },
  };
}

/** New for each run: the reply has an id of its own, and each stream of a turn counts. */
function runIdOf(turn: Turn): string {
  const runs = runsSoFar(turn);
  const id = turn.messages.at(-1)?.id ?? `${turn.threadId}-run`;
  return runs === 0 ? id : `${id}-${String(runs)}`;
}

/** Facts of the page: a list in the wire's own form goes as it is, a field of an object is a fact. */
function toContext(context: unknown): readonly Json[] {
  if (context === undefined || context === null) return [];
  const fact = (description: string, value: unknown): Json => ({
    description,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  });
  if (Array.isArray(context) && context.every((item) => isRecord(item) && typeof item['description'] === 'string')) {
    return (context as readonly Json[]).map((item) => ({
      ...item,
      ...fact(String(item['description']), item['value']),
    }));
  }
  if (isRecord(context)) return Object.entries(context).map(([name, value]) => fact(name, value));
  return [fact('Context of the page the user is on', context)];
}

function toWire(message: ChatMessage): readonly Json[] {
  const { id, role, blocks } = message;
  if (role === 'user') return [{ id, role, content: toContent(blocks) }];
  if (role === 'system') return [{ id, role, content: textOf(message) }];
  return role === 'assistant' ? toAssistant(message) : [];
}

/** Words alone go as a string. */
function toContent(blocks: readonly AssistantMessageBlock[]): string | readonly Json[] {
  const parts = blocks.flatMap((block): readonly Json[] => {
    if (block.type === 'content') return [{ type: 'text', text: block.content }];
    if (block.type === 'image') {
      const { image_data: inline, url } = block;
      return media('image', { ...inline, url, name: block.name });
    }
    if (block.type === 'audio' || block.type === 'video') return media(block.type, block);
    return block.type === 'file' ? media('document', block) : [];
  });
  const words = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return words.length === parts.length ? words.join('\n') : parts;
}

interface Source {
  readonly url?: string | undefined;
  readonly data?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly name?: string | undefined;
}

function media(type: string, { url, data, mimeType, name }: Source): readonly Json[] {
  const source =
    data !== undefined
      ? { type: 'data', value: data, mimeType: mimeType || 'application/octet-stream' }
      : url !== undefined && { type: 'url', value: url, ...(mimeType && { mimeType }) };
  return source ? [{ type, source, ...(name && { metadata: { filename: name } }) }] : [];
}

/**
 * A reply as its server has said it, with the results that the page has found. Words that were changed since, or that came
 * last and were cut off, are those of the blocks.
 */
function toAssistant(message: ChatMessage): readonly Json[] {
  const items = roundsOf(message, PROTOCOL).flatMap((round) => round.items as readonly WireMessage[]);
  const said = items.map(({ role, content }) => (role === 'assistant' ? asText(content) : '')).join('');
  const words = textOf(message);
  if (items.length === 0 || !words.startsWith(said)) return fromBlocks(message);
  const answered = new Set(items.flatMap(({ role, toolCallId }) => (role === 'tool' ? [toolCallId] : [])));
  const asked = message.metadata?.['interrupts'] as readonly OpenInterrupt[] | undefined;
  const results = new Map(
    message.blocks.flatMap((block) =>
      block.type === 'tool_call' && block.tool_call.response !== undefined ? [[block.tool_call.id, block]] : [],
    ),
  );
  // A call without a result is told only while the agent waits for a word about it.
  const isTold = ({ id }: { readonly id: string }): boolean =>
    answered.has(id) || results.has(id) || (asked?.length ?? 0) > 0;
  const told = items.flatMap((item): readonly Json[] => {
    if (!item.toolCalls) return [item];
    const toolCalls = item.toolCalls.filter(isTold);
    const { toolCalls: _all, ...rest } = item;
    if (toolCalls.length === 0) return item.content ? [rest] : [];
    const missing = toolCalls.flatMap(({ id }) => (answered.has(id) ? [] : (results.get(id) ?? [])));
    return [{ ...rest, toolCalls }, ...missing.map(toResult)];
  });
  const rest = words.slice(said.length);
  return rest ? [...told, { id: message.id, role: 'assistant', content: rest }] : told;
}

function fromBlocks(message: ChatMessage): readonly Json[] {
  return splitRounds(message.blocks).flatMap(({ text, calls }, index): readonly Json[] => {
    if (!text && calls.length === 0) return [];
    const toolCalls = calls.map(({ id, tool_call: { id: callId = id, name = '', params } }) => ({
      id: callId,
      type: 'function',
      function: { name, arguments: params || '{}' },
    }));
    return [
      {
        id: index === 0 ? message.id : `${message.id}-${String(index)}`,
        role: 'assistant',
        ...(message.name && { name: message.name }),
        content: text,
        ...(toolCalls.length > 0 && { toolCalls }),
      },
      ...calls.map(toResult),
    ];
  });
}

const toResult = ({
  id,
  status,
  error,
  tool_call: { id: toolCallId = id, response = '' },
}: BlockOf<'tool_call'>): Json => ({
  id,
  role: 'tool',
  toolCallId,
  content: response,
  ...(status === 'error' && { error: error?.message ?? response }),
});
