/** One content block while it grows: what is told of it, and what goes back of it. Source: `anthropic.md`, "Events -> UI". */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { Citation } from '../../model/blocks.ts';
import { createStreamEvent } from '../../model/core-events.ts';
import type { Item } from './messages.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { AdapterEvent } from '../adapter.ts';

export interface Part {
  readonly type: string;
  /** What is told when it begins. */
  readonly begin: readonly AdapterEvent[];
  add(delta: Item): readonly AdapterEvent[];
  /** What is told when it is whole; nothing the second time. */
  close(): readonly AdapterEvent[];
  /** As it goes back; undefined for one that is not whole, or can't be read. */
  item(): Item | undefined;
  /** The id of a call that can't be run: its arguments are not JSON. */
  brokenCall(): string | undefined;
}

export type Respond = (data: Omit<LLMAgentEventData, 'eventId'>) => AdapterEvent;

export function openPart(block: Item, respond: Respond): Part {
  if (block.type === 'text') return textPart(block, respond);
  if (block.type === 'thinking') return thoughtPart(block);
  return block.type.endsWith('tool_use') ? callPart(block, respond) : wholePart(block, respond);
}

/** What all parts share: `close` once, and an item only then. */
function part(
  { type }: Item,
  {
    begin = [],
    add = () => [],
    close = () => [],
    item,
    brokenCall = () => undefined,
  }: Partial<Part> & Pick<Part, 'item'>,
): Part {
  let closed = false;
  return {
    type,
    begin,
    add,
    close() {
      if (closed) return [];
      closed = true;
      return close();
    },
    item: () => (closed ? item() : undefined),
    brokenCall,
  };
}

function textPart(block: Item, respond: Respond): Part {
  let text = textOf(block['text']);
  const citations: unknown[] = Array.isArray(block['citations']) ? [...(block['citations'] as unknown[])] : [];
  return part(block, {
    begin: text ? [createStreamEvent.text(text)] : [],
    add({ type, text: piece, citation }) {
      if (type === 'citations_delta') citations.push(citation);
      if (type !== 'text_delta' || !textOf(piece)) return [];
      text += textOf(piece);
      return [createStreamEvent.text(textOf(piece))];
    },
    // Some come before the words, and all of them belong to all of it: their marks stand behind it.
    close: () => citations.flatMap(toCitation).map((citation) => respond({ citation: { ...citation, anchor: 'end' } })),
    item: () => ({ ...block, text, ...(citations.length > 0 && { citations }) }),
  });
}

function thoughtPart(block: Item): Part {
  let thinking = textOf(block['thinking']);
  let { signature } = block;
  return part(block, {
    begin: thinking ? [createStreamEvent.reasoning(thinking)] : [],
    add(delta) {
      if (delta.type === 'signature_delta') ({ signature } = delta);
      if (delta.type !== 'thinking_delta' || !textOf(delta['thinking'])) return [];
      thinking += textOf(delta['thinking']);
      return [createStreamEvent.reasoning(textOf(delta['thinking']))];
    },
    item: () => ({ ...block, thinking, ...(signature !== undefined && { signature }) }),
  });
}

/** A call of the page's tools (`tool_use`), or of one that runs on the server. */
function callPart(block: Item, respond: Respond): Part {
  const ours = block.type === 'tool_use';
  const [id, name] = [textOf(block['id']), textOf(block['name'])];
  const server = textOf(block['server_name']);
  let json = '';
  const input = (): unknown => (json.trim() ? parseJson(json) : (block['input'] ?? {}));
  const call = { tool_call_id: id, tool_call_name: name };
  return part(block, {
    begin: ours
      ? [createStreamEvent.toolCallStart(id, name)]
      : [
          respond({
            ...call,
            tool_call: 'start',
            tool_call_remote: true,
            ...(server && { tool_call_server_name: server }),
          }),
        ],
    add({ type, partial_json: piece }) {
      if (type !== 'input_json_delta' || !textOf(piece)) return [];
      json += textOf(piece);
      return [createStreamEvent.toolCallChunk(id, textOf(piece))];
    },
    close() {
      // All of it may have come at once; pieces, where there are any, win.
      const given = json.trim() === '' ? JSON.stringify(input()) : '{}';
      return [createStreamEvent.toolCallEnd(id, given === '{}' ? undefined : given)];
    },
    item: () => (isRecord(input()) ? { ...block, input: input() } : undefined),
    brokenCall: () => (ours && !isRecord(input()) ? id : undefined),
  });
}

