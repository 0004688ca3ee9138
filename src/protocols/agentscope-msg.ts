/** AgentScope messages (`agentscope-msg`). Source: `docs/protocols/agentscope-msg.md`. */
import { enumerate } from '../enumerate.ts';
import { resultHeader, toSentMsgs, type ResultHeader } from '../formats/agentscope-messages.ts';
import {
  resultCallId,
  resultMediaId,
  knownBlocks,
  msg,
  parseToolResult,
  toolResultsIn,
  msgBlockToMedia,
  type Msg,
} from '../formats/agentscope-msg.ts';
import type { Media } from '../model/blocks.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import { historyWithSystem } from './shared/sent-history.ts';
import { isRecord } from '../model/json.ts';
import { fit, readJsonFrames } from './core/read-frames.ts';
import { endWithOpenCalls } from './core/own-calls.ts';
import { snapshotEvents, type Part } from './shared/snapshot.ts';
import { splitThinkTags } from './shared/think-tags.ts';
import { errorMessage } from './shared/error-message.ts';
import type { Frame } from '../transport/frame.ts';
import type { Adapter, DecodeContext } from './core/adapter.ts';

export const agentscopeMsg: Adapter = {
  id: 'agentscope-msg',
  label: 'AgentScope messages',
  kind: 'agent',
  // The format has blocks for images, audio and video. A server without the later `data` block refuses the whole request.
  accepts: 'media',

  // Messages are sent unformatted: an AgentScope endpoint formats them for its model itself.
  request: (turn, { url, headers = {}, ...options }) => ({
    url,
    init: {
      method: 'POST',
      headers: { accept: 'text/event-stream, application/x-ndjson', ...headers },
      body: { messages: toSentMsgs(historyWithSystem(turn, options)) },
    },
  }),

  async *decode(batches, context) {
    const { report } = context;
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch.map(withJsonError), report)) {
        const list = Array.isArray(json) ? (json as unknown[]) : undefined;
        for (const item of list ?? [json]) {
          const unwrapped = isRecord(item) && 'msg' in item ? item['msg'] : item;
          const problem = problemOf(unwrapped, frame);
          if (problem !== undefined) {
            events.push(...reply.fail(problem));
            continue;
          }
          const message = fit(msg, unwrapped, frame, report);
          if (message) events.push(...reply.take(message, list));
        }
      }
      yield events;
    }
    yield reply.end();
  },
};

/** The format has no error: a failing server sends its own object without a role. */
const problemOf = (value: unknown, { event }: Frame): string | undefined =>
  isRecord(value) && value['role'] === undefined && (event === 'error' || value['error'] != null)
    ? errorMessage(value)
    : undefined;

