/** Converts the events of a Flowise prediction. Source: `docs/protocols/flowise.md`; FlowiseAI/Flowise. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { fit } from '../core/read-frames.ts';
import { asText } from '../shared/as-text.ts';
import { errorMessage } from '../shared/error-message.ts';
import { joinBase64 } from '../shared/files/join-base64.ts';
import { lenientNumber, textValue } from '../shared/lenient.ts';
import {
  actionQuestion,
  artifactEvent,
  documentCitation,
  trackFlowiseTools,
  parseList,
  parseAgentReasoning,
} from './event-parts.ts';
import { chatIdOf } from './request.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Json = Readonly<Record<string, unknown>>;

const wire = z.looseObject({ event: z.string(), data: z.exactOptional(z.unknown()), duration: lenientNumber });

/** The state of one reply, and what an event changes in it. */
export class FlowiseReply {
  readonly #context: DecodeContext;
  readonly #tools: ReturnType<typeof trackFlowiseTools>;
  /** Keys of the emitted entries and questions: the server repeats each list completely. */
  readonly #emittedKeys = new Set<string>();
  readonly #audioChunks: string[] = [];
  readonly #tokens = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  #chatId: string;
  #hasText = false;
  #hasContent = false;
  #hasQuestion = false;
  #hasFailed = false;
  /** The last state of the flow that the server has reported. */
  #status = '';
  /** The error of the last node that has failed: the reason if the flow fails. */
  #nodeError: string | undefined;

  constructor(context: DecodeContext) {
    this.#context = context;
    this.#tools = trackFlowiseTools(context.newId);
    this.#chatId = chatIdOf(context.turn);
  }

  take(json: unknown, frame: Frame): readonly LLMAgentEvent[] {
    const { report } = this.#context;
    if (isDocument(json)) return this.#takeDocument(json);
    const event = fit(wire, json, frame, report);
    if (!event) return [];
    const { event: name, data } = event;
    const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
    if (handler) return handler(this, data);
    if (!IGNORED.has(name)) report({ kind: 'unknown', detail: `Unknown event "${name}".`, frame });
    return [];
  }

  show(...items: readonly Data[]): readonly LLMAgentEvent[] {
    const { eventId } = this.#context;
    this.#hasContent ||= items.some(isContent);
    return items.map((data) => ({ type: 'response', data: { eventId, ...data } }));
  }

  appendText(data: unknown): readonly LLMAgentEvent[] {
    const text = textValue.safeParse(data).data ?? '';
    if (text === '') return [];
    this.#hasText = true;
    return this.show({ content: text });
  }

  showPhase(name: unknown): readonly LLMAgentEvent[] {
    return typeof name === 'string' && name ? this.show({ phase: { name, message: name } }) : [];
  }

  showCitations(data: unknown): readonly LLMAgentEvent[] {
    return parseList(data).flatMap((item, index) => {
      const citation = documentCitation(item, index);
      return citation ? this.#showOnce(['document', citation], { citation }) : [];
    });
  }

