/**
 * Converts the conversation to the messages of AI SDK 3 and 4. Source: `docs/protocols/ai-sdk-v4.md`; AI SDK 4
 * documentation, "useChat".
 */
import { toAttachment } from '../../model/attachment.ts';
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { textOf } from '../../model/message-text.ts';
import { z } from '../../model/schema.ts';
import { sentHistory } from '../shared/sent-history.ts';
import { parseJson } from '../../model/json.ts';
import { providerRounds } from '../../formats/provider-rounds.ts';
import { isInline, mediaTypeOf, toDataUrl } from '../shared/files/sent-files.ts';
import type { Turn } from '../core/adapter.ts';

export const AI_SDK_V4 = 'ai-sdk-v4';

const detail = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), signature: z.exactOptional(z.string()) }),
  z.object({ type: z.literal('redacted'), data: z.string() }),
]);
export type ReasoningDetail = z.infer<typeof detail>;
/** The reasoning details that a server expects back. */
const storedReasoning = z.array(z.object({ details: z.array(detail) }));

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
    contentType: mediaTypeOf(file),
    url: isInline(file) ? toDataUrl(file) : file.url,
  }));

function replyParts(message: ChatMessage): readonly V4Part[] {
  const stored = providerRounds(message, AI_SDK_V4).flatMap(({ items }) => storedReasoning.safeParse(items).data ?? []);
  const visible = stored.filter(({ details }) => textIn(details) !== '').values();
  const hidden = stored.filter(({ details }) => textIn(details) === '');
  let step = 0;
  let called = false;
  const shownParts = message.blocks.flatMap((block): readonly V4Part[] => {
    const isText = block.type === 'content' || block.type === 'reasoning_content';
    const startsStep = called && isText;
    if (startsStep) step++;
    called = block.type === 'tool_call' || (called && !isText);
    const details = block.type === 'reasoning_content' ? (visible.next().value?.details ?? []) : [];
    return [...(startsStep ? [{ type: 'step-start' }] : []), ...partsOf(block, details, step)];
  });
  return [...hidden.map(({ details }) => reasoningPart('', details)), ...shownParts];
}

const textIn = (details: readonly ReasoningDetail[]): string =>
  details.map((item) => (item.type === 'text' ? item.text : '')).join('');

const reasoningPart = (text: string, details: readonly ReasoningDetail[]): V4Part => ({
  type: 'reasoning',
  reasoning: text,
  details: textIn(details) === text ? details : [{ type: 'text', text }],
});

function partsOf(block: AssistantMessageBlock, details: readonly ReasoningDetail[], step: number): readonly V4Part[] {
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
      return [reasoningPart(block.content, details)];
    case 'tool_call':
      return callParts(block, step);
    default:
      return toAttachment(block)
        .filter(isInline)
        .map((file) => ({ type: 'file', mimeType: mediaTypeOf(file), data: file.data }));
  }
}

/** Parts of a call. The server rejects a call without a result, and has no state for a failed one. */
function callParts({ id, status, tool_call }: BlockOf<'tool_call'>, step: number): readonly V4Part[] {
  const { name: toolName = '', params = '', response, id: toolCallId = id } = tool_call;
  if (response === undefined) return [];
  const args = params.trim() === '' ? {} : (parseJson(params) ?? params);
  const result = status === 'error' ? { error: response } : (parseJson(response) ?? response);
  return [{ type: 'tool-invocation', toolInvocation: { state: 'result', step, toolCallId, toolName, args, result } }];
}
