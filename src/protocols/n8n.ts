/**
 * n8n's chat trigger and webhooks (`n8n`). Responses are lines of JSON, one document, or plain text. Source:
 * `docs/protocols/n8n.md`; n8n documentation, "Chat Trigger node".
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/events/agent-events.ts';
import type { Media } from '../model/blocks.ts';
import { z } from '../model/schema.ts';
import { lenient, lenientString, lenientText } from './shared/lenient.ts';
import { isRecord, parseJson } from '../model/json.ts';
import { readThinkTags } from './shared/think-tags.ts';
import { isInline, sentFiles, toForm } from './shared/files/sent-files.ts';
import type { Frame } from '../transport/frame.ts';
import type { Adapter, DecodeContext, RequestOptions, Turn } from './core/adapter.ts';

const chunk = z.object({
  type: z.string(),
  content: lenientText,
  metadata: lenient(
    z.object({ nodeId: lenientString, nodeName: lenientString, runIndex: lenient(z.union([z.number(), z.string()])) }),
  ),
});
type Chunk = z.infer<typeof chunk>;

export const adapter: Adapter = {
  id: 'n8n',
  label: 'n8n',
  kind: 'agent',

  // The workflow stores the history, so only the new message is sent.
  request(turn, { url, headers = {}, ...options }) {
    const attachments = sentFiles(turn);
    const files = attachments.filter(isInline);
    const body = toBody(turn, attachments, options);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/plain', ...headers },
        body: files.length > 0 ? toForm(asFields({ ...body, ...options.body }), 'files', files) : body,
      },
    };
  },

  async *decode(batches, context) {
    const reply = new N8nReply(context);
    const tags = readThinkTags(context.eventId);
    for await (const batch of batches) yield tags.read(batch.flatMap((frame) => reply.take(frame)));
    yield [...tags.end(), ...reply.end()];
  },
};

/** A file that has only a URL can't be part of the form, so the text contains its URL. */
const linkedFile = (file: Media): readonly string[] =>
  isInline(file) ? [] : [['Attached file:', file.name, file.url].filter(Boolean).join(' ')];