/** What comes in one piece. What we don't know shows nothing and goes back all the same. */
function wholePart(block: Item, respond: Respond): Part {
  let { content } = block;
  return part(block, {
    begin: shown(block).map(respond),
    add(delta) {
      if (delta.type === 'compaction_delta') ({ content } = delta);
      return [];
    },
    item: () => ({ ...block, ...(content !== undefined && { content }) }),
  });
}

function shown(block: Item): readonly Omit<LLMAgentEventData, 'eventId'>[] {
  if (block.type.endsWith('tool_result')) return shownResult(block);
  switch (block.type) {
    case 'redacted_thinking':
      return [{ reasoning_hidden: true }];
    case 'container_upload':
      return [{ media: { kind: 'file', name: textOf(block['file_id']) } }];
    case 'fallback': {
      const [from, to] = [block['from'], block['to']].map((side) => (isRecord(side) ? textOf(side['model']) : ''));
      return to
        ? [{ phase: { name: 'fallback', message: from ? `${from} → ${to}` : to }, metadata: { model: to } }]
        : [];
    }
    default:
      return [];
  }
}

function shownResult({ tool_use_id, is_error, content }: Item): readonly Omit<LLMAgentEventData, 'eventId'>[] {
  const id = textOf(tool_use_id);
  const whole = isRecord(content) ? content : undefined;
  const code = textOf(whole?.['error_code']);
  if (code) {
    const message = textOf(whole?.['error_message']) || code;
    return [{ tool_call: 'error', tool_call_id: id, tool_call_error: { message, code } }];
  }
  const files = recordsOf(whole?.['content']).map((file) => textOf(file['file_id']));
  return [
    { tool_call: is_error === true ? 'error' : 'end', tool_call_id: id, tool_call_response: resultText(content) },
    ...files.filter(Boolean).map((name) => ({ media: { kind: 'file' as const, name } })),
  ];
}

/** What a terminal has written as it is, texts joined, anything else as JSON without what only the server can read. */
function resultText(content: unknown): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (isRecord(content) && typeof content['stdout'] === 'string') {
    const { stdout, stderr, return_code: exit } = content;
    return [stdout, textOf(stderr), typeof exit === 'number' && exit !== 0 ? `exit code ${String(exit)}` : '']
      .filter(Boolean)
      .join('\n');
  }
  const items = recordsOf(content);
  if (items.length > 0 && items.every(({ type }) => type === 'text')) {
    return items.map(({ text }) => textOf(text)).join('');
  }
  return JSON.stringify(content, (key, value: unknown) => (/^(?:encrypted_|data$)/.test(key) ? undefined : value));
}

/** A source by its address, else by the document it is. */
function toCitation(value: unknown): readonly Citation[] {
  if (!isRecord(value)) return [];
  const { url, source, title, document_title, document_index, cited_text } = value;
  const address = textOf(url) || textOf(source);
  const id = address || (typeof document_index === 'number' ? `document ${String(document_index)}` : '');
  if (!id) return [];
  const name = textOf(title) || textOf(document_title);
  return [
    {
      id,
      ...(/^https?:/i.test(address) && { url: address }),
      ...(name && { title: name }),
      ...(textOf(cited_text) && { quote: textOf(cited_text) }),
    },
  ];
}

const recordsOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? (value as readonly unknown[]).filter(isRecord) : [];
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
