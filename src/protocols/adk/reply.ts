/**
 * Converts the events of an ADK run. After streamed chunks the server repeats the complete content at the end of each model
 * call.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import type { Media } from '../../model/blocks.ts';
import { isRecord } from '../../model/json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { citationEvents } from '../gemini/sources.ts';
import { safePathSegment } from '../shared/sibling-url.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { waitingMetadata } from '../shared/pending-calls.ts';
import { questionOfCall } from './input-requests.ts';
import { sessionsPath, parseAdkEndpoint } from './server-urls.ts';
import type { AdkSession } from './request.ts';
import type { AdkEvent, AdkPart } from './wire.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Kind = 'text' | 'reasoning';

/** An agent that writes messages. Agents that run in parallel have their own branches. */
interface Speaker {
  readonly message: IncrementalMessage;
  /** Streamed chunks that the server has not yet repeated in a complete event. */
  readonly chunks: Record<Kind, string>;
  /** Media that came with the chunks. */
  readonly media: Set<string>;
  /** Whether the message contains only these chunks, so that it can be rewritten. */
  canRewrite: boolean;
  /** The text of the last text block. */
  blockText: string;
  /** A model call has ended, so the next text starts a new block. */
  startsBlock: boolean;
}

const TRANSFER = 'transfer_to_agent';

