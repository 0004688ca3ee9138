/**
 * assistant-ui's assistant transport (`assistant-transport`): commands go out, parts and changes of a shared state come back.
 * Source: `other.md`, "assistant-ui"; assistant-ui/assistant-ui, `packages/core/src/react/runtimes/assistant-transport`.
 */
import { toAttachment } from '../../model/attachment.ts';
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { ChatMessage, FinishReason } from '../../model/message.ts';
import { z } from '../../model/schema.ts';
import { parseDataUrl } from '../shared/data-url.ts';
import { detectAssistantTransport } from '../detect/servers.ts';
import { maybe, maybeNumber, maybeText } from '../shared/maybe.ts';
import { parseJson } from '../../model/json.ts';
import { fit, readJsonFrames } from '../shared/read-frames.ts';
import { isInline, toDataUrl } from '../shared/sent-files.ts';
import { messagesInState } from './state-messages.ts';
import { operate, stateOperation } from '../shared/state-operations.ts';
import { systemText } from '../shared/system-text.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent, DecodeContext, Turn } from '../adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const text = z.string();
const json = z.exactOptional(z.unknown());
const list = z.array(z.unknown());
const place = z.array(z.number());
const usage = maybe(z.object({ inputTokens: maybeNumber, outputTokens: maybeNumber }));
const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal(['text', 'reasoning']) }),
  z.object({ type: z.literal('tool-call'), toolCallId: text, toolName: text }),
  z.object({ type: z.literal('source'), id: maybeText, url: text, title: maybeText }),
  z.object({ type: z.literal('file'), data: text, mimeType: maybeText }),
  z.object({ type: z.literal('data'), name: maybeText, data: json }),
]);
type Part = z.infer<typeof part>;
const end = { finishReason: maybeText, usage };
const chunk = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step-start'), messageId: maybeText }),
  z.object({ type: z.literal('part-start'), part, path: maybe(place) }),
  z.object({ type: z.literal('text-delta'), textDelta: text, path: place }),
  z.object({ type: z.literal(['tool-call-args-text-finish', 'part-finish']) }),
  z.object({ type: z.literal('result'), result: json, isError: maybe(z.boolean()), path: place }),
  z.object({ type: z.literal('data'), data: list }),
  z.object({ type: z.literal('annotations'), annotations: list }),
  z.object({ type: z.literal('update-state'), operations: z.array(stateOperation) }),
  z.object({ type: z.literal('step-finish'), ...end, isContinued: maybe(z.boolean()) }),
  z.object({ type: z.literal('message-finish'), ...end }),
  z.object({ type: z.literal('error'), error: text, code: maybeText, severity: maybeText }),
]);
type Chunk = z.infer<typeof chunk>;
type Result = Extract<Chunk, { readonly type: 'result' }>;

const finishReasons = new Map<string, FinishReason>([
  ['length', 'max_tokens'],
  ['tool-calls', 'tool_use'],
  ['content-filter', 'error'],
  ['error', 'error'],
]);

export const assistantTransport: Adapter = {
  id: 'assistant-transport',
  label: 'assistant-ui transport',
  kind: 'agent',
  detect: detectAssistantTransport,

  request(turn, { url, headers = {}, tools = [], ...options }) {
    const system = systemText(options);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          commands: [...resultsOf(turn), ...newMessage(turn)],
          state: stateBefore(turn) ?? null,
          threadId: turn.threadId,
          ...(system && { system }),
          ...(tools.length > 0 && { tools: Object.fromEntries(tools.map(({ name, ...tool }) => [name, tool])) }),
        },
      },
    };
  },

  async *decode(batches, context) {
    const { eventId, report } = context;
    const reply = makeReply(context);
    const tell = (data: Data): AdapterEvent => ({ type: 'response', data: { eventId, ...data } });
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json: value, frame } of readJsonFrames(batch, report)) {
        const data = fit(chunk, value, frame, report);
        if (!data) continue;
        events.push(...reply.take(data, frame).map(tell));
        if (data.type === 'error' && (data.severity ?? 'critical') === 'critical') {
          events.push({ type: 'error', data: { eventId, error: data.error, ...(data.code && { code: data.code }) } });
        }
      }
      // Many small changes make one state.
      yield [...events, ...reply.tellState().map(tell)];
    }
    yield reply.end().map(tell);
  },
};

