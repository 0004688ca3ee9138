/** Builds the A2A message of a turn. Source: `docs/protocols/a2a.md`; A2A specification, "Message". */
import type { Media } from '../../model/blocks.ts';
import type { A2aAgent } from './card.ts';
import type { Answer, RequestOptions, Turn } from '../core/adapter.ts';
import { sentFiles } from '../shared/files/sent-files.ts';
import { surfaceActionOf, surfacesIn, toActionMessage, type SurfaceAction } from '../shared/a2ui-messages.ts';
import { newestMetadata } from '../shared/last-metadata.ts';

type MessageItem =
  | { readonly text: string }
  | { readonly media: Media }
  | { readonly data: unknown; readonly metadata?: object };

export function toA2aMessage(
  turn: Turn,
  { context }: Pick<RequestOptions, 'context'>,
  { version, binding, a2ui }: A2aAgent,
) {
  const { text, messages, answers } = turn;
  const userMessage = messages.findLast(({ role }) => role === 'user');
  const contextId = newestMetadata(messages, 'contextId');
  const taskId = answers.length > 0 ? newestMetadata(messages, 'taskId') : pendingTask(turn);
  const isLegacy = version === '0.3';
  const surfaceAction = text ? surfaceActionOf(messages) : undefined;
  const items: readonly MessageItem[] = [
    ...(surfaceAction ? [actionItem(surfaceAction, isLegacy)] : text ? [{ text }] : []),
    ...sentFiles(turn).map((media) => ({ media })),
    ...answers.map(answerItem),
  ];
  const metadata = {
    ...(context !== undefined && context !== null && { context }),
    ...(surfaceAction?.dataModel && { a2uiClientDataModel: surfaceAction.dataModel }),
    ...(a2ui !== undefined && { a2uiClientCapabilities: capabilitiesOf(a2ui) }),
  };
  const [toWirePart, name] =
    isLegacy && binding === 'http'
      ? ([toProtoPart, 'content'] as const)
      : ([isLegacy ? toOldPart : toPart, 'parts'] as const);
  return {
    ...(isLegacy && binding === 'rpc' && { kind: 'message' }),
    // The id is stable: a message that is sent twice stays the same message. "Try again" asks for another reply: an agent may
    // ignore a message that it knows.
    messageId: [
      userMessage?.id ?? 'message',
      ...(turn.fork?.by === 'regenerate' && turn.fork.reply ? [turn.fork.reply.id] : []),
      ...answers.map(({ blockId }) => blockId),
    ].join('.'),
    role: isLegacy && binding === 'rpc' ? 'user' : 'ROLE_USER',
    ...(contextId !== undefined && { contextId }),
    ...(taskId !== undefined && { taskId }),
    [name]: items.map(toWirePart),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** The press of a button on a surface, as a data part: one message in A2A 0.3, a list of messages in 1.0. */
function actionItem(surfaceAction: SurfaceAction, isLegacy: boolean): MessageItem {
  const message = toActionMessage(surfaceAction);
  const mimeType = /^v0\.[89]$/.test(surfaceAction.version) ? 'application/json+a2ui' : 'application/a2ui+json';
  return { data: isLegacy ? message : [message], metadata: { mimeType } };
}

/** The catalogs of components that the widget renders. Source: A2UI, `client_capabilities.json`. */
function capabilitiesOf(extension: string): object {
  const version = /v(\d+)\.(\d+)/.exec(extension)?.slice(1) ?? ['0', '8'];
  const path = `v${version.join('_')}`;
  if (path === 'v0_8') {
    const standard = 'https://a2ui.org/specification/v0_8/standard_catalog_definition.json';
    return { supportedCatalogIds: [standard] };
  }
  const ids = ['basic', 'minimal'].map(
    (name) => `https://a2ui.org/specification/${path}/catalogs/${name}/catalog.json`,
  );
  return { [`v${version.join('.')}`]: { supportedCatalogIds: ids } };
}

/**
 * Returns the id of the task that the new message continues: one that waits for the user. The press of a button on the surface
 * of an earlier task does not continue it. Any other task has ended, and the message starts a new one. Other groups of states
 * are in `reply.ts` and `a2a.ts`.
 */
function pendingTask({ messages }: Turn): string | undefined {
  const pressed = surfaceActionOf(messages)?.action.surfaceId;
  const last = messages.findLast(({ role, metadata }) => role === 'assistant' && metadata?.['taskState'] !== undefined);
  const isWaiting =
    last?.metadata?.['taskState'] === 'input-required' || last?.metadata?.['taskState'] === 'auth-required';
  if (!isWaiting) return undefined;
  const taskId = newestMetadata([last], 'taskId');
  const shown = messages.filter((message) => pressed !== undefined && surfacesIn(message).has(pressed));
  return shown.length === 0 || shown.some(({ metadata }) => metadata?.['taskId'] === taskId) ? taskId : undefined;
}

/** A2A has no approval type, so the answer is sent as text. */
function answerItem({ payload, note, decision }: Answer): MessageItem {
  const plain = { granted: 'yes', answered: '', denied: 'no', dismissed: 'no' }[decision];
  if (payload === undefined) return { text: [plain, note].filter(Boolean).join(': ') };
  return typeof payload === 'string' ? { text: payload } : { data: payload };
}

function toPart(item: MessageItem): object {
  if (!('media' in item)) return item;
  const { data, url, mimeType, name } = item.media;
  return {
    ...(data === undefined ? { url } : { raw: data }),
    ...(name !== undefined && { filename: name }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
  };
}

function toOldPart(item: MessageItem): object {
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

/** A part in A2A 0.3 over HTTP, which has the field names of the protocol's Protobuf definition. */
function toProtoPart(item: MessageItem): object {
  if ('text' in item) return item;
  if ('data' in item) return { data: { data: item.data }, ...(item.metadata && { metadata: item.metadata }) };
  const { data, url, mimeType } = item.media;
  const file = {
    ...(data === undefined ? { fileWithUri: url } : { fileWithBytes: data }),
    ...(mimeType !== undefined && { mimeType }),
  };
  return { file };
}