export function makeAdkDecoder({ eventId, newId, turn, providerState, url, report }: DecodeContext<AdkSession>) {
  const reply = turn.messages.slice(turn.messages.findLastIndex(({ role }) => role === 'user') + 1);
  const lastMetadata = reply.findLast(({ role }) => role === 'assistant')?.metadata;
  const authors = new Set(
    turn.messages.flatMap(({ metadata }) => (typeof metadata?.['author'] === 'string' ? [metadata['author']] : [])),
  );
  let state = recordIn(turn.messages.findLast(({ metadata }) => isRecord(metadata?.['state']))?.metadata?.['state']);
  const speakers = new Map<string, Speaker>();
  let current = '';
  let count = 0;
  const calls = new Map<string, { readonly name: string; readonly params: string }>();
  const tokens = { prompt: 0, completion: 0, total: 0 };
  /** Calls of tools that run in the page. */
  const pageCalls = new Set<string>();
  let hasQuestion = false;
  /** Calls that wait for approval. Until then, their tool's response only reports the wait. */
  const unapproved = new Set<string>();
  let failed = false;
  let ending: ReplyEnd = 'complete';
  let hasEvents = false;
  let isOpen = false;
  /** The id of the last code execution. */
  const execution: { id: string | undefined } = { id: undefined };

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });

  /** Returns the current agent. An agent that continues after another one gets a new message. */
  const speakerOf = ({ author, branch, id }: AdkEvent): readonly [Speaker, readonly LLMAgentEvent[]] => {
    const name = author ?? '';
    const key = `${name} ${branch ?? ''}`;
    const existing = speakers.get(key);
    if (existing && (key === current || existing.chunks.text !== '' || existing.chunks.reasoning !== '')) {
      current = key;
      return [existing, []];
    }
    const first = count++ === 0;
    const isContinued = first && lastMetadata?.['author'] === name && typeof lastMetadata['messageId'] === 'string';
    const speaker = {
      id: isContinued ? String(lastMetadata['messageId']) : first ? (id ?? eventId) : `${eventId}:${String(count)}`,
      // A single agent is shown with the name that the page configures.
      ...(authors.size > 1 && name && { name }),
    };
    const created: Speaker = {
      message: makeIncrementalMessage(speaker),
      chunks: { text: '', reasoning: '' },
      media: new Set(),
      canRewrite: !isContinued,
      blockText: '',
      startsBlock: isContinued,
    };
    speakers.set(key, created);
    current = key;
    return [created, [response({ message: speaker, ...(name && { metadata: { author: name } }) })]];
  };

  const emitText = (author: Speaker, kind: Kind, text: string): readonly Data[] => {
    const events = author.message.append(kind, text);
    if (kind !== 'text' || text === '') return events;
    const newBlock = author.startsBlock;
    author.startsBlock = false;
    if (newBlock) breakText(author, []);
    author.blockText += text;
    return newBlock ? events.map((data) => ({ ...data, content_begins: true })) : events;
  };

  /** Emits the part of the complete content that the chunks have not contained yet. */
  const emitRest = (author: Speaker, parts: readonly AdkPart[]): readonly Data[] => {
    const { chunks } = author;
    const complete = contentByKind(parts);
    const isPrefix = (['text', 'reasoning'] as const).every((kind) => complete[kind].startsWith(chunks[kind]));
    const hasPartial = chunks.text !== '' || chunks.reasoning !== '';
    const emitted = { ...chunks };
    chunks.text = '';
    chunks.reasoning = '';
    if (hasPartial && !isPrefix) {
      if (!author.canRewrite || complete.text.trim() === emitted.text.trim() || complete.text === '') return [];
      author.blockText = complete.text;
      const reasoning = complete.reasoning || emitted.reasoning;
      return author.message.rewrite([
        ...(reasoning ? [{ kind: 'reasoning', text: reasoning } as const] : []),
        { kind: 'text', text: complete.text },
      ]);
    }
    return parts.flatMap((part) => {
      const kind: Kind = part.thought ? 'reasoning' : 'text';
      const text = part.text ?? '';
      const emittedLength = Math.min(text.length, emitted[kind].length);
      emitted[kind] = emitted[kind].slice(emittedLength);
      return emitText(author, kind, text.slice(emittedLength));
    });
  };

  const emitMedia = (author: Speaker, { inlineData, fileData }: AdkPart): readonly Data[] => {
    const { mimeType, displayName } = inlineData ?? fileData ?? {};
    const key = inlineData?.data ?? fileData?.fileUri;
    if (key === undefined || author.media.has(key)) return [];
    author.media.add(key);
    const source = inlineData ? { data: standardBase64(inlineData.data) } : { url: fileData?.fileUri ?? '' };
    const media: Media = {
      kind: kindOf(mimeType ?? ''),
      ...source,
      ...(mimeType && { mimeType }),
      ...(displayName && { name: displayName }),
    };
    return breakText(author, author.message.put({ kind: 'media', media }));
  };

  const breakText = (author: Speaker, events: readonly Data[]): readonly Data[] => {
    author.canRewrite = false;
    author.blockText = '';
    return events;
  };

  const takeCall = (author: Speaker, event: AdkEvent, part: AdkPart): readonly Data[] => {
    if (!part.functionCall) return [];
    const { name, args } = part.functionCall;
    const id = part.functionCall.id || newId();
    const question = questionOfCall(name, id, args);
    if (question) {
      hasQuestion = true;
      if (question.tool_call_id !== undefined) unapproved.add(question.tool_call_id);
      return breakText(author, [question]);
    }
    const params = JSON.stringify(args ?? {});
    calls.set(id, { name, params });
    if (event.longRunningToolIds?.includes(id) && providerState?.tools.includes(name)) {
      pageCalls.add(id);
      const call = { tool_call_id: id, tool_call_name: name, tool_call_params: params } as const;
      return breakText(author, [{ tool_call: 'start', ...call }]);
    }
    return breakText(author, author.message.put({ kind: 'tool', id, name, params }));
  };

  const takeResult = (event: AdkEvent, { functionResponse }: AdkPart): readonly Data[] => {
    if (!functionResponse) return [];
    const { id, name, response: value } = functionResponse;
    if (name?.startsWith('adk_request_')) return [];
    const callId = id || [...calls].findLast(([, call]) => call.name === name)?.[0];
    // The result of a page tool comes from the page.
    if (callId === undefined || pageCalls.has(callId)) return [];
    const isHeld = unapproved.has(callId) || Object.hasOwn(event.actions?.requestedToolConfirmations ?? {}, callId);
    if (isHeld) return [];
    const error = isRecord(value) && typeof value['error'] === 'string' ? value['error'] : undefined;
    return [
      {
        tool_call: error === undefined ? 'end' : 'error',
        tool_call_id: callId,
        ...(name && { tool_call_name: name }),
        tool_call_response: error ?? resultText(value),
        tool_call_remote: true,
      },
    ];
  };

  const takeCode = (author: Speaker, { executableCode, codeExecutionResult }: AdkPart): readonly Data[] => {
    const call = { tool_call_name: 'code_execution', tool_call_remote: true } as const;
    if (executableCode) {
      execution.id = newId();
      const { language, code: source } = executableCode;
      const params = JSON.stringify({ language, code: source });
      return breakText(author, [{ tool_call: 'start', tool_call_id: execution.id, tool_call_params: params, ...call }]);
    }
    if (!codeExecutionResult) return [];
    const { outcome, output } = codeExecutionResult;
    const tool_call = outcome && outcome !== 'OUTCOME_OK' ? 'error' : 'end';
    return [{ tool_call, tool_call_id: execution.id ?? newId(), tool_call_response: output ?? '', ...call }];
  };

  const takeContent = (event: AdkEvent): readonly LLMAgentEvent[] => {
    // The action of a transfer and the next author already show it.
    const parts = event.content?.parts?.flatMap((part) => (part && !isTransfer(part) ? [part] : [])) ?? [];
    if (parts.length === 0) return [];
    const [author, opening] = speakerOf(event);
    if (event.partial) {
      // The end repeats a streamed call completely; only the id of that repetition is valid.
      const events = parts.flatMap((part) => {
        const kind: Kind = part.thought ? 'reasoning' : 'text';
        author.chunks[kind] += part.text ?? '';
        return [...emitText(author, kind, part.text ?? ''), ...emitMedia(author, part)];
      });
      isOpen = true;
      return [...opening, ...events.map(response)];
    }
    isOpen = false;
    // Keeps the order of the parts, except that streamed text comes first.
    const hasPartial = author.chunks.text !== '' || author.chunks.reasoning !== '';
    const texts = hasPartial ? emitRest(author, parts) : [];
    const others = parts.flatMap((part) => [
      ...(hasPartial ? [] : emitText(author, part.thought ? 'reasoning' : 'text', part.text ?? '')),
      ...emitMedia(author, part),
      ...takeCode(author, part),
      ...takeCall(author, event, part),
      ...takeResult(event, part),
    ]);
    author.media.clear();
    author.startsBlock = author.blockText !== '';
    const citations = citationEvents(event, author.blockText);
    return [...opening, ...[...texts, ...others, ...citations].map(response)];
  };

  const takeActions = (event: AdkEvent): readonly LLMAgentEvent[] => {
    const { stateDelta, artifactDelta, transferToAgent } = event.actions ?? {};
    const events: Data[] = [];
    const artifacts = Object.entries(artifactDelta ?? {});
    const [, opening] = artifacts.length > 0 ? speakerOf(event) : [undefined, []];
    if (stateDelta && Object.keys(stateDelta).length > 0) {
      state = { ...state, ...stateDelta };
      events.push({ state: { value: state }, metadata: { state } });
    }
    if (transferToAgent && transferToAgent !== event.author) {
      events.push({ phase: { name: TRANSFER, message: transferToAgent } });
    }
    for (const [name, version] of artifacts) {
      const address = artifactUrl(name, version);
      const media = { kind: 'file', name, ...(address && { url: address }) } as const;
      events.push({ media, data_id: `artifact ${name}` });
    }
    return [...opening, ...events.map(response)];
  };

  /** URL of an artifact. The server returns JSON that contains the bytes. */
  const artifactUrl = (name: string, version: unknown): string | undefined => {
    const server = url === undefined ? undefined : parseAdkEndpoint(url);
    if (!providerState?.appName || server?.kind !== 'server') return undefined;
    const segments = [providerState.sessionId, ...name.split('/'), String(version)].map(safePathSegment);
    const [session, ...rest] = segments.filter((step) => step !== undefined);
    if (session === undefined || rest.length + 1 < segments.length) return undefined;
    const path = [...rest.slice(0, -1), 'versions', ...rest.slice(-1)].join('/');
    return server.urlOf(`${sessionsPath(providerState.appName, providerState.userId)}/${session}/artifacts/${path}`);
  };

  const fail = (error: string, providerCode?: string | null): readonly LLMAgentEvent[] => {
    if (failed) return [];
    failed = true;
    return [{ type: 'error', data: { eventId, error, ...(providerCode && { code: providerCode }) } }];
  };

  const takeEnd = ({ error, errorCode, errorMessage, usageMetadata, partial }: AdkEvent): readonly LLMAgentEvent[] => {
    if (usageMetadata && !partial) {
      const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, totalTokenCount } = usageMetadata;
      const completion = (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0);
      tokens.prompt += promptTokenCount ?? 0;
      tokens.completion += completion;
      tokens.total += totalTokenCount ?? (promptTokenCount ?? 0) + completion;
    }
    if (error) return fail(error);
    const end = replyEnd(errorCode);
    if (end === 'max_tokens' || (end === 'filtered' && !errorMessage)) ending = end;
    else if (errorCode && errorCode !== 'STOP')
      return fail(errorMessage || `The model stopped: ${errorCode}.`, errorCode);
    return [];
  };

  return {
    /** Emits the metadata that later requests need, even if this one fails. */
    start: (): readonly LLMAgentEvent[] => {
      if (!providerState) return [];
      const { sessionId, userId, appName } = providerState;
      return [response({ metadata: { sessionId, userId, ...(appName !== undefined && { appName }) } })];
    },
    take(event: AdkEvent, frame: Frame): readonly LLMAgentEvent[] {
      if (!event.author && !event.error && !event.errorCode) {
        report({ kind: 'unknown', detail: 'Not an agent event.', frame });
        return [];
      }
      hasEvents = true;
      if (event.author && event.author !== 'user') authors.add(event.author);
      // User messages are already shown.
      const content = event.author === 'user' ? [] : takeContent(event);
      if (event.finishReason || event.turnComplete) isOpen = false;
      return [...content, ...takeActions(event), ...takeEnd(event)];
    },
    end(): readonly LLMAgentEvent[] {
      const { prompt, completion, total } = tokens;
      const usage: Data =
        total > 0 ? { totalUsage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } } : {};
      const metadata: Data = { metadata: waitingMetadata([...pageCalls]) };
      // A chunk without its complete event means that the stream was cut off.
      if (!failed && (!hasEvents || isOpen)) return total > 0 ? [response(usage)] : [];
      const end = failed ? 'error' : pageCalls.size > 0 || hasQuestion ? 'tool_use' : ending;
      // Clears the pending calls of an earlier stream, because they have results now.
      const hasWaiting = pageCalls.size > 0 || lastMetadata?.['waitingCalls'] !== undefined;
      return [...(hasWaiting ? [response(metadata)] : []), response({ ...endData(end), ...usage })];
    },
  };
}

const isTransfer = ({ functionCall, functionResponse }: AdkPart): boolean =>
  (functionCall?.name ?? functionResponse?.name) === TRANSFER;

const recordIn = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

function contentByKind(parts: readonly AdkPart[]): Readonly<Record<Kind, string>> {
  const content = { text: '', reasoning: '' };
  for (const { text, thought } of parts) content[thought ? 'reasoning' : 'text'] += text ?? '';
  return content;
}

/** A tool result that is not an object arrives as `{result}`. */
function resultText(value: unknown): string {
  const result = isRecord(value) && Object.keys(value).length === 1 && 'result' in value ? value['result'] : value;
  return typeof result === 'string' ? result : JSON.stringify(result ?? {});
}

/** Python encodes bytes in the URL-safe alphabet. */
const standardBase64 = (data: string): string => data.replaceAll('-', '+').replaceAll('_', '/');

const kindOf = (mimeType: string): Media['kind'] =>
  (['image', 'audio', 'video'] as const).find((kind) => mimeType.startsWith(`${kind}/`)) ?? 'file';
