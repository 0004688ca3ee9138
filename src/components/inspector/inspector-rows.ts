/** The rows of the inspector's three lists (the frames, events and blocks of a turn), and which rows are related. */
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { EventEntry, FrameEntry, TracedTurn, WarningEntry, WireEntry } from '../../runtime/trace/trace-log.ts';

export const INSPECTOR_LISTS = ['frames', 'events', 'blocks'] as const;
export type InspectorListName = (typeof INSPECTOR_LISTS)[number];

export interface InspectorRow {
  /** Unique in its list. */
  readonly key: unknown;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly name: string;
  /** The content in one line. */
  readonly preview: string;
  /** The colour: `bad` for errors, `work` for reasoning, tool calls and unfinished blocks, `quiet` for secondary rows. */
  readonly tone: '' | 'bad' | 'work' | 'quiet';
  /** The complete original value. The search and the copy button use it. */
  readonly value: object;
  /** The complete value in its most readable form, for example with parsed JSON. */
  readonly shown: unknown;
}

/** The keys of the selected row and of its related rows: those from which it was derived, and those derived from it. */
export type RelatedRows = Readonly<Record<InspectorListName, ReadonlySet<unknown>>>;

/** Returns the rows of a list. */
export function inspectorRows(turn: TracedTurn, list: InspectorListName): readonly InspectorRow[] {
  if (list === 'frames') return turn.wire.map((entry) => wireRow(entry, turn));
  if (list === 'events') return turn.events.map((entry) => cachedRow(entry, () => eventRow(entry)));
  return turn.messages.flatMap(({ blocks }) =>
    blocks.map((block) => cachedRow(block, () => blockRow(turn.mask(block), block))),
  );
}

/** Finds the rows that are related to a selected row. Every relation goes through the events. */
export function relatedRows(turn: TracedTurn, list: InspectorListName, key: unknown): RelatedRows {
  const isRelated = (entry: EventEntry): boolean => {
    if (list === 'events') return entry === key;
    if (list === 'blocks') return entry.blocks.some((id) => id === key);
    return entry.number !== undefined && turn.frames.get(entry.number) === key;
  };
  const events = turn.events.filter(isRelated);
  const related = {
    frames: new Set<unknown>(events.map(({ number = 0 }) => turn.frames.get(number))),
    events: new Set<unknown>(events),
    blocks: new Set<unknown>(events.flatMap(({ blocks }) => blocks)),
  };
  related.frames.delete(undefined);
  related[list] = new Set([key]);
  return related;
}

/** The searchable text of a row, in lower case. */
export const searchableText = ({ name, value }: InspectorRow): string =>
  `${name} ${JSON.stringify(value)}`.toLowerCase();

const PREVIEW_LENGTH = 160;
const truncatedText = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, PREVIEW_LENGTH);

/** The rows by their entry, warning or block. These objects are immutable: a changed block is a new object. */
const rowCache = new WeakMap<object, InspectorRow>();
function cachedRow(entry: object, createRow: () => InspectorRow): InspectorRow {
  const row = rowCache.get(entry) ?? createRow();
  rowCache.set(entry, row);
  return row;
}

function wireRow(entry: WireEntry, { warnings }: TracedTurn): InspectorRow {
  if (entry.kind === 'frame') {
    const warning = warnings.get(entry.number);
    // A warning may follow after the frame's row was cached, so it has a cached row of its own.
    return cachedRow(warning ?? entry, () => frameRow(entry, warning));
  }
  return cachedRow(entry, () => {
    const { kind, time, turn: _turn, ...value } = entry;
    const row = { key: entry, time, value: { kind, ...value }, shown: { kind, ...value }, tone: 'quiet' } as const;
    switch (entry.kind) {
      case 'request':
        return { ...row, name: entry.method, preview: entry.url, shown: withBody(entry) };
      case 'response': {
        const tone = entry.status >= 400 ? 'bad' : 'quiet';
        return { ...row, name: String(entry.status), preview: entry.contentType, tone };
      }
      case 'broken':
        return { ...row, name: kind, preview: '', tone: 'bad' };
    }
  });
}

/** The fields of a request that are shown, with the body as parsed JSON where possible. */
const withBody = ({ method, url, body }: Extract<WireEntry, { kind: 'request' }>): object => ({
  method,
  url,
  ...(body !== undefined && { body: parseJson(body) ?? body }),
});

function frameRow(entry: FrameEntry, warning: WarningEntry | undefined): InspectorRow {
  const { event, id, data } = entry.frame;
  const json = parseJson(data);
  const type = isRecord(json) ? (json['type'] ?? json['event'] ?? json['object']) : undefined;
  const name = event ?? (typeof type === 'string' ? type : '');
  return {
    key: entry,
    time: entry.time,
    name: [name, warning?.warning].filter(Boolean).join(' · '),
    preview: truncatedText(data),
    tone: warning ? (warning.warning === 'unknown' ? 'quiet' : 'bad') : '',
    value: entry.frame,
    shown: {
      ...(event !== undefined && { event }),
      ...(id !== undefined && { id }),
      ...(warning && { [warning.warning]: warning.detail }),
      data: json ?? data,
    },
  };
}

function eventRow(entry: EventEntry): InspectorRow {
  const { event } = entry;
  return { key: entry, time: entry.time, ...summaryOf(event), value: event, shown: event };
}

function summaryOf(event: LLMAgentEvent): Pick<InspectorRow, 'name' | 'preview' | 'tone'> {
  if (event.type === 'error') return { name: event.type, preview: truncatedText(event.data.error), tone: 'bad' };
  if (event.type === 'end') return { name: event.type, preview: '', tone: '' };
  const { eventId: _id, ...fields } = event.data;
  const { tool_call, tool_call_name } = fields;
  const failed = tool_call === 'error' || fields.error !== undefined;
  if (tool_call !== undefined) {
    const content = tool_call_name ?? fields.tool_call_params ?? fields.tool_call_id ?? '';
    return { name: `tool_call ${tool_call}`, preview: truncatedText(content), tone: failed ? 'bad' : 'work' };
  }
  const names = Object.keys(fields);
  const [value] = names.length === 1 ? Object.values(fields) : [fields];
  const isWork = fields.reasoning_content !== undefined || fields.phase !== undefined;
  return { name: names.join(', '), preview: truncatedText(value), tone: failed ? 'bad' : isWork ? 'work' : '' };
}

/**
 * @param masked - the block with masked secrets, which is displayed
 * @param original - the same block of the message: its id must match that of the events
 */
function blockRow(masked: AssistantMessageBlock, { id, timestamp, status }: AssistantMessageBlock): InspectorRow {
  const { id: _id, type, status: _status, timestamp: _time, ...rest } = masked;
  const content = 'content' in masked && masked.content ? masked.content : rest;
  return {
    key: id,
    time: timestamp,
    name: `${type} · ${status}`,
    preview: truncatedText(content),
    tone: status === 'error' ? 'bad' : status === 'loading' ? 'work' : '',
    value: masked,
    shown: masked,
  };
}
