/** What the reader says, as an A2A message. Source: `a2a.md`, "Request" and "Next turn". */
import type { Media } from '../../model/blocks.ts';
import type { A2aAgent } from './card.ts';
import type { Answer, RequestOptions, Turn } from '../adapter.ts';
import { sentFiles } from '../shared/sent-files.ts';
import { toldBefore } from '../shared/told-before.ts';

type Said = { readonly text: string } | { readonly media: Media } | { readonly data: unknown };

export function messageOf(turn: Turn, { context }: Pick<RequestOptions, 'context'>, { version, binding }: A2aAgent) {
  const { text, messages, answers } = turn;
  const said = messages.findLast(({ role }) => role === 'user');
  const contextId = toldBefore(messages, 'contextId');
  const taskId = answers.length > 0 ? toldBefore(messages, 'taskId') : waitingTask(turn);
  const items: readonly Said[] = [
    ...(text ? [{ text }] : []),
    ...sentFiles(turn).map((media) => ({ media })),
    ...answers.map(toSaid),
  ];
  const old = version === '0.3';
  const [form, name] =
    old && binding === 'http' ? ([toProtoPart, 'content'] as const) : ([old ? toOldPart : toPart, 'parts'] as const);
  return {
    ...(old && binding === 'rpc' && { kind: 'message' }),
    // Our own ids: sent a second time it is the same message.
    messageId: [said?.id ?? 'message', ...answers.map(({ blockId }) => blockId)].join('.'),
    role: old && binding === 'rpc' ? 'user' : 'ROLE_USER',
    ...(contextId !== undefined && { contextId }),
    ...(taskId !== undefined && { taskId }),
    [name]: items.map(form),
    ...(context !== undefined && context !== null && { metadata: { context } }),
  };
}

/** A task that waits for words is gone on with; any other one is over, and the next words begin a new one. */
function waitingTask({ messages }: Turn): string | undefined {
  const last = messages.findLast(({ role, metadata }) => role === 'assistant' && metadata?.['taskState'] !== undefined);
  const waits = last?.metadata?.['taskState'] === 'input-required' || last?.metadata?.['taskState'] === 'auth-required';
  return waits ? toldBefore([last], 'taskId') : undefined;
}

/** There is no yes or no of the protocol's own: it is said in words. */
function toSaid({ payload, note, decision }: Answer): Said {
  if (payload === undefined) return { text: note ?? (decision === 'denied' ? 'no' : 'yes') };
  return typeof payload === 'string' ? { text: payload } : { data: payload };
}

function toPart(item: Said): object {
  if (!('media' in item)) return item;
  const { data, url, mimeType, name } = item.media;
  return {
    ...(data === undefined ? { url } : { raw: data }),
    ...(name !== undefined && { filename: name }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
  };
}

function toOldPart(item: Said): object {
  if ('text' in item) return { kind: 'text', ...item };
  if ('data' in item) return { kind: 'data', ...item };
  const { data, url, mimeType, name } = item.media;
  const file = {
    ...(data === undefined ? { uri: url } : { bytes: data }),
    ...(mimeType !== undefined && { mimeType }),
    ...(name !== undefined && { name }),
  };
  return { kind: 'file', file };
}

function toProtoPart(item: Said): object {
  if ('text' in item) return item;
  if ('data' in item) return { data: item };
  const { data, url, mimeType } = item.media;
  const file = {
    ...(data === undefined ? { fileWithUri: url } : { fileWithBytes: data }),
    ...(mimeType !== undefined && { mimeType }),
  };
  return { file };
}
