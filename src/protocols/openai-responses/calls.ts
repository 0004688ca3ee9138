/**
 * The output items of OpenAI's Responses API that are calls: functions of the page, and the many tools that run on the server.
 * Each is one card. Source: `openai-responses.md`, "Events -> UI" and "Next turn".
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { maybe, maybeText } from '../shared/maybe.ts';
import { isRecord } from '../../model/json.ts';

/** The adapter's id, under which its rounds are kept. */
export const PROTOCOL = 'openai-responses';

type Data = Omit<LLMAgentEventData, 'eventId'>;

export const outputItem = z.looseObject({
  type: z.string(),
  id: maybeText,
  call_id: maybeText,
  name: maybeText,
  server_label: maybeText,
  status: maybeText,
  arguments: maybe(z.unknown()),
  input: maybeText,
  code: maybeText,
  /** Base64 of a picture. */
  result: maybeText,
  output_format: maybeText,
});
export type OutputItem = z.infer<typeof outputItem>;

/** Calls that somebody else than the server answers. */
const CLIENT_CALLS = /^(?:function|custom_tool|local_shell|shell|apply_patch|computer)_call$/;
/** xAI tells of its own tools as of custom ones. */
const SERVER_TOOLS = /^(?:x_(?:\w+_search|thread_fetch)|web_search\w*|browse_page|view_(?:image|x_video))$/;

export const isClientCall = ({ type, name }: Pick<OutputItem, 'type' | 'name'>): boolean =>
  CLIENT_CALLS.test(type) && !(type === 'custom_tool_call' && SERVER_TOOLS.test(name ?? ''));

interface Card {
  readonly id: string;
  readonly remote: boolean;
  ended: boolean;
}

/** The cards of one response, by the place of their items. */
export function gatherCards(newId: () => string) {
  const cards = new Map<string, Card>();

  const open = (place: string, item: OutputItem): { readonly card: Card; readonly events: readonly Data[] } => {
    const known = cards.get(place);
    if (known) return { card: known, events: [] };
    const remote = !isClientCall(item);
    const id = (remote ? item.id : item.call_id) ?? item.call_id ?? item.id ?? newId();
    const card: Card = { id, remote, ended: false };
    cards.set(place, card);
    return {
      card,
      events: [
        {
          tool_call: 'start',
          tool_call_id: id,
          tool_call_name: nameOf(item),
          ...(remote && { tool_call_remote: true }),
          ...(item.server_label && { tool_call_server_name: item.server_label }),
        },
      ],
    };
  };
  const end = (card: Card, item: OutputItem): readonly Data[] => {
    card.ended = true;
    const { text, problem, media } = answerOf(item, card.id);
    const failed = problem !== undefined || item.status === 'failed';
    const response = problem ?? text;
    return [
      {
        tool_call: failed ? 'error' : 'end',
        tool_call_id: card.id,
        ...(response && { tool_call_response: response }),
        ...(problem && { tool_call_error: { message: problem } }),
      },
      ...media,
    ];
  };

  /** A piece of the arguments, or all of them. */
  const params = (place: string, text: string, all: boolean): readonly Data[] => {
    const card = cards.get(place);
    if (!card || card.ended || !text) return [];
    const said = all ? { tool_call_params_complete: text } : { tool_call_params: text };
    return [{ tool_call: 'update', tool_call_id: card.id, ...said }];
  };

  return {
    added(place: string, item: OutputItem): readonly Data[] {
      // A call of ours is known by its `call_id` alone.
      return isClientCall(item) && !item.call_id ? [] : open(place, item).events;
    },
    params,
    /** A picture that is not finished. */
    preview(place: string, data: string, format: string | null | undefined): readonly Data[] {
      const card = cards.get(place);
      return card && !card.ended ? [pictureOf(card.id, data, format)] : [];
    },
    done(place: string, item: OutputItem): readonly Data[] {
      const { card, events } = open(place, item);
      if (card.ended) return [];
      return [...events, ...params(place, paramsOf(item), true), ...(card.remote ? end(card, item) : [])];
    },
    /** The server has answered a call itself, with an item of its own. */
    answered(item: OutputItem): readonly Data[] {
      const card = [...cards.values()].find(({ id, ended }) => id === item.call_id && !ended);
      return card ? end(card, item) : [];
    },
    /** The place of a call that is not whole yet. */
    placeOf: (item: OutputItem): string | undefined =>
      [...cards].find(([, { id, ended }]) => !ended && (id === item.call_id || id === item.id))?.[0],
    /** Whether somebody else than the server has to answer. */
    waits: () => [...cards.values()].some(({ remote, ended }) => !remote && !ended),
  };
}

const nameOf = ({ type, name }: OutputItem): string => name || type.replace(/_call$/, '');

/** The arguments as text: each of the server's own tools has a field of another name for them. */
function paramsOf({ arguments: params, input, code, action, ...item }: OutputItem): string {
  // The pages that a search has found are no argument.
  const doing = isRecord(action) ? { ...action, sources: undefined } : action;
  return jsonOf(params ?? input ?? code ?? doing ?? item['actions'] ?? item['operation'] ?? item['queries']);
}

/** What came of a call, in whichever field its tool has for it. */
function answerOf({ error, action, result, ...item }: OutputItem, cardId: string) {
  const named = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : jsonOf(error);
  const found = isRecord(action) ? action['sources'] : undefined;
  const outputs = Array.isArray(item['outputs']) ? (item['outputs'] as unknown[]).filter(isRecord) : [];
  const logs = outputs.flatMap(({ logs: text }) => (typeof text === 'string' ? [text] : []));
  const pictures = outputs.flatMap(({ url }) =>
    typeof url === 'string' ? [{ media: { kind: 'image', url } } as const] : [],
  );
  return {
    problem: named || undefined,
    text: jsonOf(item['output'] ?? item['results'] ?? found) || logs.join('\n'),
    media: [...(result ? [pictureOf(cardId, result, item.output_format)] : []), ...pictures],
  };
}

/** A picture, or a better one in its place. */
const pictureOf = (id: string, data: string, format: string | null | undefined): Data => ({
  data_id: id,
  media: { kind: 'image', data, mimeType: `image/${format || 'png'}` },
});

/** Text as it is, anything else as JSON; what says nothing is empty. */
const jsonOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
