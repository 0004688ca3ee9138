/** Flowise's prediction API (`flowise`). Source: `docs/protocols/flowise.md`; FlowiseAI/Flowise. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { asText } from '../shared/as-text.ts';
import { chatIdOf, flowiseCancel, flowiseFeedback, flowiseRequest } from './request.ts';
import {
  actionQuestion,
  artifactEvent,
  documentCitation,
  trackFlowiseTools,
  parseList,
  parseAgentReasoning,
} from './event-parts.ts';
import { joinBase64 } from '../shared/files/join-base64.ts';
import { lenientNumber, textValue } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';
import { readThinkTags } from '../shared/think-tags.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext } from '../core/adapter.ts';

const wire = z.looseObject({ event: z.string(), data: z.exactOptional(z.unknown()), duration: lenientNumber });

export const flowise: Adapter = {
  id: 'flowise',
  label: 'Flowise',
  kind: 'agent',
  request: flowiseRequest,
  cancel: flowiseCancel,
  feedback: flowiseFeedback,

  async *decode(batches, context) {
    const reply = makeReply(context);
    const tags = readThinkTags(context.eventId);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) events.push(...reply(json, frame));
      yield tags.read(events);
    }
    yield tags.end();
  },
};

type Data = Omit<LLMAgentEventData, 'eventId'>;

function makeReply({ eventId, newId, report, url, turn }: DecodeContext) {
  const tools = trackFlowiseTools(newId);
  /** Keys of emitted list entries: lists are repeated completely. */
  const emittedKeys = new Set<string>();
  const audioChunks: string[] = [];
  const totalUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  let chatId = chatIdOf(turn);
  let hasText = false;
  let hasContent = false;
  let hasQuestion = false;
  let failed = false;
  /** Final state of the flow. */
  let status = '';

  const response = (data: Data): LLMAgentEvent => {
    hasContent ||= Object.keys(data).some((name) => name !== 'metadata' && name !== 'totalUsage');
    return { type: 'response', data: { eventId, ...data } };
  };
  const once = (key: unknown, ...events: readonly Data[]): readonly LLMAgentEvent[] => {
    const name = JSON.stringify(key);
    if (emittedKeys.has(name)) return [];
    emittedKeys.add(name);
    return events.map(response);
  };
  const fail = (data: unknown): readonly LLMAgentEvent[] => {
    if (failed) return [];
    failed = true;
    const message = asText(data).replace(PREFIX, '');
    return [{ type: 'error', data: { eventId, error: message || 'The flow reports an error.' } }];
  };
  const emitText = (data: unknown): readonly LLMAgentEvent[] => {
    const text = textValue.safeParse(data).data ?? '';
    if (text === '') return [];
    hasText = true;
    return [response({ content: text })];
  };
  const phase = (name: unknown): readonly LLMAgentEvent[] =>
    typeof name === 'string' && name ? [response({ phase: { name, message: name } })] : [];

  const emitCitations = (data: unknown): readonly LLMAgentEvent[] =>
    parseList(data).flatMap((item, index) => {
      const citation = documentCitation(item, index);
      return citation ? once(['document', citation], { citation }) : [];
    });
  const showArtifacts = (data: unknown): readonly LLMAgentEvent[] =>
    parseList(data).flatMap((item) => {
      const event = artifactEvent(item, { url, chatId });
      return event ? once(['artifact', item], event) : [];
    });
  const emitReasoning = (data: unknown): readonly LLMAgentEvent[] =>
    parseList(data).flatMap((item, index) => {
      const { messages, lists, next } = parseAgentReasoning(item);
      return [
        ...messages.flatMap((reasoning, position) =>
          once(['thought', index, position], { reasoning_content: reasoning }),
        ),
        ...tools.used(lists.tools, `agent${String(index)}`).map(response),
        ...emitCitations(lists.documents),
        ...showArtifacts(lists.artifacts),
        ...(next === undefined ? [] : phase(next)),
      ];
    });
  const emitQuestion = (data: unknown): readonly LLMAgentEvent[] => {
    const question = actionQuestion(data, hasText);
    if (!question) return [];
    hasQuestion = true;
    return once(['action', question.request?.id], question);
  };
  const takeMetadata = (data: unknown): readonly LLMAgentEvent[] => {
    if (!isRecord(data)) return [];
    const names = ['chatId', 'chatMessageId', 'sessionId'].filter((name) => typeof data[name] === 'string');
    if (typeof data['chatId'] === 'string') chatId = data['chatId'];
    const prompts = parseList(data['followUpPrompts']).filter((prompt) => typeof prompt === 'string');
    return [
      response({
        metadata: Object.fromEntries(names.map((name) => [name, data[name]])),
        ...(prompts.length > 0 && { suggestions: prompts.map((label) => ({ label, prompt: label })) }),
      }),
      ...(data['action'] ? emitQuestion(data['action']) : []),
    ];
  };
  /** Each node of a flow counts its own tokens. */
  const addUsage = (data: unknown): readonly LLMAgentEvent[] => {
    const number = (name: string): number => {
      const value = isRecord(data) ? data[name] : 0;
      return typeof value === 'number' ? value : 0;
    };
    const [prompt, completion] = [number('input_tokens'), number('output_tokens')];
    totalUsage.prompt_tokens += prompt;
    totalUsage.completion_tokens += completion;
    totalUsage.total_tokens += number('total_tokens') || prompt + completion;
    return totalUsage.total_tokens > 0 ? [response({ totalUsage: { ...totalUsage } })] : [];
  };
  const end = (): readonly LLMAgentEvent[] => {
    const broken = BROKEN.has(status) ? fail(`The flow ended: ${status}.`) : [];
    const cancelled = status === 'TERMINATED' && !failed;
    const finish = failed ? 'error' : cancelled ? 'cancelled' : hasQuestion ? 'tool_use' : 'complete';
    // An end without any content is an empty reply.
    if (finish === 'complete' && !hasContent) return [];
    return [...broken, ...(finish === 'complete' ? tools.rest().map(response) : []), response({ finish })];
  };
  /** A flow without streaming returns a JSON document. */
  const takeDocument = (json: Readonly<Record<string, unknown>>): readonly LLMAgentEvent[] => {
    if (json['success'] === false) return [...fail(json['message'] ?? json['error']), ...end()];
    const { text, json: data } = json;
    return [
      ...emitReasoning(json['agentReasoning']),
      ...tools.used(parseList(json['usedTools'])).map(response),
      ...(typeof text === 'string'
        ? emitText(text)
        : data === undefined
          ? []
          : [response({ data: { data_type: 'custom', data } })]),
      ...emitCitations(json['sourceDocuments']),
      ...showArtifacts(json['artifacts']),
      ...(json['action'] ? emitQuestion(json['action']) : []),
      ...takeMetadata({ ...json, action: undefined }),
      ...end(),
    ];
  };

  const handlers: Readonly<Record<string, (data: unknown) => readonly LLMAgentEvent[]>> = {
    token: emitText,
    thinking: (data) => (typeof data === 'string' && data ? [response({ reasoning_content: data })] : []),
    sourceDocuments: emitCitations,
    usedTools: (data) => tools.used(parseList(data)).map(response),
    calledTools: (data) => tools.called(parseList(data)).map(response),
    agentReasoning: emitReasoning,
    nextAgent: phase,
    agentFlowEvent: (data) => {
      status = typeof data === 'string' ? data : '';
      return [];
    },
    nextAgentFlow: (data) =>
      isRecord(data) && data['status'] === 'INPROGRESS' ? phase(data['nodeLabel'] ?? data['nodeId']) : [],
    artifacts: showArtifacts,
    fileAnnotations: (data) =>
      showArtifacts(
        parseList(data).map((item) =>
          isRecord(item) ? { type: 'file', data: item['filePath'], name: item['fileName'] } : item,
        ),
      ),
    action: emitQuestion,
    usageMetadata: addUsage,
    metadata: takeMetadata,
    tts_data: (data) => {
      const chunk = isRecord(data) ? data['audioChunk'] : data;
      if (typeof chunk === 'string') audioChunks.push(chunk);
      return [];
    },
    tts_end: () => {
      const data = joinBase64(audioChunks.splice(0));
      return data === undefined ? [] : [response({ media: { kind: 'audio', data, mimeType: 'audio/mpeg' } })];
    },
    error: fail,
    abort: () => [response({ finish: 'cancelled' })],
    end,
  };

  return (json: unknown, frame: Frame): readonly LLMAgentEvent[] => {
    if (isRecord(json) && json['event'] === undefined && DOCUMENT.some((name) => json[name] !== undefined)) {
      return takeDocument(json);
    }
    const event = fit(wire, json, frame, report);
    if (!event) return [];
    if (Object.hasOwn(handlers, event.event)) return handlers[event.event]?.(event.data) ?? [];
    if (!IGNORED.has(event.event)) report({ kind: 'unknown', detail: `Unknown event "${event.event}".`, frame });
    return [];
  };
}

/** The prefix of an error message: the function of the server that failed. */
const PREFIX = /^(?:Error: )?(?:\w+\.\w+ - )+/;
const BROKEN = new Set(['ERROR', 'TIMEOUT']);
const DOCUMENT = ['text', 'json', 'chatMessageId', 'success'];
/** Ignored events: starts, data for the server, and the execution tree, whose steps are already visible. */
const IGNORED = new Set(['start', 'tool', 'agentFlowExecutedData', 'tts_start', 'tts_abort']);
