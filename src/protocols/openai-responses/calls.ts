/**
 * Output items of OpenAI's Responses API that are calls: functions that the page runs, and tools that run on the
 * server. Each becomes one tool call block. Source: `docs/protocols/openai-responses.md`.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { z } from '../../model/schema.ts';
import { lenient, lenientString } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';

/** The adapter's id, under which its rounds are stored. */
export const PROTOCOL = 'openai-responses';

type Data = Omit<LLMAgentEventData, 'eventId'>;

export const outputItem = z.looseObject({
  type: z.string(),
  id: lenientString,
  call_id: lenientString,
  name: lenientString,
  server_label: lenientString,
  status: lenientString,
  arguments: lenient(z.unknown()),
  input: lenientString,
  code: lenientString,
  /** An image as base64. */
  result: lenientString,
  output_format: lenientString,
});
export type OutputItem = z.infer<typeof outputItem>;

/** The arguments of an approval request, in the form in which the block of its question stores them. */
export const argumentsText = (args: unknown): string => (typeof args === 'string' ? args : JSON.stringify(args ?? {}));

/** Calls that the server does not answer itself. */
const CLIENT_CALLS = /^(?:function|custom_tool|local_shell|shell|apply_patch|computer)_call$/;
/** xAI reports its own tools as custom tools. */
const SERVER_TOOLS = /^(?:x_(?:\w+_search|thread_fetch)|web_search\w*|browse_page|view_(?:image|x_video))$/;

export const isClientCall = ({ type, name }: Pick<OutputItem, 'type' | 'name'>): boolean =>
  CLIENT_CALLS.test(type) && !(type === 'custom_tool_call' && SERVER_TOOLS.test(name ?? ''));

/** Code that the model wrote to call tools. Its result is a separate item. */
const isProgram = ({ type }: Pick<OutputItem, 'type'>): boolean => type === 'program';
export const isCall = (item: Pick<OutputItem, 'type'>): boolean => item.type.endsWith('_call') || isProgram(item);

interface CallBlock {
  readonly id: string;
  readonly remote: boolean;
  /** Its place among all calls. */
  readonly order: number;
  ended: boolean;
}

