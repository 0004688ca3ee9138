/**
 * The state of one content block while it streams: its events, and the block to send back. Source:
 * `docs/protocols/anthropic.md`; Anthropic API reference, "Streaming Messages".
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Citation } from '../../model/blocks.ts';
import { createStreamEvent } from '../../model/events/core-events.ts';
import type { AnthropicBlock } from './messages.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { AdapterEvent } from '../core/adapter.ts';

export interface BlockDecoder {
  readonly type: string;
  /** Events at the start of the block. */
  readonly startEvents: readonly AdapterEvent[];
  add(delta: AnthropicBlock): readonly AdapterEvent[];
  /** Events at the end of the block; empty when called again. */
  close(): readonly AdapterEvent[];
  /** The block to send back; undefined if it is incomplete or invalid. */
  item(): AnthropicBlock | undefined;
  /** The id of a call that cannot be run because its arguments are not JSON. */
  brokenCall(): string | undefined;
}

export type EmitResponse = (data: Omit<LLMAgentEventData, 'eventId'>) => AdapterEvent;

export function makeBlockDecoder(block: AnthropicBlock, respond: EmitResponse): BlockDecoder {
  if (block.type === 'text') return textPart(block, respond);
  if (block.type === 'thinking') return reasoningPart(block);
  return block.type.endsWith('tool_use') ? callPart(block, respond) : completePart(block, respond);
}

/** Behaviour of all parts: `close` takes effect once, and an item exists only after it. */
function part(
  { type }: AnthropicBlock,
  {
    startEvents = [],
    add = () => [],
    close = () => [],
    item,
    brokenCall = () => undefined,
  }: Partial<BlockDecoder> & Pick<BlockDecoder, 'item'>,
): BlockDecoder {
  let closed = false;
  return {
    type,
    startEvents,
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

function textPart(block: AnthropicBlock, respond: EmitResponse): BlockDecoder {
  let text = textOf(block['text']);
  const citations: unknown[] = Array.isArray(block['citations']) ? [...(block['citations'] as unknown[])] : [];
  return part(block, {
    startEvents: text ? [createStreamEvent.text(text)] : [],
    add({ type, text: chunk, citation }) {
      if (type === 'citations_delta') citations.push(citation);
      if (type !== 'text_delta' || !textOf(chunk)) return [];
      text += textOf(chunk);
      return [createStreamEvent.text(textOf(chunk))];
    },
    // Citations may arrive before the text, and each applies to the complete block, so their markers are placed after
    // it.
    close: () => citations.flatMap(toCitation).map((citation) => respond({ citation: { ...citation, anchor: 'end' } })),
    item: () => ({ ...block, text, ...(citations.length > 0 && { citations }) }),
  });
}

function reasoningPart(block: AnthropicBlock): BlockDecoder {
  let thinking = textOf(block['thinking']);
  let { signature } = block;
  return part(block, {
    startEvents: thinking ? [createStreamEvent.reasoning(thinking)] : [],
    add(delta) {
      if (delta.type === 'signature_delta') ({ signature } = delta);
      if (delta.type !== 'thinking_delta' || !textOf(delta['thinking'])) return [];
      thinking += textOf(delta['thinking']);
      return [createStreamEvent.reasoning(textOf(delta['thinking']))];
    },
    item: () => ({ ...block, thinking, ...(signature !== undefined && { signature }) }),
  });
}

/** The call of a page tool (`tool_use`), or of a tool that runs on the server. */
function callPart(block: AnthropicBlock, respond: EmitResponse): BlockDecoder {
  const isPageTool = block.type === 'tool_use';
  const [id, name] = [textOf(block['id']), textOf(block['name'])];
  const server = textOf(block['server_name']);
  let json = '';
  const input = (): unknown => (json.trim() ? parseJson(json) : (block['input'] ?? {}));
  const call = { tool_call_id: id, tool_call_name: name };
  return part(block, {
    startEvents: isPageTool
      ? [createStreamEvent.toolCallStart(id, name)]
      : [
          respond({
            ...call,
            tool_call: 'start',
            tool_call_remote: true,
            ...(server && { tool_call_server_name: server }),
          }),
        ],
    add({ type, partial_json: chunk }) {
      if (type !== 'input_json_delta' || !textOf(chunk)) return [];
      json += textOf(chunk);
      return [createStreamEvent.toolCallChunk(id, textOf(chunk))];
    },
    close() {
      // The complete input may arrive at the start; deltas take precedence.
      const initialInput = json.trim() === '' ? JSON.stringify(input()) : '{}';
      return [createStreamEvent.toolCallEnd(id, initialInput === '{}' ? undefined : initialInput)];
    },
    item: () => (isRecord(input()) ? { ...block, input: input() } : undefined),
    brokenCall: () => (isPageTool && !isRecord(input()) ? id : undefined),
  });
}

/** A block that arrives as a single event. Unknown blocks are not rendered but are sent back. */
function completePart(block: AnthropicBlock, respond: EmitResponse): BlockDecoder {
  let { content } = block;
  return part(block, {
    startEvents: blockEvents(block).map(respond),
    add(delta) {
      if (delta.type === 'compaction_delta') ({ content } = delta);
      return [];
    },
    item: () => ({ ...block, ...(content !== undefined && { content }) }),
  });
}

function blockEvents(block: AnthropicBlock): readonly Omit<LLMAgentEventData, 'eventId'>[] {
  if (block.type.endsWith('tool_result')) return resultEvents(block);
  switch (block.type) {
    case 'redacted_thinking':
      return [{ reasoning_hidden: true }];
    case 'container_upload':
      return [{ media: { kind: 'file', name: textOf(block['file_id']) } }];
    // Another model has continued the reply.
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

function resultEvents({
  tool_use_id,
  is_error,
  content,
}: AnthropicBlock): readonly Omit<LLMAgentEventData, 'eventId'>[] {
  const id = textOf(tool_use_id);
  const result = isRecord(content) ? content : undefined;
  const code = textOf(result?.['error_code']);
  if (code) {
    const message = textOf(result?.['error_message']) || code;
    return [{ tool_call: 'error', tool_call_id: id, tool_call_error: { message, code } }];
  }
  const files = recordsOf(result?.['content']).map((file) => textOf(file['file_id']));
  return [
    { tool_call: is_error === true ? 'error' : 'end', tool_call_id: id, tool_call_response: resultText(content) },
    ...files.filter(Boolean).map((name) => ({ media: { kind: 'file' as const, name } })),
  ];
}

/** Formats a result: terminal output unchanged, texts joined, anything else as JSON without the encrypted fields. */
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

/** A citation identified by its URL, otherwise by its document. */
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
