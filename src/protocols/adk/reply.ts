/**
 * Converts the events of an ADK run. After streamed chunks the server repeats the complete content at the end of each model
 * call. An event has no type: each of its fields adds something to the reply.
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import { exactJson } from '../core/exact-json.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { citationEvents } from '../gemini/sources.ts';
import { contentUrl, safePathSegment } from '../shared/request-urls.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { waitingMetadata } from '../shared/pending-calls.ts';
import { choiceOfCall, questionOfCall } from './input-requests.ts';
import { sessionsPath, parseAdkEndpoint } from './server-urls.ts';
import type { AdkSession } from './request.ts';
import { Speaker } from './speaker.ts';
import { adkError, type AdkEvent, type AdkPart } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Json = Readonly<Record<string, unknown>>;

const TRANSFER = 'transfer_to_agent';

/** The state of one reply, and what an event changes in it. */
export class AdkReply {
  readonly #context: DecodeContext<AdkSession>;
  /** The metadata of the reply's message from an earlier round. */
  readonly #lastMetadata: Json | undefined;
  /** The names of all agents of the conversation. */
  readonly #authors: Set<string>;
  /** The state of the session. */
  #state: Json;
  readonly #speakers = new Map<string, Speaker>();
  #currentSpeaker = '';
  #messageCount = 0;
  readonly #calls = new Set<string>();
  /** The last call of each tool, by name: a result may have no id. */
  readonly #lastCalls = new Map<string, string>();
  /** Calls of tools that run in the page. */
  readonly #pageCalls = new Set<string>();
  /** Calls that wait for approval. Until then, their tool's response only reports the wait. */
  readonly #unapproved = new Set<string>();
  /** The id of the last code execution. */
  #executionId: string | undefined;
  #hasQuestion = false;
  readonly #tokens = { prompt: 0, completion: 0, total: 0 };
  #hasEvents = false;
  /** Whether chunks have come whose complete event is missing. */
  #isOpen = false;
  #hasFailed = false;
  #ending: ReplyEnd = 'complete';