/** The shared state as the server had left it. */
const stateBefore = ({ messages }: Turn): unknown =>
  messages.findLast(({ metadata }) => metadata?.['agentState'] !== undefined)?.metadata?.['agentState'];

/** The results of the calls that the last stream had left to the page. */
function resultsOf({ messages }: Turn): readonly object[] {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const open = last?.metadata?.['openCalls'];
  if (!last || !Array.isArray(open)) return [];
  return last.blocks.flatMap((block) => {
    if (block.type !== 'tool_call' || !open.includes(block.tool_call.id)) return [];
    const { id, name = '', response } = block.tool_call;
    const result = response === undefined ? 'The call was not finished.' : (parseJson(response) ?? response);
    return [{ type: 'add-tool-result', toolCallId: id, toolName: name, result, isError: block.status !== 'success' }];
  });
}

function newMessage({ messages }: Turn): readonly object[] {
  const last = messages.findLast(({ role, blocks }) => role === 'user' || blocks.length > 0);
  return last?.role === 'user'
    ? [{ type: 'add-message', message: { role: 'user', parts: userParts(last) }, parentId: null, sourceId: null }]
    : [];
}

/** The protocol has words and pictures; other files go as their address, which is all that can be said of them. */
const userParts = ({ blocks }: ChatMessage): readonly object[] =>
  blocks.flatMap((block): readonly object[] => {
    if (block.type === 'content') return [{ type: 'text', text: block.content }];
    return toAttachment(block).map((file) => {
      const url = isInline(file) ? toDataUrl(file) : (file.url ?? '');
      if (file.kind === 'image') return { type: 'image', image: url };
      return { type: 'file', data: url, mimeType: file.mimeType ?? '', ...(file.name && { filename: file.name }) };
    });
  });

