/**
 * assistant-ui's assistant transport (`assistant-transport`). The request holds commands; the response holds message parts
 * and changes of a shared state. Source: `docs/protocols/assistant-transport.md`; assistant-ui/assistant-ui,
 * `packages/core/src/react/runtimes/assistant-transport`.
 */
import { toAttachment } from '../../model/attachment.ts';
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import type { ChatMessage } from '../../model/message.ts';
import { z } from '../../model/schema.ts';
import { parseDataUrl } from '../shared/files/data-url.ts';
import { lenient, lenientNumber, lenientString } from '../shared/lenient.ts';
import { endData, replyEnd, type ReplyEnd } from '../core/finish-reasons.ts';
import { parseJson } from '../../model/json.ts';
import { resultWithEdit } from '../shared/edited-arguments.ts';
import { fit, readJsonFrames } from '../core/read-frames.ts';
import { isInline, toDataUrl } from '../shared/files/sent-files.ts';
import { trackStateMessages } from './state-messages.ts';
import { isAffordable } from '../shared/change-budget.ts';
import { applyStateOperation, stateOperation } from '../shared/state-operations.ts';
import { systemText } from '../shared/system-text.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, AdapterEvent, DecodeContext, Turn } from '../core/adapter.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const text = z.string();
const json = z.exactOptional(z.unknown());
const list = z.array(z.unknown());
const partPath = z.array(z.number());
const usage = lenient(z.object({ inputTokens: lenientNumber, outputTokens: lenientNumber }));
const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal(['text', 'reasoning']) }),
  z.object({ type: z.literal('tool-call'), toolCallId: text, toolName: text }),
  z.object({ type: z.literal('source'), id: lenientString, url: text, title: lenientString }),
  z.object({ type: z.literal('file'), data: text, mimeType: lenientString }),
  z.object({ type: z.literal('data'), name: lenientString, data: json }),
]);
type Part = z.infer<typeof part>;
const endFields = { finishReason: lenientString, usage };
const chunk = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step-start'), messageId: lenientString }),
  z.object({ type: z.literal('part-start'), part, path: lenient(partPath) }),
  z.object({ type: z.literal('text-delta'), textDelta: text, path: partPath }),
  z.object({ type: z.literal(['tool-call-args-text-finish', 'part-finish']) }),
  z.object({ type: z.literal('result'), result: json, isError: lenient(z.boolean()), path: partPath }),
  z.object({ type: z.literal('data'), data: list }),
  z.object({ type: z.literal('annotations'), annotations: list }),
  z.object({ type: z.literal('update-state'), operations: z.array(stateOperation) }),
  z.object({ type: z.literal('step-finish'), ...endFields, isContinued: lenient(z.boolean()) }),
  z.object({ type: z.literal('message-finish'), ...endFields }),
  z.object({ type: z.literal('error'), error: text, code: lenientString, severity: lenientString }),
]);
type Chunk = z.infer<typeof chunk>;
type Result = Extract<Chunk, { readonly type: 'result' }>;

