/**
 * Requests to an eve session: a message or the answers first, then the stream of the session's events. Source: `eve`
 * 0.80.1 (npm), the pages `channels/eve` and `concepts/sessions-runs-and-streaming` of its documentation.
 */
import { ChatError } from '../../errors.ts';
import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Answer, RequestOptions, Resumption, Turn, WireRequest } from '../core/adapter.ts';
import { withPageFields } from '../core/page-fields.ts';
import { isInline, mediaTypeOf, sentFiles, toDataUrl } from '../shared/files/sent-files.ts';
import { pathSegment, withQuery } from '../shared/request-urls.ts';
import { denySharedIds } from '../core/deny-shared-ids.ts';
import { isApproval, isDenial } from './option-words.ts';

type Json = Readonly<Record<string, unknown>>;

/** The position of the reply in the stream of its session. */
export interface EvePosition {
  readonly sessionId: string;
  /** The number of events before this reply. */
  readonly start: number;
  /** The id of the message that this reply answers. Events before it belong to earlier turns. */
  readonly deliveryId?: string | undefined;
}

type Options = RequestOptions & { readonly providerState?: EvePosition | undefined };

export async function eveRequest(turn: Turn, options: Options): Promise<WireRequest<EvePosition>> {
  // An earlier attempt may have sent the message already; it is not sent twice.
  const position = options.providerState ?? (await deliver(turn, options));
  return streamRequest(position, options);
}

export function eveCancel(turn: Turn, { url, headers = {} }: RequestOptions): WireRequest | undefined {
  const position = positionIn(currentReply(turn));
  if (!position) return undefined;
  return {
    url: sessionUrl(url, `/${pathSegment(position.sessionId)}/cancel`),
    init: { method: 'POST', headers, body: {} },
  };
}

/** The server stores the events of the session, so those of this reply are read again. */
export function eveResume(turn: Turn, options: RequestOptions): Resumption<EvePosition> | undefined {
  const position = positionIn(currentReply(turn));
  return position && { request: streamRequest(position, options), from: 'start' };
}

const currentReply = ({ messages }: Turn): readonly ChatMessage[] =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);

function streamRequest(position: EvePosition, { url, headers = {} }: RequestOptions): WireRequest<EvePosition> {
  const { sessionId, start } = position;
  const address = sessionUrl(url, `/${pathSegment(sessionId)}/stream`);
  return {
    url: withQuery(address, { startIndex: String(start) }),
    init: { method: 'GET', headers: { accept: 'application/x-ndjson', ...headers } },
    providerState: position,
  };
}

/** Sends the message or the answers, to the session of the conversation or to a new one. */
async function deliver(turn: Turn, options: RequestOptions): Promise<EvePosition> {
  const { url, headers = {}, body = {}, ask } = options;
  const responses = denySharedIds(turn.answers).flatMap(toResponse);
  const content = responses.length > 0 ? { inputResponses: responses } : { message: messageOf(turn) };
  const context = contextOf(options);
  const fields = withPageFields({ ...content, ...(context && { clientContext: context }) }, body);
  const init = { method: 'POST', headers, body: fields };
  const last = lastPosition(turn.messages);
  if (last) {
    const { sessionId, cursor } = last;
    try {
      const { json } = await ask({ url: sessionUrl(url, `/${pathSegment(sessionId)}`), init });
      const deliveryId = isRecord(json) ? json['deliveryId'] : undefined;
      // Answers continue a turn, whose events have the id of an earlier message.
      const isMessage = responses.length === 0 && typeof deliveryId === 'string';
      return { sessionId, start: cursor, ...(isMessage && { deliveryId }) };
    } catch (error) {
      if (responses.length > 0 || !isGone(error)) throw error;
    }
  }
  const { json } = await ask({ url: sessionUrl(url), init });
  const id = isRecord(json) ? json['sessionId'] : undefined;
  if (typeof id === 'string' && id !== '') return { sessionId: id, start: 0 };
  throw new ChatError('protocol', 'The eve server did not create a session.', { reason: 'unexpected' });
}