function makeReply({ turn, newId, saidDone, report }: DecodeContext) {
  const parts: Part[] = [];
  const open = new Map<string, string>();
  const annotations: unknown[] = [];
  let state = stateBefore(turn);
  const shown = messagesInState(state);
  let messageId = newId();
  let changed = false;
  let used = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  let failed = false;
  let finished = false;
  /** The last step has ended, and nothing has come behind it. */
  let stepEnd: FinishReason | undefined;
  /** It ends with an error of which nothing more is told. */
  let unexplained = false;

  const count = (given: z.infer<typeof usage>): typeof used | undefined => {
    if (typeof given?.inputTokens !== 'number' && typeof given?.outputTokens !== 'number') return undefined;
    const [prompt_tokens, completion_tokens] = [given.inputTokens ?? 0, given.outputTokens ?? 0];
    return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  };
  const reasonOf = (reason: string | null | undefined): FinishReason => {
    unexplained = reason === 'error';
    return failed ? 'error' : (finishReasons.get(reason ?? '') ?? (open.size > 0 ? 'tool_use' : 'complete'));
  };
  const finish = (reason: FinishReason): readonly Data[] => {
    finished = true;
    const metadata = { openCalls: [...open.keys()], ...(unexplained && !failed && { failed: true }) };
    return [{ metadata, finish: reason }];
  };
  const at = (path: readonly number[]): Part | undefined => parts[path[0] ?? -1];

  const start = (next: Part): readonly Data[] => {
    parts.push(next);
    switch (next.type) {
      case 'text':
      case 'reasoning':
        return [];
      case 'tool-call':
        open.set(next.toolCallId, next.toolName);
        return [{ tool_call: 'start', tool_call_id: next.toolCallId, tool_call_name: next.toolName }];
      case 'source':
        return [{ citation: { id: next.id ?? next.url, url: next.url, ...(next.title && { title: next.title }) } }];
      case 'file':
        return [{ media: mediaOf(next.data, next.mimeType ?? '') }];
      case 'data':
        return [dataOf(next.data, next.name ?? undefined)];
    }
  };
  const grow = (owner: Part, words: string): readonly Data[] => {
    if (owner.type === 'text') return [{ content: words }];
    if (owner.type === 'reasoning') return [{ reasoning_content: words }];
    return owner.type === 'tool-call'
      ? [{ tool_call: 'update', tool_call_id: owner.toolCallId, tool_call_params: words }]
      : [];
  };
  const answer = (owner: Part, { result, isError }: Result): readonly Data[] => {
    if (owner.type !== 'tool-call') return [];
    open.delete(owner.toolCallId);
    const response = result === undefined ? '' : typeof result === 'string' ? result : JSON.stringify(result);
    return [
      { tool_call: isError ? 'error' : 'end', tool_call_id: owner.toolCallId, tool_call_response_complete: response },
    ];
  };
  const complain = (frame: Frame, detail: string): readonly Data[] => {
    report({ kind: 'malformed', detail, frame });
    return [];
  };

  return {
    take(data: Chunk, frame: Frame): readonly Data[] {
      if (data.type.startsWith('part-') || data.type === 'step-start') stepEnd = undefined;
      switch (data.type) {
        case 'step-start':
          if (!data.messageId) return [];
          messageId = data.messageId;
          return [{ metadata: { messageId } }];
        case 'part-start':
          return start(data.part);
        case 'text-delta':
        case 'result': {
          const owner = at(data.path);
          if (!owner) return complain(frame, 'There is no such part.');
          return data.type === 'result' ? answer(owner, data) : grow(owner, data.textDelta);
        }
        case 'data':
          return data.data.map((item) => dataOf(item));
        case 'annotations':
          annotations.push(...data.annotations);
          return [{ metadata: { annotations: [...annotations] } }];
        case 'update-state':
          for (const operation of data.operations) {
            const next = operate(state, operation);
            if (next === undefined) complain(frame, 'This change of the state can’t be made.');
            else [state, changed] = [next, true];
          }
          return [];
        case 'step-finish': {
          const step = count(data.usage);
          if (!data.isContinued) stepEnd = reasonOf(data.finishReason);
          if (!step) return [];
          used = {
            prompt_tokens: used.prompt_tokens + step.prompt_tokens,
            completion_tokens: used.completion_tokens + step.completion_tokens,
            total_tokens: used.total_tokens + step.total_tokens,
          };
          return [{ totalUsage: used }];
        }
        case 'message-finish': {
          const total = count(data.usage);
          return [...(total ? [{ totalUsage: total }] : []), ...finish(reasonOf(data.finishReason))];
        }
        case 'error':
          failed ||= (data.severity ?? 'critical') === 'critical';
          return [];
        default:
          return [];
      }
    },
    tellState(): readonly Data[] {
      if (!changed) return [];
      changed = false;
      // Some servers say nothing else: their messages are in the state.
      const said = parts.length === 0 ? shown.take(state, messageId) : [];
      return [{ state: { value: state }, metadata: { agentState: state } }, ...said];
    },
    /** The end mark ends it; a step that has ended says why. */
    end: (): readonly Data[] => {
      if (finished) return [];
      if (stepEnd) return finish(failed ? 'error' : stepEnd);
      if (saidDone?.() && !failed && open.size > 0) return finish('tool_use');
      // Those of the round before have been answered.
      return [{ metadata: { openCalls: [...open.keys()] } }];
    },
  };
}

function dataOf(item: unknown, name?: string): Data {
  return { data: { data_type: 'custom', data: item, ...(name && { metadata: { dataType: name } }) } };
}

/** base64, sometimes as a whole data URL. */
function mediaOf(data: string, mimeType: string): NonNullable<Data['media']> {
  const inline = parseDataUrl(data) ?? { data, mimeType };
  const type = mimeType || inline.mimeType;
  const [kind = ''] = type.split('/');
  return {
    kind: kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file',
    data: inline.data,
    mimeType: type,
  };
}