export const assistantTransport: Adapter = {
  id: 'assistant-transport',
  label: 'assistant-ui transport',
  kind: 'agent',

  request(turn, { url, headers = {}, tools = [], ...options }) {
    const system = systemText(options);
    return {
      url,
      init: {
        method: 'POST',
        headers: { accept: 'text/event-stream', ...headers },
        body: {
          commands: [...resultCommands(turn), ...messageCommands(turn)],
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
    const toEvent = (data: Data): AdapterEvent => ({ type: 'response', data: { eventId, ...data } });
    for await (const batch of batches) {
      const events: AdapterEvent[] = [];
      for (const { json: value, frame } of readJsonFrames(batch, report)) {
        const data = fit(chunk, value, frame, report);
        if (!data) continue;
        events.push(...reply.take(data, frame).map(toEvent));
        if (isCritical(data)) {
          events.push({ type: 'error', data: { eventId, error: data.error, ...(data.code && { code: data.code }) } });
        }
      }
      // One state event for the many small changes of a batch.
      yield [...events, ...reply.emitState().map(toEvent)];
    }
    yield reply.end().map(toEvent);
  },
};

/** Warnings and notices are not shown. */
const isCritical = (data: Chunk): data is Extract<Chunk, { readonly type: 'error' }> =>
  data.type === 'error' && (data.severity ?? 'critical') === 'critical';

/** The shared state at the end of the last reply. */
const stateBefore = ({ messages }: Turn): unknown =>
  messages.findLast(({ metadata }) => metadata?.['agentState'] !== undefined)?.metadata?.['agentState'];

/** The results of the calls that the last stream left to the page. */
function resultCommands({ messages }: Turn): readonly object[] {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const open = last?.metadata?.['openCalls'];
  if (!last || !Array.isArray(open)) return [];
  return last.blocks.flatMap((block) => {
    if (block.type !== 'tool_call' || !open.includes(block.tool_call.id)) return [];
    const { id, name = '' } = block.tool_call;
    const response = resultWithEdit(block, last.blocks);
    const result = response === undefined ? 'The call was not finished.' : (parseJson(response) ?? response);
    return [{ type: 'add-tool-result', toolCallId: id, toolName: name, result, isError: block.status !== 'success' }];
  });
}

/** The new message of the user. The empty message of the running reply may follow it. */
function messageCommands({ messages }: Turn): readonly object[] {
  const last = messages.findLast(({ role, blocks }) => role === 'user' || blocks.length > 0);
  return last?.role === 'user'
    ? [{ type: 'add-message', message: { role: 'user', parts: userParts(last) }, parentId: null, sourceId: null }]
    : [];
}

/** Parts of a user message: text, images, and files by their URL or as a data URL. */
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
  const openCalls = new Map<string, string>();
  const annotations: unknown[] = [];
  let state = stateBefore(turn);
  const stateMessages = trackStateMessages(state);
  let messageId = newId();
  let stateChanged = false;
  let totalUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  let failed = false;
  let finished = false;
  /** Finish reason of the last step, unless another part or step has begun since. */
  let stepEnd: ReplyEnd | undefined;

  const readUsage = (counts: z.infer<typeof usage>): typeof totalUsage | undefined => {
    if (typeof counts?.inputTokens !== 'number' && typeof counts?.outputTokens !== 'number') return undefined;
    const [prompt_tokens, completion_tokens] = [counts.inputTokens ?? 0, counts.outputTokens ?? 0];
    return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  };
  const reasonOf = (reason: string | null | undefined): ReplyEnd =>
    failed ? 'error' : (replyEnd(reason) ?? (openCalls.size > 0 ? 'tool_use' : 'complete'));
  const finish = (reason: ReplyEnd): readonly Data[] => {
    finished = true;
    const { finish: ended, metadata } = endData(reason);
    return [{ metadata: { openCalls: [...openCalls.keys()], ...metadata }, ...(ended && { finish: ended }) }];
  };
  /** Parts are not nested, so the first index of the path counts. */
  const partAt = ([index = -1]: readonly number[]): Part | undefined => parts[index];

  const startPart = (next: Part): readonly Data[] => {
    parts.push(next);
    switch (next.type) {
      case 'text':
      case 'reasoning':
        return [];
      case 'tool-call':
        openCalls.set(next.toolCallId, next.toolName);
        return [{ tool_call: 'start', tool_call_id: next.toolCallId, tool_call_name: next.toolName }];
      case 'source':
        return [{ citation: { id: next.id ?? next.url, url: next.url, ...(next.title && { title: next.title }) } }];
      case 'file':
        return [{ media: mediaOf(next.data, next.mimeType ?? '') }];
      case 'data':
        return [dataOf(next.data, next.name ?? undefined)];
    }
  };
  const appendText = (target: Part, addition: string): readonly Data[] => {
    if (target.type === 'text') return [{ content: addition }];
    if (target.type === 'reasoning') return [{ reasoning_content: addition }];
    return target.type === 'tool-call'
      ? [{ tool_call: 'update', tool_call_id: target.toolCallId, tool_call_params: addition }]
      : [];
  };
  const setResult = (target: Part, { result, isError }: Result): readonly Data[] => {
    if (target.type !== 'tool-call') return [];
    openCalls.delete(target.toolCallId);
    const response = result === undefined ? '' : typeof result === 'string' ? result : JSON.stringify(result);
    return [
      { tool_call: isError ? 'error' : 'end', tool_call_id: target.toolCallId, tool_call_response_complete: response },
    ];
  };
  const reportMalformed = (frame: Frame, detail: string): readonly Data[] => {
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
          return startPart(data.part);
        case 'text-delta':
        case 'result': {
          const target = partAt(data.path);
          if (!target) return reportMalformed(frame, 'There is no such part.');
          return data.type === 'result' ? setResult(target, data) : appendText(target, data.textDelta);
        }
        case 'data':
          return data.data.map((item) => dataOf(item));
        case 'annotations':
          annotations.push(...data.annotations);
          return [{ metadata: { annotations: [...annotations] } }];
        case 'update-state':
          if (!isAffordable(state, data.operations.length))
            return reportMalformed(frame, 'These are too many changes of the state.');
          for (const operation of data.operations) {
            const next = applyStateOperation(state, operation);
            if (next === undefined) reportMalformed(frame, 'This state change can’t be applied.');
            else [state, stateChanged] = [next, true];
          }
          return [];
        case 'step-finish': {
          const step = readUsage(data.usage);
          if (!data.isContinued) stepEnd = reasonOf(data.finishReason);
          if (!step) return [];
          totalUsage = {
            prompt_tokens: totalUsage.prompt_tokens + step.prompt_tokens,
            completion_tokens: totalUsage.completion_tokens + step.completion_tokens,
            total_tokens: totalUsage.total_tokens + step.total_tokens,
          };
          return [{ totalUsage }];
        }
        case 'message-finish': {
          const total = readUsage(data.usage);
          return [...(total ? [{ totalUsage: total }] : []), ...finish(reasonOf(data.finishReason))];
        }
        case 'error':
          failed ||= isCritical(data);
          return [];
        case 'tool-call-args-text-finish':
        case 'part-finish':
          return [];
      }
    },
    emitState(): readonly Data[] {
      if (!stateChanged) return [];
      stateChanged = false;
      // Some servers send only state changes, and the state contains their messages.
      const messageEvents = parts.length === 0 ? stateMessages.take(state, messageId) : [];
      return [{ state: { value: state }, metadata: { agentState: state } }, ...messageEvents];
    },
    /** The end of the stream. The last finished step has the reason; without one, open calls after `[DONE]` are the page's. */
    end: (): readonly Data[] => {
      if (finished) return [];
      if (stepEnd) return finish(failed ? 'error' : stepEnd);
      if (saidDone?.() && !failed && openCalls.size > 0) return finish('tool_use');
      // Emitted even if empty: it replaces the list of the previous round, whose calls have results now.
      return [{ metadata: { openCalls: [...openCalls.keys()] } }];
    },
  };
}

function dataOf(item: unknown, name?: string): Data {
  return { data: { data_type: 'custom', data: item, ...(name && { metadata: { dataType: name } }) } };
}

/** Reads base64 data, which is sometimes a complete data URL. */
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
