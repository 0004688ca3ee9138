/** Fills the request of a mapping. */
import { isRecord, parseJson } from '../../model/json.ts';
import type { Answer, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { denySharedIds } from '../core/deny-shared-ids.ts';
import { sentTextMessages } from '../shared/sent-history.ts';
import { pathSegment } from '../shared/request-urls.ts';
import { systemText } from '../shared/system-text.ts';
import { toText } from './read-path.ts';
import type { ProtocolMapping } from './schema.ts';

type Values = Readonly<Record<string, unknown>>;

export function mappedRequest({ id, request }: ProtocolMapping, turn: Turn, options: RequestOptions): WireRequest {
  const { url, headers = {}, model, ...others } = options;
  const stored = turn.messages.findLast(({ metadata }) => isRecord(metadata?.[id]))?.metadata?.[id];
  const values: Values = {
    text: turn.text,
    threadId: turn.threadId,
    messages: sentTextMessages(turn).map(({ role, content }) => ({ role, content })),
    system: systemText(others),
    model: model ?? '',
    ...(turn.answers.length > 0 && {
      answers: denySharedIds(turn.answers, (answer) => identityOf(answer, request.answer)).map((answer) =>
        filledAnswer(answer, request.answer),
      ),
    }),
    ...(isRecord(stored) && Object.fromEntries(Object.entries(stored).map(([name, value]) => [`kept.${name}`, value]))),
  };
  return {
    url: filledUrl(url, request, values),
    init: {
      method: request.method ?? 'POST',
      headers: { accept: 'text/event-stream, application/x-ndjson', ...request.headers, ...headers },
      ...(request.body && { body: fill(request.body, values) as Record<string, unknown> }),
    },
  };
}

/** One item of `{answers}`. */
function filledAnswer(answer: Answer, form: Values = DEFAULT_ANSWER): unknown {
  const { toolCallId, decision, extra, note } = answer;
  return fill(form, {
    id: extra?.['requestId'] ?? toolCallId,
    call: toolCallId,
    name: extra?.['toolName'],
    approved: decision === 'granted',
    note,
    arguments: typeof answer.arguments === 'string' ? parseJson(answer.arguments) : answer.arguments,
  });
}

/** What identifies an answer for the server: the ids that `request.answer` sends, as text. */
const identityOf = ({ blockId, actionType, toolCallId, extra }: Answer, form?: Values): string => {
  const ids = { blockId, actionType, decision: 'denied', extra: { requestId: extra?.['requestId'] } } as const;
  return JSON.stringify(filledAnswer(toolCallId === undefined ? ids : { ...ids, toolCallId }, form));
};
const DEFAULT_ANSWER: Values = { id: '{id}', approved: '{approved}', note: '{note}', arguments: '{arguments}' };

/** Whether the answer to an approval carries arguments, so that the user may change them. */
export const sendsArguments = ({ request }: ProtocolMapping): boolean =>
  JSON.stringify(request.answer ?? DEFAULT_ANSWER).includes('{arguments}');

/**
 * The endpoint with the path and the query of the mapping. Each value is one segment of the path.
 *
 * @throws ChatError for a value that could lead to a different kind of URL.
 */
function filledUrl(endpoint: string, { path, query = {} }: ProtocolMapping['request'], values: Values): string {
  if (path === undefined && Object.keys(query).length === 0) return endpoint;
  const url = new URL(endpoint);
  const added = path === undefined ? undefined : fillText(path, values, pathSegment);
  if (added) url.pathname = `${url.pathname.replace(/\/$/, '')}/${added.replace(/^\//, '')}`;
  for (const [name, template] of Object.entries(query)) {
    const value = fillText(template, values, String);
    if (value) url.searchParams.set(name, value);
  }
  return url.href;
}

/** Replaces the placeholders of a text; undefined when one of them has no value. */
function fillText(template: string, values: Values, encode: (value: string) => string): string | undefined {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  if (!names.every((name) => Object.hasOwn(values, name) && values[name] !== '')) return undefined;
  return template.replace(PLACEHOLDER, (_all, name: string) => encode(toText(values[name]) ?? ''));
}

const PLACEHOLDER = /\{([\w.]+)\}/g;
const ONLY_PLACEHOLDER = /^\{([\w.]+)\}$/;

/**
 * Replaces the placeholders in the body. Unknown placeholders are removed, or replaced by an empty string inside
 * other text.
 */
function fill(template: unknown, values: Values): unknown {
  if (typeof template === 'string') {
    const alone = ONLY_PLACEHOLDER.exec(template)?.[1];
    if (alone !== undefined) return Object.hasOwn(values, alone) ? values[alone] : undefined;
    return template.replace(PLACEHOLDER, (_all, name: string) =>
      Object.hasOwn(values, name) ? (toText(values[name]) ?? '') : '',
    );
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, values));
  if (!isRecord(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value, values)]));
}
