/** n8n's chat trigger and webhooks (`n8n`). Source: `n8n.md`. Answers are lines of JSON, one document, or plain text. */
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import { z } from '../model/schema.ts';
import { detectN8n } from './detect/builders.ts';
import { maybe, maybeText } from './shared/maybe.ts';
import { isRecord, parseJson } from '../model/json.ts';
import { isInline, sentFiles, toForm } from './shared/sent-files.ts';
import type { Frame } from '../transport/frame.ts';
import type { Adapter, DecodeContext, RequestOptions, Turn } from './adapter.ts';

const chunk = z.object({
  type: z.string(),
  content: maybeText,
  metadata: maybe(
    z.object({ nodeId: maybeText, nodeName: maybeText, runIndex: maybe(z.union([z.number(), z.string()])) }),
  ),
});
type Chunk = z.infer<typeof chunk>;

export const n8n: Adapter = {
  id: 'n8n',
  label: 'n8n',
  kind: 'agent',
  detect: detectN8n,

  // The history is the workflow's: only the new words go.
  request(turn, { url, headers = {}, ...options }) {
    const files = sentFiles(turn).filter(isInline);
    const body = toBody(turn, options);
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
    for await (const batch of batches) yield batch.flatMap(reply.take);
    yield reply.end();
  },
};

function toBody(turn: Turn, { system, context }: Pick<RequestOptions, 'system' | 'context'>) {
  const facts = isRecord(context) ? context : context === undefined || context === null ? {} : { context };
  const metadata = { ...(system && { system }), ...facts };
  return {
    action: 'sendMessage',
    sessionId: turn.threadId,
    chatInput: turn.text,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** A form has no objects: `metadata` goes as JSON. */
const asFields = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

const TYPES = new Set(['begin', 'item', 'end', 'error']);

function makeReply({ eventId, report }: DecodeContext) {
  /** What the body is, by its first frame. */
  let form: 'chunks' | 'text' | undefined;
  /** By node and run: whether it has ended. */
  const nodes = new Map<string, boolean>();
  let firstName: string | undefined;
  let failed = false;
  let said = false;

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const fail = (error: string): LLMAgentEvent => {
    failed = true;
    return { type: 'error', data: { eventId, error } };
  };
  const say = (content: string, speaker: Omit<LLMAgentEventData, 'eventId'> = {}): readonly LLMAgentEvent[] => {
    if (content === '') return [];
    said = true;
    return [response({ ...speaker, content })];
  };

  const takeChunk = ({ type, content, metadata }: Chunk, frame: Frame): readonly LLMAgentEvent[] => {
    const key = typeof metadata?.nodeId === 'string' ? `${metadata.nodeId}:${String(metadata.runIndex ?? 0)}` : '';
    const name = metadata?.nodeName ?? undefined;
    // A node is named where another one speaks too: the first is the widget's own agent.
    if (key) firstName ??= name ?? '';
    const speaker = key ? { message: { id: key, ...(name && name !== firstName && { name }) } } : {};
    switch (type) {
      case 'begin':
        nodes.set(key, false);
        return [];
      case 'item':
        if (key && !nodes.has(key)) nodes.set(key, false);
        // A node that answers with a document sends it as one item.
        return say(wordsIn(parseJson(content ?? '')) ?? content ?? '', speaker);
      case 'end':
        nodes.set(key, true);
        return [];
      case 'error':
        nodes.set(key, true);
        return [
          ...(said && key && nodes.size > 1 ? [response(speaker)] : []),
          fail(content || 'The workflow reports an error.'),
        ];
      default:
        report({ kind: 'unknown', detail: `The chunk "${type}" is new.`, frame });
        return [];
    }
  };

  const takeDocument = (json: Readonly<Record<string, unknown>>): readonly LLMAgentEvent[] => {
    const { code, message, executionStarted } = json;
    if (executionStarted === true) {
      return [fail('The workflow waits for something outside of this chat. Let it answer with "Respond to Webhook".')];
    }
    if (code === 0 && message === 'Workflow was started') {
      return [fail('The workflow was started, but it answers nothing: set a response mode on its trigger.')];
    }
    if (typeof code === 'number' && code >= 400 && typeof message === 'string') {
      return [fail([message, json['hint']].filter((part) => typeof part === 'string').join(' '))];
    }
    return say(wordsIn(json) ?? JSON.stringify(json));
  };

  return {
    take(frame: Frame): readonly LLMAgentEvent[] {
      const { data, unfinished } = frame;
      const json = parseJson(data);
      const items = (Array.isArray(json) ? (json as unknown[]) : [json]).filter(isRecord);
      form ??= items.length > 0 ? 'chunks' : 'text';
      if (form === 'text') return say(data);
      // What was cut off in the middle of its JSON is no text.
      if (items.length === 0) return unfinished && data.startsWith('{') ? [] : say(data);
      return items.flatMap((item) => {
        const read = chunk.safeParse(item);
        return read.success && (TYPES.has(read.data.type) || read.data.metadata)
          ? takeChunk(read.data, frame)
          : takeDocument(item);
      });
    },
    end(): readonly LLMAgentEvent[] {
      if (failed) return [response({ finish: 'error' })];
      // The end of the body is the end, unless a node still speaks.
      const open = [...nodes.values()].includes(false);
      return !open && (said || nodes.size > 0) ? [response({ finish: 'complete' })] : [];
    },
  };
}

/** The text of a document, which may stand one level down. */
function wordsIn(json: unknown, deeper = true): string | undefined {
  if (!isRecord(json)) return undefined;
  const words = ['output', 'text', 'message'].map((name) => json[name]).find((value) => typeof value === 'string');
  if (typeof words === 'string') return words;
  return deeper ? (wordsIn(json['data'], false) ?? wordsIn(json['json'], false)) : undefined;
}
