/** Flowise's prediction API (`flowise`). Source: `flowise.md`. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { asText } from '../shared/as-text.ts';
import { detectFlowise } from '../detect/builders.ts';
import { chatOf, flowiseCancel, flowiseFeedback, flowiseRequest } from './request.ts';
import { actionOf, artifactOf, documentOf, gatherFlowiseTools, listIn, reasoningOf } from './things.ts';
import { joinBase64 } from '../shared/join-base64.ts';
import { maybeNumber } from '../shared/maybe.ts';
import { isRecord } from '../../model/json.ts';
import { fit, readJsonFrames } from '../shared/read-frames.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext } from '../adapter.ts';

const wire = z.looseObject({ event: z.string(), data: z.exactOptional(z.unknown()), duration: maybeNumber });

export const flowise: Adapter = {
  id: 'flowise',
  label: 'Flowise',
  kind: 'agent',
  detect: detectFlowise,
  request: flowiseRequest,
  cancel: flowiseCancel,
  feedback: flowiseFeedback,

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) events.push(...reply(json, frame));
      yield events;
    }
  },
};

type Data = Omit<LLMAgentEventData, 'eventId'>;

function makeReply({ eventId, newId, report, url, turn }: DecodeContext) {
  const tools = gatherFlowiseTools(newId);
  /** Lists are sent again, whole: what was told of them is not told twice. */
  const told = new Set<string>();
  const sound: string[] = [];
  const used = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  let chatId = chatOf(turn);
  let said = false;
  let asked = false;
  let failed = false;
  /** How the flow says that it has ended. */
  let status = '';

  const response = (data: Data): LLMAgentEvent => ({ type: 'response', data: { eventId, ...data } });
  const once = (key: unknown, ...events: readonly Data[]): readonly LLMAgentEvent[] => {
    const name = JSON.stringify(key);
    if (told.has(name)) return [];
    told.add(name);
    return events.map(response);
  };
  const fail = (data: unknown): readonly LLMAgentEvent[] => {
    if (failed) return [];
    failed = true;
    const words = asText(data).replace(PREFIX, '');
    return [{ type: 'error', data: { eventId, error: words || 'The flow reports an error.' } }];
  };
  const say = (data: unknown): readonly LLMAgentEvent[] => {
    if (typeof data !== 'string' || data === '') return [];
    said = true;
    return [response({ content: data })];
  };
  const phase = (name: unknown): readonly LLMAgentEvent[] =>
    typeof name === 'string' && name ? [response({ phase: { name, message: name } })] : [];

  const cite = (data: unknown): readonly LLMAgentEvent[] =>
    listIn(data).flatMap((item, index) => {
      const citation = documentOf(item, index);
      return citation ? once(['document', citation], { citation }) : [];
    });
  const showArtifacts = (data: unknown): readonly LLMAgentEvent[] =>
    listIn(data).flatMap((item) => {
      const event = artifactOf(item, { url, chatId });
      return event ? once(['artifact', item], event) : [];
    });
  const reason = (data: unknown): readonly LLMAgentEvent[] =>
    listIn(data).flatMap((item, index) => {
      const { messages, lists, next } = reasoningOf(item);
      return [
        ...messages.flatMap((words, place) => once(['thought', index, place], { reasoning_content: words })),
        ...tools.used(lists.tools, `agent${String(index)}`).map(response),
        ...cite(lists.documents),
        ...showArtifacts(lists.artifacts),
        ...(next === undefined ? [] : phase(next)),
      ];
    });
  const ask = (data: unknown): readonly LLMAgentEvent[] => {
    const question = actionOf(data, said);
    if (!question) return [];
    asked = true;
    return once(['action', question.request?.id], question);
  };
  const note = (data: unknown): readonly LLMAgentEvent[] => {
    if (!isRecord(data)) return [];
    const facts = ['chatId', 'chatMessageId', 'sessionId'].filter((name) => typeof data[name] === 'string');
    if (typeof data['chatId'] === 'string') chatId = data['chatId'];
    const prompts = listIn(data['followUpPrompts']).filter((prompt) => typeof prompt === 'string');
    return [
      response({
        metadata: Object.fromEntries(facts.map((name) => [name, data[name]])),
        ...(prompts.length > 0 && { suggestions: prompts.map((label) => ({ label, prompt: label })) }),
      }),
      ...(data['action'] ? ask(data['action']) : []),
    ];
  };
  /** Each node of a flow counts its own tokens. */
  const count = (data: unknown): readonly LLMAgentEvent[] => {
    const number = (name: string): number => {
      const value = isRecord(data) ? data[name] : 0;
      return typeof value === 'number' ? value : 0;
    };
    const [prompt, completion] = [number('input_tokens'), number('output_tokens')];
    used.prompt_tokens += prompt;
    used.completion_tokens += completion;
    used.total_tokens += number('total_tokens') || prompt + completion;
    return used.total_tokens > 0 ? [response({ totalUsage: { ...used } })] : [];
  };
  const end = (): readonly LLMAgentEvent[] => {
    const broken = BROKEN.has(status) ? fail(`The flow has ended: ${status}.`) : [];
    const cancelled = status === 'TERMINATED' && !failed;
    const finish = failed ? 'error' : cancelled ? 'cancelled' : asked ? 'tool_use' : 'complete';
    return [...broken, ...(finish === 'complete' ? tools.rest().map(response) : []), response({ finish })];
  };
  /** A flow that does not stream answers with a document. */
  const takeDocument = (json: Readonly<Record<string, unknown>>): readonly LLMAgentEvent[] => {
    if (json['success'] === false) return [...fail(json['message'] ?? json['error']), ...end()];
    const { text, json: data } = json;
    return [
      ...reason(json['agentReasoning']),
      ...tools.used(listIn(json['usedTools'])).map(response),
      ...(typeof text === 'string'
        ? say(text)
        : data === undefined
          ? []
          : [response({ data: { data_type: 'custom', data } })]),
      ...cite(json['sourceDocuments']),
      ...showArtifacts(json['artifacts']),
      ...(json['action'] ? ask(json['action']) : []),
      ...note({ ...json, action: undefined }),
      ...end(),
    ];
  };

  const handlers: Readonly<Record<string, (data: unknown) => readonly LLMAgentEvent[]>> = {
    token: say,
    thinking: (data) => (typeof data === 'string' && data ? [response({ reasoning_content: data })] : []),
    sourceDocuments: cite,
    usedTools: (data) => tools.used(listIn(data)).map(response),
    calledTools: (data) => tools.called(listIn(data)).map(response),
    agentReasoning: reason,
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
        listIn(data).map((item) =>
          isRecord(item) ? { type: 'file', data: item['filePath'], name: item['fileName'] } : item,
        ),
      ),
    action: ask,
    usageMetadata: count,
    metadata: note,
    tts_data: (data) => {
      const piece = isRecord(data) ? data['audioChunk'] : data;
      if (typeof piece === 'string') sound.push(piece);
      return [];
    },
    tts_end: () => {
      const data = joinBase64(sound.splice(0));
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
    if (!SILENT.has(event.event)) report({ kind: 'unknown', detail: `The event "${event.event}" is new.`, frame });
    return [];
  };
}

/** Where the server's own function says that it has failed. */
const PREFIX = /^(?:Error: )?(?:\w+\.\w+ - )+/;
const BROKEN = new Set(['ERROR', 'TIMEOUT']);
const DOCUMENT = ['text', 'json', 'chatMessageId', 'success'];
/** Begins and nothing else, the tree that the steps have told already, and what is for the server. */
const SILENT = new Set(['start', 'tool', 'agentFlowExecutedData', 'tts_start', 'tts_abort']);