/** Servers in Spring often send the message of an exception as plain text. */
const withJsonError = (frame: Frame): Frame =>
  frame.event === 'error' && /^\s*[^\s[{]/.test(frame.data)
    ? { ...frame, data: JSON.stringify({ error: frame.data }) }
    : frame;

interface ReplyDecoder {
  /** `list`: the frame of the message, if that is a list. */
  take(message: Msg, list?: readonly unknown[]): readonly LLMAgentEvent[];
  fail(message: string): readonly LLMAgentEvent[];
  end(): readonly LLMAgentEvent[];
}

function makeReply(context: DecodeContext): ReplyDecoder {
  const { eventId } = context;
  /** The newest snapshot of each message by id, and the parts emitted for it. */
  const snapshots = new Map<string, { message: Msg; parts: readonly Part[] }>();
  /** The stored fields of each message by id, as JSON. */
  const stored = new Map<string, string>();
  /** The newest message without an id by speaker, and its number among them. */
  const unnamed = new Map<
    string,
    { readonly message: Msg; readonly number: number; readonly list: readonly unknown[] | undefined }
  >();
  let lastSpeaker: string | undefined;
  /** The newest final result by call id, and the text of the running ones. */
  const results = new Map<string, Pick<Extract<Part, { kind: 'tool' }>, 'response' | 'failed'>>();
  const resultMedia = new Map<string, readonly Part[]>();
  const running = new Map<string, string>();
  /** What the messages with the results have beside them, by call id. */
  const resultMetadata = new Map<string, Msg['metadata']>();
  const resultHeaders = new Map<string, ResultHeader>();
  let hasFailed = false;
  const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });

  /** The parts with their emitted results: a snapshot that replaces everything repeats them. */
  const answeredParts = (list: readonly Part[]): readonly Part[] =>
    list.flatMap((part) =>
      part.kind === 'tool' ? [{ ...part, ...results.get(part.id) }, ...(resultMedia.get(part.id) ?? [])] : [part],
    );
  const emitMessage = (id: string, message: Msg, final: boolean): readonly LLMAgentEvent[] => {
    const parts = partsOf(message, final);
    const earlierParts = snapshots.get(id)?.parts;
    const author = speakerOf(id, message);
    snapshots.set(id, { message, parts });
    const events = snapshotEvents(author, answeredParts(earlierParts ?? []), answeredParts(parts));
    return [...(earlierParts ? [] : [{ message: author }]), ...events, ...storedFields(author, message)].map(response);
  };
  /** The next request returns the agent's own metadata and time to it. */
  const storedFields = (
    author: NonNullable<LLMAgentEventData['message']>,
    { metadata, timestamp, content }: Msg,
  ): readonly Omit<LLMAgentEventData, 'eventId'>[] => {
    const byCall = <Value>(values: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> =>
      Object.fromEntries(
        content.flatMap(({ type, id }) => {
          const own = type === 'tool_use' && typeof id === 'string' ? values.get(id) : undefined;
          return own ? [[id as string, own] as const] : [];
        }),
      );
    const fields = { metadata, results: byCall(resultMetadata), resultHeaders: byCall(resultHeaders) };
    const own = Object.entries(fields).filter(([name, value]) => name === 'metadata' || Object.keys(value).length > 0);
    const original = { ...Object.fromEntries(own), ...(timestamp != null && { timestamp }) };
    const json = JSON.stringify(original);
    if (stored.get(author.id) === json || (Object.keys(metadata).length === 0 && own.length === 1)) return [];
    stored.set(author.id, json);
    return [{ message: author, metadata: { msg: original } }];
  };
  /**
   * Assigns an id to a message without one: a continuation of the speaker's last message reuses its id, any other
   * message gets the next one. So does the same message after that of another agent, such as a vote in the next round,
   * unless a new list repeats it.
   */
  const generatedId = (message: Msg, list: readonly unknown[] | undefined): string => {
    const author = authorOf(message);
    const last = unnamed.get(author);
    const isNextTurn =
      last !== undefined &&
      lastSpeaker !== author &&
      (list === undefined || last.list === list) &&
      isSameText(last.message, message);
    if (!last || isNextTurn || !isContinuation(last.message, message)) {
      const number = (last?.number ?? 0) + 1;
      unnamed.set(author, { message, number, list });
      return number === 1 ? author : `${author}.${String(number)}`;
    }
    unnamed.set(author, { ...last, message, list });
    return last.number === 1 ? author : `${author}.${String(last.number)}`;
  };
  /** The author of a call, because its result may arrive while another agent speaks. */
  const callerOf = (callId: string) => {
    const [id, snapshot] = [...snapshots].findLast(([, { message }]) => hasCall(message, callId)) ?? [];
    return id === undefined || !snapshot ? undefined : { author: speakerOf(id, snapshot.message), ...snapshot };
  };
  const emitResults = (message: Msg): readonly LLMAgentEvent[] =>
    toolResultsIn(message.content).flatMap((block) => {
      const id = resultCallId(block);
      const isFinal = block.state !== 'running';
      if (id === undefined || (results.has(id) && !isFinal)) return [];
      const caller = callerOf(id);
      // A system message is history, unless a server in another language answers a call in it.
      if (message.role === 'SYSTEM' && !caller) return [];
      const { text, failed, media } = parseToolResult(block);
      const call = { tool_call_id: id, ...(block.name && { tool_call_name: block.name }) };
      if (!isFinal) {
        const textBefore = running.get(id) ?? '';
        running.set(id, text);
        const added = text.startsWith(textBefore) ? text.slice(textBefore.length) : text;
        return added ? [response({ ...call, tool_call: 'running', tool_call_response: added })] : [];
      }
      const isFirst = !results.has(id);
      if (!isFirst && !caller) return [];
      const partsBefore = caller ? answeredParts(caller.parts) : [];
      results.set(id, { response: text, failed });
      const shown = media.map(
        (item, index) => ({ kind: 'media', id: resultMediaId(id, index), media: withName(item) }) as const,
      );
      resultMedia.set(id, shown);
      if (message.role !== 'ASSISTANT') {
        if (Object.keys(message.metadata).length > 0) resultMetadata.set(id, message.metadata);
        const header = resultHeader(message);
        if (Object.keys(header).length > 0) resultHeaders.set(id, header);
      }
      return [
        ...(isFirst || !caller
          ? [
              { ...call, tool_call: failed ? ('error' as const) : ('end' as const), tool_call_response: text },
              ...shown.map((item) => ({
                media: item.media,
                data_id: item.id,
                ...(caller && { message: caller.author }),
              })),
            ]
          : snapshotEvents(caller.author, partsBefore, answeredParts(caller.parts))),
        ...(caller ? storedFields(caller.author, caller.message) : []),
      ].map(response);
    });

  return {
    take(message, list) {
      // Other system and user messages are history.
      if (message.role === 'USER') return [];
      if (message.role !== 'ASSISTANT') return emitResults(message);
      const id = message.id ?? generatedId(message, list);
      lastSpeaker = authorOf(message);
      return [...emitMessage(id, message, false), ...emitResults(message)];
    },
    fail(error) {
      hasFailed = true;
      return [{ type: 'error', data: { eventId, error } }];
    },
    end() {
      const events = [...snapshots].flatMap(([id, { message }]) => emitMessage(id, message, true));
      if (hasFailed)
        return [...events, response({ finish: 'error' }), { type: 'end', data: { eventId, userStop: false } }];
      const last = [...snapshots.values()].at(-1)?.message;
      if (!last) return events;
      const open = [...snapshots.values()].flatMap(({ message }) =>
        knownBlocks(message).flatMap((block) =>
          block.type === 'tool_use' && !results.has(block.id)
            ? [{ id: block.id, name: block.name, isLast: message === last }]
            : [],
        ),
      );
      return [...events, ...endWithOpenCalls(open, context)];
    },
  };
}

const speakerOf = (id: string, { name }: Msg): NonNullable<LLMAgentEventData['message']> => ({
  id,
  ...(name != null && { name }),
});

/** The agent that has sent a message: without a name, the role stands for it. */
const authorOf = ({ name, role }: Msg): string => name ?? role.toLowerCase();

const hasCall = ({ content }: Msg, callId: string): boolean =>
  content.some(({ type, id }) => type === 'tool_use' && id === callId);

/**
 * Whether the second message continues the first: its blocks are equal, except that the text of the last one is longer.
 */
const isContinuation = (before: Msg, after: Msg): boolean =>
  before.content.every((block, index) => {
    const next = after.content[index];
    if (next?.type !== block.type) return false;
    if (block.type === 'tool_use') return next['id'] === block['id'];
    const [beforeText, afterText] = [blockText(block), blockText(next)];
    const last = index === before.content.length - 1;
    return last && beforeText !== undefined
      ? afterText?.startsWith(beforeText) === true
      : JSON.stringify(block) === JSON.stringify(next);
  });

/** Whether two messages have the same content. One with a call is the same message, because the id of a call is unique. */
const isSameText = (before: Msg, after: Msg): boolean =>
  after.content.length > 0 &&
  after.content.every(({ type }) => type !== 'tool_use') &&
  JSON.stringify(before.content) === JSON.stringify(after.content);

const blockText = ({ text, thinking, hint }: Msg['content'][number]): string | undefined =>
  [text, thinking, hint].find((value) => typeof value === 'string');

function partsOf(message: Msg, final: boolean): readonly Part[] {
  const parts = knownBlocks(message).flatMap((block): readonly Part[] => {
    switch (block.type) {
      case 'text':
        return splitReasoning(block.text, final);
      case 'thinking':
        return [{ kind: 'reasoning', text: block.thinking }];
      case 'hint':
        return [{ kind: 'text', text: block.hint }];
      case 'tool_use':
        return [{ kind: 'tool', id: block.id, name: block.name, params: JSON.stringify(block.input) }];
      case 'tool_result':
        return [];
      default: {
        const media = msgBlockToMedia(block);
        return media ? [{ kind: 'media', media: withName(media) }] : [];
      }
    }
  });
  // The texts of one block are never adjacent.
  return parts.map((part, index) =>
    part.kind === 'text' && parts[index - 1]?.kind === 'text' ? { ...part, begins: true } : part,
  );
}

/** A file on the server can't be shown here, but its name can. */
const withName = (media: Media): Media => {
  const [, name] = /^file:.*\/([^/]+)$/.exec(media.url ?? '') ?? [];
  return name === undefined || media.name !== undefined ? media : { ...media, name };
};

/** Converts `<think>` tags to reasoning. A partial tag is held back while the message may still grow. */
function splitReasoning(text: string, final: boolean): readonly Part[] {
  const splitter = splitThinkTags();
  const parts: Part[] = [];
  for (const chunk of [...splitter.feed(text), ...(final ? splitter.end() : [])]) {
    if (chunk.kind === 'text-was-reasoning') {
      for (const [index, part] of enumerate(parts))
        if (part.kind === 'text') parts[index] = { ...part, kind: 'reasoning' };
    } else if (parts.at(-1)?.kind === chunk.kind) {
      parts[parts.length - 1] = { kind: chunk.kind, text: (parts.at(-1) as { text: string }).text + chunk.text };
    } else parts.push(chunk);
  }
  return parts;
}