/** Whether the session has expired, or belongs to another version of the server. */
const isGone = (error: unknown): boolean =>
  error instanceof ChatError &&
  (error.status === 404 || error.code === 'session_not_active' || error.code === 'session_stranded');

function messageOf(turn: Turn): string | readonly Json[] {
  const files = sentFiles(turn);
  if (files.length === 0) return turn.text;
  return [
    ...(turn.text ? [{ type: 'text', text: turn.text }] : []),
    ...files.map((file) => ({
      type: 'file',
      mediaType: mediaTypeOf(file),
      ...(file.name && { filename: file.name }),
      data: isInline(file) ? toDataUrl(file) : (file.url ?? ''),
    })),
  ];
}

/** An approval is answered with the id of an option, a question with an option or text. */
function toResponse({ actionType, extra = {}, decision, payload, note }: Answer): readonly Json[] {
  const { requestId, approve, deny } = extra;
  if (typeof requestId !== 'string') return [];
  if (actionType === 'tool_call_permission') {
    const [option, isOption, word] =
      decision === 'granted' ? ([approve, isApproval, 'approve'] as const) : ([deny, isDenial, 'deny'] as const);
    // A stored option may not be the server's, so it is sent only if its name is the user's decision.
    return [{ requestId, optionId: typeof option === 'string' && isOption(option) ? option : word }];
  }
  const ids = typeof extra['optionIds'] === 'string' ? extra['optionIds'].split('\n') : [];
  const value = typeof payload === 'string' ? payload : (note ?? '');
  const shown = Array.isArray(extra['options']) ? (extra['options'] as unknown[]).filter(isRecord) : [];
  const labels = shown.flatMap(({ label, value: id }) => (id === value && typeof label === 'string' ? [label] : []));
  const isContradicted = labels.some((label) =>
    isApproval(value) ? isDenial(label) : isDenial(value) && isApproval(label),
  );
  return [
    ids.includes(value) && !isContradicted
      ? { requestId, optionId: value }
      : // The user has seen only the label.
        { requestId, text: labels[0] ?? value },
  ];
}

/** The page's `context` and `system`, which the agent receives with the message. */
function contextOf({ system, context }: RequestOptions): string | readonly string[] | Json | undefined {
  const contextValue = context === null ? undefined : context;
  if (!system)
    return contextValue === undefined || typeof contextValue === 'string' || isRecord(contextValue)
      ? contextValue
      : JSON.stringify(contextValue);
  if (contextValue === undefined) return system;
  return [system, typeof contextValue === 'string' ? contextValue : JSON.stringify(contextValue)];
}

interface StoredPosition extends EvePosition {
  /** The number of events that have been read. */
  readonly cursor: number;
}

function positionIn(messages: readonly ChatMessage[]): StoredPosition | undefined {
  const { metadata } = messages.findLast(({ metadata: stored }) => typeof stored?.['sessionId'] === 'string') ?? {};
  if (typeof metadata?.['sessionId'] !== 'string') return undefined;
  const { sessionId, firstEvent, nextEvent, deliveryId } = metadata;
  return {
    sessionId,
    start: toCount(firstEvent),
    cursor: toCount(nextEvent),
    ...(typeof deliveryId === 'string' && { deliveryId }),
  };
}
const toCount = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0;

const lastPosition = (messages: readonly ChatMessage[]): StoredPosition | undefined =>
  positionIn(messages.filter(({ role }) => role === 'assistant'));

/** Accepts the server's root, `/eve/v1` and the address of a session. Returns the address of the sessions, plus `path`. */
function sessionUrl(endpoint: string, path = ''): string {
  const url = new URL(endpoint);
  const endpointPath = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/^\/$/, '');
  const [, root = endpointPath] = /^(.*)\/eve\/v1(?:\/session(?:\/.*)?)?$/.exec(endpointPath) ?? [];
  const isOwn = root !== endpointPath || endpointPath === '';
  url.pathname = `${isOwn ? `${root}/eve/v1/session` : endpointPath}${path}`;
  return url.href;
}