/** The tool call blocks of one response, by the position of their items. */
export class CallBlocks {
  readonly #newId: () => string;
  readonly #blocks = new Map<string, CallBlock>();
  /** The positions of the calls by their ids, and the first that may be open: one event may have thousands of calls. */
  readonly #positions = new Map<string, { readonly all: string[]; first: number }>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Whether a call waits for a result from the page. */
  get isWaiting(): boolean {
    return [...this.#blocks.values()].some(({ remote, ended }) => !remote && !ended);
  }

  added(position: string, item: OutputItem): readonly Data[] {
    // A client call is identified only by its `call_id`.
    return isClientCall(item) && !item.call_id ? [] : this.#open(position, item).events;
  }

  /** Adds a chunk of the arguments, or sets all of them. */
  setParams(position: string, text: string, isComplete: boolean): readonly Data[] {
    const block = this.#blocks.get(position);
    if (!block || block.ended || !text) return [];
    const fields = isComplete ? { tool_call_params_complete: text } : { tool_call_params: text };
    return [{ tool_call: 'update', tool_call_id: block.id, ...fields }];
  }

  /** Emits a preview of an image that is being generated. */
  preview(position: string, data: string, format: string | null | undefined): readonly Data[] {
    const block = this.#blocks.get(position);
    return block && !block.ended ? [toImageEvent(block.id, data, format)] : [];
  }

  done(position: string, item: OutputItem): readonly Data[] {
    const { block, events } = this.#open(position, item);
    if (block.ended) return [];
    return [
      ...events,
      ...this.setParams(position, paramsOf(item), true),
      ...(block.remote && !isProgram(item) ? endCall(block, item) : []),
    ];
  }

  /** Ends a call that the server answered itself with another item. */
  endAnswered(item: OutputItem): readonly Data[] {
    const block = this.#blocks.get(this.#openPosition(item.call_id) ?? '');
    return block ? endCall(block, item) : [];
  }

  /** Returns the position of a call that is not complete yet. */
  openPositionOf(item: OutputItem): string | undefined {
    const [first, second] = [this.#openPosition(item.call_id), this.#openPosition(item.id)];
    return this.#orderOf(first) <= this.#orderOf(second) ? first : second;
  }

  #orderOf(position: string | undefined): number {
    return (position === undefined ? undefined : this.#blocks.get(position)?.order) ?? Infinity;
  }

  /** The position of the first call with this id that has not ended. */
  #openPosition(id: string | null | undefined): string | undefined {
    const positions = this.#positions.get(id ?? '');
    if (!positions) return undefined;
    while (this.#blocks.get(positions.all[positions.first] ?? '')?.ended) positions.first++;
    return positions.all[positions.first];
  }

  #open(position: string, item: OutputItem): { readonly block: CallBlock; readonly events: readonly Data[] } {
    const existing = this.#blocks.get(position);
    if (existing) return { block: existing, events: [] };
    const remote = !isClientCall(item);
    const id = (remote && !isProgram(item) ? item.id : item.call_id) ?? item.call_id ?? item.id ?? this.#newId();
    const block: CallBlock = { id, remote, order: this.#blocks.size, ended: false };
    this.#blocks.set(position, block);
    const positions = this.#positions.get(id);
    if (positions) positions.all.push(position);
    else this.#positions.set(id, { all: [position], first: 0 });
    const call = {
      tool_call: 'start',
      tool_call_id: id,
      tool_call_name: nameOf(item),
      ...(remote && { tool_call_remote: true }),
      ...(item.server_label && { tool_call_server_name: item.server_label }),
    } as const;
    return { block, events: [call] };
  }
}

function endCall(block: CallBlock, item: OutputItem): readonly Data[] {
  block.ended = true;
  const { text, error, media } = toResult(item, block.id);
  const failed = error !== undefined || item.status === 'failed';
  const response = error ?? text;
  return [
    {
      tool_call: failed ? 'error' : 'end',
      tool_call_id: block.id,
      ...(response && { tool_call_response: response }),
      ...(error && { tool_call_error: { message: error } }),
    },
    ...media,
  ];
}

const nameOf = ({ type, name }: OutputItem): string => name || type.replace(/_call$/, '');

/** The arguments as text. Each server tool has its own field name for them. */
function paramsOf({ arguments: params, input, code, action, ...item }: OutputItem): string {
  // The pages found by a search are not arguments.
  const actionParams = isRecord(action) ? { ...action, sources: undefined } : action;
  return jsonOf(params ?? input ?? code ?? actionParams ?? item['actions'] ?? item['operation'] ?? item['queries']);
}

/** Returns the result of a call from the field that its tool uses. */
function toResult({ error, action, result, ...item }: OutputItem, blockId: string) {
  const isText = item.type === 'program_output';
  const errorMessage = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : jsonOf(error);
  const sources = isRecord(action) ? action['sources'] : undefined;
  const outputs = Array.isArray(item['outputs']) ? (item['outputs'] as unknown[]).filter(isRecord) : [];
  const logs = outputs.flatMap(({ logs: text }) => (typeof text === 'string' ? [text] : []));
  const images = outputs.flatMap(({ url }) =>
    typeof url === 'string' ? [{ media: { kind: 'image', url } } as const] : [],
  );
  return {
    error: errorMessage || undefined,
    text: jsonOf((isText ? result : undefined) ?? item['output'] ?? item['results'] ?? sources) || logs.join('\n'),
    media: [...(result && !isText ? [toImageEvent(blockId, result, item.output_format)] : []), ...images],
  };
}

/** An image; a better version with the same id replaces it. */
const toImageEvent = (id: string, data: string, format: string | null | undefined): Data => ({
  data_id: id,
  media: { kind: 'image', data, mimeType: `image/${format || 'png'}` },
});

/** Strings unchanged, other values as JSON, null and undefined as an empty string. */
const jsonOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