  constructor(context: DecodeContext<AdkSession>) {
    const { messages } = context.turn;
    const reply = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
    const state = messages.findLast(({ metadata }) => isRecord(metadata?.['state']))?.metadata?.['state'];
    this.#context = context;
    this.#lastMetadata = reply.findLast(({ role }) => role === 'assistant')?.metadata;
    this.#authors = new Set(
      messages.flatMap(({ metadata }) => (typeof metadata?.['author'] === 'string' ? [metadata['author']] : [])),
    );
    this.#state = isRecord(state) ? state : {};
  }

  /** Emits the metadata that later requests need, even if this one fails. */
  start(): readonly LLMAgentEvent[] {
    const { providerState } = this.#context;
    if (!providerState) return [];
    const { sessionId, userId, appName } = providerState;
    return [this.#response({ metadata: { sessionId, userId, ...(appName !== undefined && { appName }) } })];
  }

  take(event: AdkEvent, frame: Frame): readonly LLMAgentEvent[] {
    const { author, finishReason, turnComplete } = event;
    if (!author && !adkError(event)) {
      this.#context.report({ kind: 'unknown', detail: 'Not an agent event.', frame });
      return [];
    }
    this.#hasEvents = true;
    if (author && author !== 'user') this.#authors.add(author);
    // User messages are already shown.
    const content = author === 'user' ? [] : this.#takeContent(event);
    if (finishReason || turnComplete) this.#isOpen = false;
    const actions = this.#takeActions(event);
    this.#addUsage(event);
    return [...content, ...actions, ...this.#takeError(event)];
  }

  end(): readonly LLMAgentEvent[] {
    const usage = this.#usage();
    // A chunk without its complete event means that the stream was cut off.
    if (!this.#hasFailed && (!this.#hasEvents || this.#isOpen)) return usage.map((data) => this.#response(data));
    const isWaiting = this.#pageCalls.size > 0 || this.#hasQuestion;
    const end = this.#hasFailed ? 'error' : isWaiting ? 'tool_use' : this.#ending;
    return [...this.#pendingCalls(), { ...endData(end), ...usage[0] }].map((data) => this.#response(data));
  }

  #response(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }

  #takeContent(event: AdkEvent): readonly LLMAgentEvent[] {
    // Calls of `transfer_to_agent` are not shown: the action of the event and the next author already show the transfer.
    const parts = event.content?.parts?.flatMap((part) => (part && !isTransfer(part) ? [part] : [])) ?? [];
    if (parts.length === 0) return [];
    const [speaker, opening] = this.#speakerOf(event);
    this.#isOpen = event.partial === true;
    // Chunks add only text and media. The complete event repeats a streamed call, and only its id there is valid.
    const items = event.partial
      ? parts.flatMap((part) => speaker.appendChunk(part))
      : this.#completeContent(event, parts, speaker);
    return [...opening, ...items.map((data) => this.#response(data))];
  }

  /** Keeps the order of the parts, except that streamed text comes first. */
  #completeContent(event: AdkEvent, parts: readonly AdkPart[], speaker: Speaker): readonly Data[] {
    const hasChunks = speaker.hasChunks;
    const longRunning = new Set(event.longRunningToolIds ?? []);
    const items = [
      ...(hasChunks ? speaker.appendRest(parts) : []),
      ...parts.flatMap((part) => [
        ...(hasChunks ? [] : speaker.appendText(part)),
        ...speaker.appendMedia(part),
        ...this.#takeCode(part, speaker),
        ...this.#takeCall(part, longRunning, speaker),
        ...this.#takeResult(part, event),
      ]),
    ];
    speaker.endModelCall();
    return [...items, ...citationEvents(event, speaker.blockText)];
  }

  /**
   * Returns the agent of an event, and the event that starts its message, if it is new. An agent that continues after another
   * one gets a new message.
   */
  #speakerOf(event: AdkEvent): readonly [Speaker, readonly LLMAgentEvent[]] {
    const key = `${event.author ?? ''} ${event.branch ?? ''}`;
    const existing = this.#speakers.get(key);
    const isCurrent = key === this.#currentSpeaker || existing?.hasChunks;
    this.#currentSpeaker = key;
    return existing && isCurrent ? [existing, []] : this.#addSpeaker(key, event);
  }

  #addSpeaker(key: string, { author, id }: AdkEvent): readonly [Speaker, readonly LLMAgentEvent[]] {
    const name = author ?? '';
    const isFirst = this.#messageCount++ === 0;
    const lastId = this.#lastMetadata?.['author'] === name ? this.#lastMetadata['messageId'] : undefined;
    const continuedId = isFirst && typeof lastId === 'string' ? lastId : undefined;
    const { eventId } = this.#context;
    const message = {
      id: continuedId ?? (isFirst ? (id ?? eventId) : `${eventId}:${String(this.#messageCount)}`),
      // A single agent is shown with the name that the page configures.
      ...(this.#authors.size > 1 && name && { name }),
    };
    const speaker = new Speaker(message, continuedId !== undefined);
    this.#speakers.set(key, speaker);
    return [speaker, [this.#response({ message, ...(name && { metadata: { author: name } }) })]];
  }

  #takeCode({ executableCode, codeExecutionResult }: AdkPart, speaker: Speaker): readonly Data[] {
    const call = { tool_call_name: 'code_execution', tool_call_remote: true } as const;
    if (executableCode) {
      this.#executionId = this.#context.newId();
      const { language, code } = executableCode;
      const params = JSON.stringify({ language, code });
      speaker.breakText();
      return [{ tool_call: 'start', tool_call_id: this.#executionId, tool_call_params: params, ...call }];
    }
    if (!codeExecutionResult) return [];
    const { outcome, output } = codeExecutionResult;
    const tool_call = outcome && outcome !== 'OUTCOME_OK' ? 'error' : 'end';
    const id = this.#executionId ?? this.#context.newId();
    return [{ tool_call, tool_call_id: id, tool_call_response: output ?? '', ...call }];
  }

  #takeCall({ functionCall }: AdkPart, longRunning: ReadonlySet<string>, speaker: Speaker): readonly Data[] {
    if (!functionCall) return [];
    const { name, args } = functionCall;
    const id = functionCall.id || this.#context.newId();
    const isLongRunning = longRunning.has(id);
    const runsInPage = isLongRunning && this.#context.providerState?.tools.includes(name);
    const choice = isLongRunning && !runsInPage ? choiceOfCall(name, id, args) : undefined;
    const question = questionOfCall(name, id, args) ?? choice;
    if (question) return this.#ask(question, speaker);
    const params = exactJson(args ?? {});
    if (!this.#calls.has(id)) this.#lastCalls.set(name, id);
    this.#calls.add(id);
    if (!runsInPage) return speaker.putCall(id, name, params);
    this.#pageCalls.add(id);
    speaker.breakText();
    return [{ tool_call: 'start', tool_call_id: id, tool_call_name: name, tool_call_params: params }];
  }

  #ask(question: Data, speaker: Speaker): readonly Data[] {
    this.#hasQuestion = true;
    if (question.tool_call_id !== undefined) this.#unapproved.add(question.tool_call_id);
    speaker.breakText();
    return [question];
  }

  #takeResult({ functionResponse }: AdkPart, { actions }: AdkEvent): readonly Data[] {
    if (!functionResponse) return [];
    const { id, name, response: value } = functionResponse;
    if (name?.startsWith('adk_request_')) return [];
    const callId = id || this.#lastCalls.get(name ?? '');
    // The result of a page tool comes from the page.
    if (callId === undefined || this.#pageCalls.has(callId)) return [];
    if (this.#unapproved.has(callId) || Object.hasOwn(actions?.requestedToolConfirmations ?? {}, callId)) return [];
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
  }

  #takeActions(event: AdkEvent): readonly LLMAgentEvent[] {
    const { stateDelta, artifactDelta, transferToAgent } = event.actions ?? {};
    const artifacts = Object.entries(artifactDelta ?? {});
    const opening = artifacts.length > 0 ? this.#speakerOf(event)[1] : [];
    const items: readonly Data[] = [
      ...this.#changeState(stateDelta ?? {}),
      ...(transferToAgent && transferToAgent !== event.author
        ? [{ phase: { name: TRANSFER, message: transferToAgent } }]
        : []),
      ...artifacts.map(([name, version]) => artifactEvent(this.#context, name, version)),
    ];
    return [...opening, ...items.map((data) => this.#response(data))];
  }

  #changeState(delta: Json): readonly Data[] {
    if (Object.keys(delta).length === 0) return [];
    this.#state = { ...this.#state, ...delta };
    return [{ state: { value: this.#state }, metadata: { state: this.#state } }];
  }

  #addUsage({ usageMetadata, partial }: AdkEvent): void {
    if (!usageMetadata || partial) return;
    const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, totalTokenCount } = usageMetadata;
    const completion = (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0);
    this.#tokens.prompt += promptTokenCount ?? 0;
    this.#tokens.completion += completion;
    this.#tokens.total += totalTokenCount ?? (promptTokenCount ?? 0) + completion;
  }

  #usage(): readonly Data[] {
    const { prompt, completion, total } = this.#tokens;
    return total > 0
      ? [{ totalUsage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } }]
      : [];
  }

  #takeError(event: AdkEvent): readonly LLMAgentEvent[] {
    const { errorCode, errorMessage, finishReason } = event;
    // Without an error code, the reason of the last model call that has one decides.
    if (errorCode || finishReason) {
      const end = replyEnd(errorCode || finishReason);
      const isCut = end === 'max_tokens' || (end === 'filtered' && !errorMessage);
      this.#ending = isCut ? end : 'complete';
      if (isCut) return [];
    }
    const problem = adkError(event);
    return problem ? this.#fail(problem.error, problem.code) : [];
  }

  #fail(error: string, code?: string): readonly LLMAgentEvent[] {
    if (this.#hasFailed) return [];
    this.#hasFailed = true;
    return [{ type: 'error', data: { eventId: this.#context.eventId, error, ...(code && { code }) } }];
  }

  /** Also clears the pending calls of an earlier stream, because they have results now. */
  #pendingCalls(): readonly Data[] {
    const hasChanged = this.#pageCalls.size > 0 || this.#lastMetadata?.['waitingCalls'] !== undefined;
    return hasChanged ? [{ metadata: waitingMetadata([...this.#pageCalls]) }] : [];
  }
}

const isTransfer = ({ functionCall, functionResponse }: AdkPart): boolean =>
  (functionCall?.name ?? functionResponse?.name) === TRANSFER;

/** A tool result that is not an object arrives as `{result}`. */
function resultText(value: unknown): string {
  const result = isRecord(value) && Object.keys(value).length === 1 && 'result' in value ? value['result'] : value;
  return typeof result === 'string' ? result : JSON.stringify(result ?? {});
}

type SessionContext = Pick<DecodeContext<AdkSession>, 'url' | 'providerState'>;

function artifactEvent(context: SessionContext, name: string, version: unknown): Data {
  const url = artifactUrl(context, name, version);
  return { media: { kind: 'file', name, ...(url && { url }) }, data_id: `artifact ${name}` };
}

/** URL of an artifact. The server returns JSON that contains the bytes. */
function artifactUrl({ url, providerState }: SessionContext, name: string, version: unknown): string | undefined {
  const server = url === undefined ? undefined : parseAdkEndpoint(url);
  if (!providerState?.appName || server?.kind !== 'server') return undefined;
  const segments = [providerState.sessionId, ...name.split('/'), String(version)].map(safePathSegment);
  const [session, ...rest] = segments.filter((step) => step !== undefined);
  if (session === undefined || rest.length + 1 < segments.length) return undefined;
  const path = [...rest.slice(0, -1), 'versions', ...rest.slice(-1)].join('/');
  return contentUrl(
    server.urlOf(`${sessionsPath(providerState.appName, providerState.userId)}/${session}/artifacts/${path}`),
  );
}
