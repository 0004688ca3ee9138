/** Builds the input of an AG-UI run. Source: `docs/protocols/ag-ui.md`; AG-UI documentation, `RunAgentInput`. */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { splitRounds } from '../../formats/split-rounds.ts';
import { textOf } from '../../model/message-text.ts';
import type { RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { resumeFields } from './resume.ts';
import { newestMetadata, AG_UI, countRuns, type OpenInterrupt } from './run-metadata.ts';
import type { AgUiMessage } from './reply-schema.ts';
import { surfaceActionOf } from '../shared/a2ui-messages.ts';
import { asText } from '../shared/as-text.ts';
import { ranArguments } from '../shared/edited-arguments.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { isRecord } from '../../model/json.ts';
import { providerRounds } from '../../formats/provider-rounds.ts';

type Json = Readonly<Record<string, unknown>>;

export function agUiRequest(
  turn: Turn,
  { url, headers = {}, system, context, tools = [] }: RequestOptions,
): WireRequest {
  const { resume, command, parentRunId } = resumeFields(turn);
  // Older servers reject `parentRunId`, so it is sent only to a server that has used it, or needs it.
  const usesParent = newestMetadata(turn, 'parentRunId') !== undefined;
  const parent = parentRunId ?? (usesParent ? newestMetadata(turn, 'runId') : undefined);
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
        state: newestMetadata(turn, 'state') ?? {},
        messages: system ? [{ id: 'system', role: 'system', content: system }, ...history] : history,
        tools,
        context: toContext(context),
        forwardedProps: { ...(command && { command }), ...pressOf(turn) },
        ...(resume && { resume }),
      },
    },
  };
}

/** The button of a surface that the user pressed, as the A2UI middleware reads it. */
function pressOf({ text, messages }: Turn): object {
  const surfaceAction = text === '' ? undefined : surfaceActionOf(messages);
  if (!surfaceAction) return {};
  const { action, dataModel } = surfaceAction;
  return { a2uiAction: { userAction: action }, ...(dataModel && { a2uiClientDataModel: dataModel }) };
}

/** A new id for each run: the id of the last message, plus the number of the earlier streams of the turn. */
function runIdOf(turn: Turn): string {
  const runs = countRuns(turn);
  const id = turn.messages.at(-1)?.id ?? `${turn.threadId}-run`;
  return runs === 0 ? id : `${id}-${String(runs)}`;
}

/**
 * Converts the page's `context`. A list in the protocol's format is sent unchanged; each field of an object becomes an
 * entry.
 */
function toContext(context: unknown): readonly Json[] {
  if (context === undefined || context === null) return [];
  const entry = (description: string, value: unknown): Json => ({
    description,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  });
  if (Array.isArray(context) && context.every((item) => isRecord(item) && typeof item['description'] === 'string')) {
    return (context as readonly Json[]).map((item) => ({
      ...item,
      ...entry(String(item['description']), item['value']),
    }));
  }
  if (isRecord(context)) return Object.entries(context).map(([name, value]) => entry(name, value));
  return [entry('Context of the page the user is on', context)];
}

function toWire(message: ChatMessage): readonly Json[] {
  const { id, role, blocks } = message;
  if (role === 'user') return [{ id, role, content: toContent(blocks) }];
  if (role === 'system') return [{ id, role, content: textOf(message) }];
  return role === 'assistant' ? toAssistant(message) : [];
}

/** A message that contains only text is sent as a string. */
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
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.length === parts.length ? texts.join('\n') : parts;
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
 * Sends a reply back in its server's form, with the results of the page's tools. If the text was changed or cut off,
 * the text of the blocks is sent.
 */
function toAssistant(message: ChatMessage): readonly Json[] {
  const items = providerRounds(message, AG_UI).flatMap((round) => round.items as readonly AgUiMessage[]);
  const serverText = items.map(({ role, content }) => (role === 'assistant' ? asText(content) : '')).join('');
  const fullText = textOf(message);
  if (items.length === 0 || !fullText.startsWith(serverText)) return blocksToWire(message);
  const answeredIds = new Set(items.flatMap(({ role, toolCallId }) => (role === 'tool' ? [toolCallId] : [])));
  const interrupts = message.metadata?.['interrupts'] as readonly OpenInterrupt[] | undefined;
  const results = new Map(
    message.blocks.flatMap((block) =>
      block.type === 'tool_call' && block.tool_call.response !== undefined ? [[block.tool_call.id, block]] : [],
    ),
  );
  // A call without a result is sent only while the agent waits for an answer to an interrupt.
  const isSent = ({ id }: { readonly id: string }): boolean =>
    answeredIds.has(id) || results.has(id) || (interrupts?.length ?? 0) > 0;
  const calls = items.flatMap(({ toolCalls }) => toolCalls ?? []);
  // Blocks can't distinguish calls that share an id, so such calls are sent unchanged.
  const hasOwnId = ({ id }: { readonly id: string }): boolean => calls.filter((call) => call.id === id).length === 1;
  const sent = items.flatMap((item): readonly Json[] => {
    if (!item.toolCalls) return [item];
    const toolCalls = item.toolCalls.filter(isSent).map((call) => ({
      ...call,
      ...(hasOwnId(call) && {
        function: { ...call.function, arguments: ranArguments(call.function.arguments, results.get(call.id)) },
      }),
    }));
    const { toolCalls: _all, ...rest } = item;
    if (toolCalls.length === 0) return item.content ? [rest] : [];
    const missing = toolCalls.flatMap(({ id }) => (answeredIds.has(id) ? [] : (results.get(id) ?? [])));
    return [{ ...rest, toolCalls }, ...missing.map(toResult)];
  });
  const unsent = fullText.slice(serverText.length);
  return unsent ? [...sent, { id: message.id, role: 'assistant', content: unsent }] : sent;
}

function blocksToWire(message: ChatMessage): readonly Json[] {
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