function toBody(
  turn: Turn,
  attachments: readonly Media[],
  { system, context }: Pick<RequestOptions, 'system' | 'context'>,
) {
  const values = isRecord(context) ? context : context === undefined || context === null ? {} : { context };
  const metadata = { ...(system && { system }), ...values };
  return {
    action: 'sendMessage',
    sessionId: turn.threadId,
    chatInput: [turn.text, ...attachments.flatMap(linkedFile)].filter(Boolean).join('\n'),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** Form fields are strings, so `metadata` is sent as JSON. */
const asFields = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** The state of one reply, and what each line of it does. */
class N8nReply {
  readonly #context: DecodeContext;
  /** The format of the body, determined by its first frame. */
  #format: 'chunks' | 'text' | undefined;
  /** Whether each run of a node has ended, by node and run. */
  readonly #nodes = new Map<string, boolean>();
  #firstName: string | undefined;
  #hasDocument = false;
  #hasFailed = false;
  #hasText = false;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(frame: Frame): readonly LLMAgentEvent[] {
    const { data, unfinished } = frame;
    const json = parseJson(data);
    if (unfinished && json === undefined && this.#format !== 'text' && TRUNCATED.test(data)) return [];
    const items = (Array.isArray(json) ? (json as unknown[]) : [json]).filter(isRecord);
    this.#format ??= items.length > 0 ? 'chunks' : 'text';
    if (this.#format === 'text') return this.addText(data);
    if (items.length === 0) return this.addText(data);
    return items.flatMap((item) => {
      const parsed = chunk.safeParse(item);
      return parsed.success && (Object.hasOwn(HANDLERS, parsed.data.type) || parsed.data.metadata)
        ? this.#takeChunk(parsed.data, frame)
        : this.#takeDocument(item);
    });
  }

  end(): readonly LLMAgentEvent[] {
    if (this.#hasFailed) return [this.#response({ finish: 'error' })];
    // The reply ends with the body, unless a node has not ended.
    const isRunning = [...this.#nodes.values()].includes(false);
    return !isRunning && (this.#hasText || this.#nodes.size > 0) ? [this.#response({ finish: 'complete' })] : [];
  }

  /** A run of a node has begun, or has ended. */
  setNode({ key }: Author, hasEnded: boolean): readonly LLMAgentEvent[] {
    this.#nodes.set(key, hasEnded);
    return [];
  }

  addItem(author: Author, content: string): readonly LLMAgentEvent[] {
    if (author.key && !this.#nodes.has(author.key)) this.#nodes.set(author.key, false);
    // A node that returns a document sends it as one item.
    return this.addText(textOfDocument(parseJson(content)) ?? content, author.fields);
  }

  failNode({ key, fields }: Author, error: string): readonly LLMAgentEvent[] {
    this.#nodes.set(key, true);
    const isOneOfSeveral = this.#hasText && key !== '' && this.#nodes.size > 1;
    return [...(isOneOfSeveral ? [this.#response(fields)] : []), this.#fail(error || 'The workflow reports an error.')];
  }

  addText(content: string, fields: Data = {}): readonly LLMAgentEvent[] {
    if (content === '') return [];
    this.#hasText = true;
    return [this.#response({ ...fields, content })];
  }

  #takeChunk({ type, content, metadata }: Chunk, frame: Frame): readonly LLMAgentEvent[] {
    const handler = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
    if (handler) return handler(this, this.#authorOf(metadata), content ?? '');
    this.#context.report({ kind: 'unknown', detail: `Unknown chunk "${type}".`, frame });
    return [];
  }

  /** The author of a chunk. Only nodes with another name than the first one are named: the first is the widget's own agent. */
  #authorOf(metadata: Chunk['metadata']): Author {
    if (typeof metadata?.nodeId !== 'string') return { key: '', fields: {} };
    const key = `${metadata.nodeId}:${String(metadata.runIndex ?? 0)}`;
    const name = metadata.nodeName ?? undefined;
    this.#firstName ??= name ?? '';
    return { key, fields: { message: { id: key, ...(name && name !== this.#firstName && { name }) } } };
  }

  #takeDocument(json: Readonly<Record<string, unknown>>): readonly LLMAgentEvent[] {
    const { code, message, executionStarted } = json;
    if (executionStarted === true) {
      return [this.#fail('The workflow waits for something outside of this chat. Use "Respond to Webhook" in it.')];
    }
    if (code === 0 && message === 'Workflow was started') {
      return [this.#fail('The workflow was started, but returns no answer: set a response mode on its trigger.')];
    }
    if (typeof code === 'number' && code >= 400 && typeof message === 'string') {
      return [this.#fail([message, json['hint']].filter((part) => typeof part === 'string').join(' '))];
    }
    // Each item of a list is an answer of its own.
    const begins = this.#hasDocument;
    this.#hasDocument = true;
    return this.addText(textOfDocument(json) ?? JSON.stringify(json), begins ? { content_begins: true } : {});
  }

  #fail(error: string): LLMAgentEvent {
    this.#hasFailed = true;
    return { type: 'error', data: { eventId: this.#context.eventId, error } };
  }

  #response(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }
}

/** The run of a node that has sent a chunk. Its key is empty if the chunk names none. */
interface Author {
  readonly key: string;
  readonly fields: Data;
}

/** What each type of chunk does. */
const HANDLERS: Readonly<
  Record<string, (reply: N8nReply, author: Author, content: string) => readonly LLMAgentEvent[]>
> = {
  begin: (reply, author) => reply.setNode(author, false),
  item: (reply, author, content) => reply.addItem(author, content),
  end: (reply, author) => reply.setNode(author, true),
  error: (reply, author, content) => reply.failNode(author, content),
};

/** The beginning of JSON, as opposed to text that begins with a bracket. A frame that was truncated inside it is not text. */
const TRUNCATED = /^\s*(?:\[\s*$|(?:\[\s*)?\{\s*(?:"|$))/;

/** The text of a document, which may be nested one level deeper. */
function textOfDocument(json: unknown, searchNested = true): string | undefined {
  if (!isRecord(json)) return undefined;
  const text = ['output', 'text', 'message'].map((name) => json[name]).find((value) => typeof value === 'string');
  if (typeof text === 'string') return text;
  return searchNested ? (textOfDocument(json['data'], false) ?? textOfDocument(json['json'], false)) : undefined;
}
