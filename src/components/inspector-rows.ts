/** What the lists of the inspector show: a row for each frame, event and block of a turn, and which of them belong together. */
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { AssistantMessageBlock } from '../model/blocks.ts';
import { isRecord, parseJson } from '../model/json.ts';
import type { EventEntry, FrameEntry, TracedTurn, WarningEntry, WireEntry } from '../runtime/trace-log.ts';

export const LISTS = ['frames', 'events', 'blocks'] as const;
export type ListName = (typeof LISTS)[number];

export interface Row {
  /** Unlike that of any other row of its list. */
  readonly key: unknown;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly name: string;
  /** What is in it, in one line. */
  readonly preview: string;
  readonly tone: '' | 'bad' | 'work' | 'quiet';
  /** All of it, as it came. */
  readonly value: object;
  /** All of it, as it is read best. */
  readonly shown: unknown;
}

/** A row with those that it came of, and those that came of it, by their keys. */
export type Related = Readonly<Record<ListName, ReadonlySet<unknown>>>;

export function rowsOf(turn: TracedTurn, list: ListName): readonly Row[] {
  if (list === 'frames') return turn.wire.map((entry) => wireRow(entry, turn));
  if (list === 'events') return turn.events.map((entry) => once(entry, () => eventRow(entry)));
  return turn.messages.flatMap(({ blocks }) =>
    blocks.map((block) => once(block, () => blockRow(block, turn.mask(block)))),
  );
}

export function relatedTo(turn: TracedTurn, list: ListName, key: unknown): Related {
  const belongs = (entry: EventEntry): boolean => {
    if (list === 'events') return entry === key;
    if (list === 'blocks') return entry.blocks.some((id) => id === key);
    return entry.number !== undefined && turn.frames.get(entry.number) === key;
  };
  const events = turn.events.filter(belongs);
  const related = {
    frames: new Set<unknown>(events.map(({ number = 0 }) => turn.frames.get(number))),
    events: new Set<unknown>(events),
    blocks: new Set<unknown>(events.flatMap(({ blocks }) => blocks)),
  };
  related.frames.delete(undefined);
  related[list] = new Set([key]);
  return related;
}

/** A row with everything that can be looked for in it. */
export const wordsOf = ({ name, value }: Row): string => `${name} ${JSON.stringify(value)}`.toLowerCase();

const PREVIEW_LENGTH = 160;
const inShort = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, PREVIEW_LENGTH);

/** Rows are made once: an entry does not change, and a block that does is another object. */
const made = new WeakMap<object, Row>();
function once(entry: object, make: () => Row): Row {
  const row = made.get(entry) ?? make();
  made.set(entry, row);
  return row;
}

function wireRow(entry: WireEntry, { warnings }: TracedTurn): Row {
  if (entry.kind === 'frame') {
    const warning = warnings.get(entry.number);
    return once(warning ?? entry, () => frameRow(entry, warning));
  }
  return once(entry, () => {
    const { kind, time, turn: _turn, ...value } = entry;
    const row = { key: entry, time, value: { kind, ...value }, shown: { kind, ...value }, tone: 'quiet' } as const;
    switch (entry.kind) {
      case 'request':
        return { ...row, name: entry.method, preview: entry.url, shown: withBody(entry) };
      case 'answer': {
        const tone = entry.status >= 400 ? 'bad' : 'quiet';
        return { ...row, name: String(entry.status), preview: entry.contentType, tone };
      }
      case 'broken':
        return { ...row, name: kind, preview: '', tone: 'bad' };
    }
  });
}

const withBody = ({ method, url, body }: Extract<WireEntry, { kind: 'request' }>): object => ({
  method,
  url,
  ...(body !== undefined && { body: parseJson(body) ?? body }),
});

function frameRow(entry: FrameEntry, warning: WarningEntry | undefined): Row {
  const { event, id, data } = entry.frame;
  const json = parseJson(data);
  const type = isRecord(json) ? (json['type'] ?? json['event'] ?? json['object']) : undefined;
  const name = event ?? (typeof type === 'string' ? type : '');
  return {
    key: entry,
    time: entry.time,
    name: [name, warning?.warning].filter(Boolean).join(' · '),
    preview: inShort(data),
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

function eventRow(entry: EventEntry): Row {
  const { event } = entry;
  return { key: entry, time: entry.time, ...summaryOf(event), value: event, shown: event };
}

function summaryOf(event: LLMAgentEvent): Pick<Row, 'name' | 'preview' | 'tone'> {
  if (event.type === 'error') return { name: event.type, preview: inShort(event.data.error), tone: 'bad' };
  if (event.type === 'end') return { name: event.type, preview: '', tone: '' };
  const { eventId: _id, ...fields } = event.data;
  const { tool_call, tool_call_name } = fields;
  const failed = tool_call === 'error' || fields.error !== undefined;
  if (tool_call !== undefined) {
    const said = tool_call_name ?? fields.tool_call_params ?? fields.tool_call_id ?? '';
    return { name: `tool_call ${tool_call}`, preview: inShort(said), tone: failed ? 'bad' : 'work' };
  }
  const names = Object.keys(fields);
  const [value] = names.length === 1 ? Object.values(fields) : [fields];
  const works = fields.reasoning_content !== undefined || fields.phase !== undefined;
  return { name: names.join(', '), preview: inShort(value), tone: failed ? 'bad' : works ? 'work' : '' };
}

function blockRow({ id, timestamp, status }: AssistantMessageBlock, block: AssistantMessageBlock): Row {
  const { id: _id, type, status: _status, timestamp: _time, ...rest } = block;
  const said = 'content' in block && block.content ? block.content : rest;
  return {
    key: id,
    time: timestamp,
    name: `${type} · ${status}`,
    preview: inShort(said),
    tone: status === 'error' ? 'bad' : status === 'loading' ? 'work' : '',
    value: block,
    shown: block,
  };
}