  showArtifacts(data: unknown): readonly LLMAgentEvent[] {
    return parseList(data).flatMap((item) => {
      const artifact = artifactEvent(item, { url: this.#context.url, chatId: this.#chatId });
      return artifact ? this.#showOnce(['artifact', item], artifact) : [];
    });
  }

  showCalledTools(data: unknown): readonly LLMAgentEvent[] {
    return this.show(...this.#tools.called(parseList(data)));
  }

  /** @param key - the list that repeats its entries */
  showUsedTools(data: unknown, key?: string): readonly LLMAgentEvent[] {
    return this.show(...this.#tools.used(parseList(data), key));
  }

  /** What the agents of a flow have thought and done so far. */
  showAgents(data: unknown): readonly LLMAgentEvent[] {
    return parseList(data).flatMap((item, index) => {
      const { messages, lists, next } = parseAgentReasoning(item);
      return [
        ...messages.flatMap((text, position) =>
          this.#showOnce(['thought', index, position], { reasoning_content: text }),
        ),
        ...this.showUsedTools(lists.tools, `agent${String(index)}`),
        ...this.showCitations(lists.documents),
        ...this.showArtifacts(lists.artifacts),
        ...this.showPhase(next),
      ];
    });
  }

  ask(data: unknown): readonly LLMAgentEvent[] {
    const question = actionQuestion(data, this.#hasText);
    if (!question) return [];
    this.#hasQuestion = true;
    return this.#showOnce(['action', question.request?.id], question);
  }

  takeMetadata(data: unknown): readonly LLMAgentEvent[] {
    if (!isRecord(data)) return [];
    const names = ['chatId', 'chatMessageId', 'sessionId'].filter((name) => typeof data[name] === 'string');
    if (typeof data['chatId'] === 'string') this.#chatId = data['chatId'];
    const prompts = parseList(data['followUpPrompts']).filter((prompt) => typeof prompt === 'string');
    return [
      ...this.show({
        metadata: Object.fromEntries(names.map((name) => [name, data[name]])),
        ...(prompts.length > 0 && { suggestions: prompts.map((label) => ({ label, prompt: label })) }),
      }),
      ...(data['action'] ? this.ask(data['action']) : []),
    ];
  }

  /** Each node of a flow counts its own tokens. */
  addUsage(data: unknown): readonly LLMAgentEvent[] {
    const [prompt, completion] = [numberIn(data, 'input_tokens'), numberIn(data, 'output_tokens')];
    this.#tokens.prompt_tokens += prompt;
    this.#tokens.completion_tokens += completion;
    this.#tokens.total_tokens += numberIn(data, 'total_tokens') || prompt + completion;
    return this.#tokens.total_tokens > 0 ? this.show({ totalUsage: { ...this.#tokens } }) : [];
  }

  addAudio(data: unknown): readonly LLMAgentEvent[] {
    const chunk = isRecord(data) ? data['audioChunk'] : data;
    if (typeof chunk === 'string') this.#audioChunks.push(chunk);
    return [];
  }

  showAudio(): readonly LLMAgentEvent[] {
    const data = joinBase64(this.#audioChunks.splice(0));
    return data === undefined ? [] : this.show({ media: { kind: 'audio', data, mimeType: 'audio/mpeg' } });
  }

  /** A node has started or ended. */
  takeNode(data: unknown): readonly LLMAgentEvent[] {
    if (!isRecord(data)) return [];
    if (data['status'] === 'INPROGRESS') return this.showPhase(data['nodeLabel'] ?? data['nodeId']);
    if (data['status'] === 'ERROR') this.#nodeError = errorMessage(data['error']) ?? this.#nodeError;
    return [];
  }

  setStatus(data: unknown): readonly LLMAgentEvent[] {
    this.#status = typeof data === 'string' ? data : '';
    return [];
  }

  fail(data: unknown): readonly LLMAgentEvent[] {
    if (this.#hasFailed) return [];
    this.#hasFailed = true;
    const message = isRecord(data) ? (errorMessage(data) ?? '') : asText(data);
    const error = message.replace(ERROR_PREFIX, '') || 'The flow reports an error.';
    return [{ type: 'error', data: { eventId: this.#context.eventId, error } }];
  }

  end(): readonly LLMAgentEvent[] {
    const failure = FAILED_STATES.has(this.#status)
      ? this.fail(this.#nodeError ?? `The flow ended: ${this.#status}.`)
      : [];
    if (this.#hasFailed) return [...failure, ...this.show({ finish: 'error' })];
    if (this.#status === 'TERMINATED') return this.show({ finish: 'cancelled' });
    if (this.#hasQuestion) return this.show({ finish: 'tool_use' });
    // An end without any content is an empty reply.
    if (!this.#hasContent) return [];
    return this.show(...this.#tools.rest(), { finish: 'complete' });
  }

  #showOnce(key: unknown, data: Data): readonly LLMAgentEvent[] {
    const name = JSON.stringify(key);
    if (this.#emittedKeys.has(name)) return [];
    this.#emittedKeys.add(name);
    return this.show(data);
  }

  /** A flow without streaming returns a JSON document. */
  #takeDocument(json: Json): readonly LLMAgentEvent[] {
    if (json['success'] === false) return [...this.fail(json['message'] ?? json['error']), ...this.end()];
    return [
      ...this.showAgents(json['agentReasoning']),
      ...this.showUsedTools(json['usedTools']),
      ...this.#showAnswer(json),
      ...this.showCitations(json['sourceDocuments']),
      ...this.showArtifacts(json['artifacts']),
      ...(json['action'] ? this.ask(json['action']) : []),
      ...this.takeMetadata({ ...json, action: undefined }),
      ...this.end(),
    ];
  }

  #showAnswer({ text, json: data }: Json): readonly LLMAgentEvent[] {
    if (typeof text === 'string') return this.appendText(text);
    return data === undefined ? [] : this.show({ data: { data_type: 'custom', data } });
  }
}

/** What each type of event does. */
const HANDLERS: Readonly<Record<string, (reply: FlowiseReply, data: unknown) => readonly LLMAgentEvent[]>> = {
  token: (reply, data) => reply.appendText(data),
  thinking: (reply, data) => (typeof data === 'string' && data ? reply.show({ reasoning_content: data }) : []),
  sourceDocuments: (reply, data) => reply.showCitations(data),
  usedTools: (reply, data) => reply.showUsedTools(data),
  calledTools: (reply, data) => reply.showCalledTools(data),
  agentReasoning: (reply, data) => reply.showAgents(data),
  nextAgent: (reply, data) => reply.showPhase(data),
  agentFlowEvent: (reply, data) => reply.setStatus(data),
  nextAgentFlow: (reply, data) => reply.takeNode(data),
  artifacts: (reply, data) => reply.showArtifacts(data),
  fileAnnotations: (reply, data) => reply.showArtifacts(parseList(data).map(annotationArtifact)),
  action: (reply, data) => reply.ask(data),
  usageMetadata: (reply, data) => reply.addUsage(data),
  metadata: (reply, data) => reply.takeMetadata(data),
  tts_data: (reply, data) => reply.addAudio(data),
  tts_end: (reply) => reply.showAudio(),
  error: (reply, data) => reply.fail(data),
  abort: (reply) => reply.show({ finish: 'cancelled' }),
  end: (reply) => reply.end(),
};

/** Whether data is more than metadata and usage. */
const isContent = (data: Data): boolean =>
  Object.keys(data).some((name) => name !== 'metadata' && name !== 'totalUsage');

const annotationArtifact = (item: unknown): unknown =>
  isRecord(item) ? { type: 'file', data: item['filePath'], name: item['fileName'] } : item;

const isDocument = (json: unknown): json is Json =>
  isRecord(json) && json['event'] === undefined && DOCUMENT_FIELDS.some((name) => json[name] !== undefined);

function numberIn(data: unknown, name: string): number {
  const value = isRecord(data) ? data[name] : 0;
  return typeof value === 'number' ? value : 0;
}

/** The prefix of an error message: the function of the server that failed. */
const ERROR_PREFIX = /^(?:Error: )?(?:\w+\.\w+ - )+/;
/** States of a flow that has failed. */
const FAILED_STATES = new Set(['ERROR', 'TIMEOUT']);
/** Fields of which a JSON document has at least one. */
const DOCUMENT_FIELDS = ['text', 'json', 'chatMessageId', 'success'];
/** Ignored events: starts, data for the server, and the execution tree, whose steps are already visible. */
const IGNORED = new Set(['start', 'tool', 'agentFlowExecutedData', 'tts_start', 'tts_abort']);
