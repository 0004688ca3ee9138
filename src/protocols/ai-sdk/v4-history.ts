/** The conversation as the AI SDK 3 and 4 take it. Source: `ai-sdk-data-stream.md`, "Request" and "Next turn". */
import { toAttachment } from '../../model/attachment.ts';
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/text-of.ts';
import { z } from '../../model/schema.ts';
import { sentHistory } from '../shared/history.ts';
import { parseJson } from '../../model/json.ts';
import { roundsOf } from '../../model/rounds.ts';
import { isInline, toDataUrl } from '../shared/sent-files.ts';
import type { Turn } from '../adapter.ts';

export const PROTOCOL = 'ai-sdk-v4';

const detail = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), signature: z.exactOptional(z.string()) }),
  z.object({ type: z.literal('redacted'), data: z.string() }),
]);
export type ThoughtDetail = z.infer<typeof detail>;
/** What a server wants to see again of each thought. */
const thoughts = z.array(z.object({ details: z.array(detail) }));

type V4Part = Readonly<Record<string, unknown>> & { readonly type: string };

export const toV4Messages = (turn: Turn): readonly object[] =>
  sentHistory(turn).flatMap((message) => {
    if (message.role === 'tool') return [];
    const { id, role, timestamp, metadata } = message;
    const files = role === 'user' ? message.blocks.flatMap(toWireAttachment) : [];
    const parts = role === 'assistant' ? replyParts(message) : [{ type: 'text', text: textOf(message) }];
    const calls = parts.flatMap((part) => (part.type === 'tool-invocation' ? [part['toolInvocation']] : []));
    if (parts.length === 0) return [];
    return [
      {
        id: typeof metadata?.['messageId'] === 'string' ? metadata['messageId'] : id,
        role,
        createdAt: new Date(timestamp).toISOString(),
        content: textOf(message),
        parts,
        ...(files.length > 0 && { experimental_attachments: files }),
        ...(calls.length > 0 && { toolInvocations: calls }),
      },
    ];
  });

const toWireAttachment = (block: AssistantMessageBlock): readonly object[] =>
  toAttachment(block).map((file) => ({
    ...(file.name !== undefined && { name: file.name }),
    ...(file.mimeType !== undefined && { contentType: file.mimeType }),
    url: isInline(file) ? toDataUrl(file) : file.url,
  }));

function replyParts(message: ChatMessage): readonly V4Part[] {
  const kept = roundsOf(message, PROTOCOL).flatMap(({ items }) => thoughts.safeParse(items).data ?? []);
  const known = kept.filter(({ details }) => textIn(details) !== '').values();
  const silent = kept.filter(({ details }) => textIn(details) === '');
  let step = 0;
  let called = false;
  const said = message.blocks.flatMap((block): readonly V4Part[] => {
    const isWords = block.type === 'content' || block.type === 'reasoning_content';
    const begins = called && isWords;
    if (begins) step++;
    called = block.type === 'tool_call' || (called && !isWords);
    const details = block.type === 'reasoning_content' ? (known.next().value?.details ?? []) : [];
    return [...(begins ? [{ type: 'step-start' }] : []), ...partsOf(block, details, step)];
  });
  return [...silent.map(({ details }) => thoughtPart('', details)), ...said];
}

const textIn = (details: readonly ThoughtDetail[]): string =>
  details.map((item) => (item.type === 'text' ? item.text : '')).join('');

const thoughtPart = (text: string, details: readonly ThoughtDetail[]): V4Part => ({
  type: 'reasoning',
  reasoning: text,
  details: textIn(details) === text ? details : [{ type: 'text', text }],
});

function partsOf(block: AssistantMessageBlock, details: readonly ThoughtDetail[], step: number): readonly V4Part[] {
  switch (block.type) {
    case 'content':
      return [
        ...(block.content ? [{ type: 'text', text: block.content }] : []),
        ...(block.citations ?? []).flatMap(({ id, url, title }) =>
          url === undefined
            ? []
            : [{ type: 'source', source: { sourceType: 'url', id, url, ...(title !== undefined && { title }) } }],
        ),
      ];
    case 'reasoning_content':
      return [thoughtPart(block.content, details)];
    case 'tool_call':
      return callParts(block, step);
    default:
      return toAttachment(block)
        .filter(isInline)
        .map(({ data, mimeType = '' }) => ({ type: 'file', mimeType, data }));
  }
}

/** The server refuses a call without a result, and has no word for one that failed. */
function callParts({ id, status, tool_call }: BlockOf<'tool_call'>, step: number): readonly V4Part[] {
  const { name: toolName = '', params = '', response, id: toolCallId = id } = tool_call;
  if (response === undefined) return [];
  const args = params.trim() === '' ? {} : (parseJson(params) ?? params);
  const result = status === 'error' ? { error: response } : (parseJson(response) ?? response);
  return [{ type: 'tool-invocation', toolInvocation: { state: 'result', step, toolCallId, toolName, args, result } }];
}
