/**
 * n8n's chat trigger and webhooks (`n8n`). Responses are lines of JSON, one document, or plain text. Source:
 * `docs/protocols/n8n.md`; n8n documentation, "Chat Trigger node".
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
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

export const n8n: Adapter = {
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
    const reply = makeReply(context);
    const tags = readThinkTags(context.eventId);
    for await (const batch of batches) yield tags.read(batch.flatMap(reply.take));
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

const TYPES = new Set(['begin', 'item', 'end', 'error']);

function makeReply({ eventId, report }: DecodeContext) {
  /** The format of the body, determined by its first frame. */
  let form: 'chunks' | 'text' | undefined;
  /** Whether each run of a node has ended, by node and run. */
  const nodes = new Map<string, boolean>();
  let firstName: string | undefined;
  let failed = false;
  let hasText = false;

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const fail = (error: string): LLMAgentEvent => {
    failed = true;
    return { type: 'error', data: { eventId, error } };
  };
  const emitText = (content: string, fields: Omit<LLMAgentEventData, 'eventId'> = {}): readonly LLMAgentEvent[] => {
    if (content === '') return [];
    hasText = true;
    return [response({ ...fields, content })];
  };

  const takeChunk = ({ type, content, metadata }: Chunk, frame: Frame): readonly LLMAgentEvent[] => {
    const key = typeof metadata?.nodeId === 'string' ? `${metadata.nodeId}:${String(metadata.runIndex ?? 0)}` : '';
    const name = metadata?.nodeName ?? undefined;
    // Nodes are named only if several of them write: the first one is the widget's own agent.
    if (key) firstName ??= name ?? '';
    const author = key ? { message: { id: key, ...(name && name !== firstName && { name }) } } : {};
    switch (type) {
      case 'begin':
        nodes.set(key, false);
        return [];
      case 'item':
        if (key && !nodes.has(key)) nodes.set(key, false);
        // A node that returns a document sends it as one item.
        return emitText(textOfDocument(parseJson(content ?? '')) ?? content ?? '', author);
      case 'end':
        nodes.set(key, true);
        return [];
      case 'error':
        nodes.set(key, true);
        return [
          ...(hasText && key && nodes.size > 1 ? [response(author)] : []),
          fail(content || 'The workflow reports an error.'),
        ];
      default:
        report({ kind: 'unknown', detail: `Unknown chunk "${type}".`, frame });
        return [];
    }
  };

  const takeDocument = (json: Readonly<Record<string, unknown>>): readonly LLMAgentEvent[] => {
    const { code, message, executionStarted } = json;
    if (executionStarted === true) {
      return [fail('The workflow waits for something outside of this chat. Use "Respond to Webhook" in it.')];
    }
    if (code === 0 && message === 'Workflow was started') {
      return [fail('The workflow was started, but returns no answer: set a response mode on its trigger.')];
    }
    if (typeof code === 'number' && code >= 400 && typeof message === 'string') {
      return [fail([message, json['hint']].filter((part) => typeof part === 'string').join(' '))];
    }
    return emitText(textOfDocument(json) ?? JSON.stringify(json));
  };

  return {
    take(frame: Frame): readonly LLMAgentEvent[] {
      const { data, unfinished } = frame;
      const json = parseJson(data);
      const items = (Array.isArray(json) ? (json as unknown[]) : [json]).filter(isRecord);
      form ??= items.length > 0 ? 'chunks' : 'text';
      if (form === 'text') return emitText(data);
      // A frame that was truncated inside its JSON is not text.
      if (items.length === 0) return unfinished && data.startsWith('{') ? [] : emitText(data);
      return items.flatMap((item) => {
        const parsed = chunk.safeParse(item);
        return parsed.success && (TYPES.has(parsed.data.type) || parsed.data.metadata)
          ? takeChunk(parsed.data, frame)
          : takeDocument(item);
      });
    },
    end(): readonly LLMAgentEvent[] {
      if (failed) return [response({ finish: 'error' })];
      // The reply ends with the body, unless a node has not ended.
      const isRunning = [...nodes.values()].includes(false);
      return !isRunning && (hasText || nodes.size > 0) ? [response({ finish: 'complete' })] : [];
    },
  };
}

/** The text of a document, which may be nested one level deeper. */
function textOfDocument(json: unknown, searchNested = true): string | undefined {
  if (!isRecord(json)) return undefined;
  const text = ['output', 'text', 'message'].map((name) => json[name]).find((value) => typeof value === 'string');
  if (typeof text === 'string') return text;
  return searchNested ? (textOfDocument(json['data'], false) ?? textOfDocument(json['json'], false)) : undefined;
}
