/**
 * Coze's chat API (`coze`), also for chat workflows. Source: `docs/protocols/coze.md`; Coze developer documentation, "Chat".
 */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import type { Suggestion } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import { isToolFailure } from '../../model/tool-failure.ts';
import { cozeCancel, cozeRequest } from './request.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import { workflowFields, workflowHandlers } from './workflow.ts';
import { joinBase64 } from '../shared/files/join-base64.ts';
import { lenient, lenientNumber, lenientString, lenientText } from '../shared/lenient.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { readJsonFrames } from '../core/read-frames.ts';
import { waitingMetadata } from '../shared/pending-calls.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext } from '../core/adapter.ts';

const problem = lenient(z.looseObject({ code: lenient(z.coerce.string()), msg: lenientString }));
/** One schema for chats, messages and errors: no field has two meanings. */
const wire = z.looseObject({
  id: lenientString,
  conversation_id: lenientString,
  chat_id: lenientString,
  type: lenientString,
  content: lenientText,
  content_type: lenientString,
  reasoning_content: lenientText,
  usage: lenient(z.object({ token_count: lenientNumber, output_count: lenientNumber, input_count: lenientNumber })),
  last_error: problem,
  code: lenient(z.coerce.string()),
  msg: lenientString,
  ...workflowFields,
  required_action: lenient(
    z.object({
      submit_tool_outputs: lenient(
        z.object({
          tool_calls: lenient(
            z.array(
              z.object({
                id: lenientString,
                type: lenientString,
                function: lenient(z.object({ name: lenientString, arguments: lenientString })),
              }),
            ),
          ),
        }),
      ),
    }),
  ),
});
type Wire = z.infer<typeof wire>;

export const coze: Adapter = {
  id: 'coze',
  label: 'Coze',
  kind: 'agent',
  request: cozeRequest,
  cancel: cozeCancel,

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const parsed = wire.safeParse(json);
        if (parsed.success) events.push(...reply.take(parsed.data, frame));
        // The end mark is a JSON string here.
        else if (json !== '[DONE]') context.report({ kind: 'malformed', detail: 'Not a Coze event.', frame });
      }
      yield events;
    }
    yield reply.end();
  },
};

function makeReply({ eventId, newId, report }: DecodeContext) {
  const messages = new Map<string, IncrementalMessage>();
  const suggestions: Suggestion[] = [];
  const audioChunks: string[] = [];
  /** Calls without a result. The events do not say which result belongs to which call. */
  const openCalls: { readonly id: string; readonly name: string; readonly params: string }[] = [];
  /** A call that may belong to the page; the next event decides. */
  let pendingCall: readonly LLMAgentEvent[] = [];
  let failed = false;

  const response = (data: Omit<LLMAgentEventData, 'eventId'>): LLMAgentEvent => ({
    type: 'response',
    data: { eventId, ...data },
  });
  const fail = (error: string | null | undefined, code: string | null | undefined): readonly LLMAgentEvent[] => {
    if (failed) return [];
    failed = true;
    const data = { eventId, error: error || 'The bot reports an error.', ...(code && { code }) };
    return [{ type: 'error', data }, response({ finish: 'error' })];
  };
  const messageOf = (id: string): IncrementalMessage => {
    const message = messages.get(id) ?? makeIncrementalMessage({ id });
    messages.set(id, message);
    return message;
  };
  const emitIds = ({ conversation_id, chat_id, id }: Wire, isChat: boolean): readonly LLMAgentEvent[] => {
    const chatId = isChat ? id : chat_id;
    return [
      response({
        metadata: { ...(conversation_id && { conversationId: conversation_id }), ...(chatId && { chatId }) },
      }),
    ];
  };
  /** Audio may also arrive after the end of the chat. */
  const emitAudio = (): readonly LLMAgentEvent[] => {
    const data = joinBase64(audioChunks.splice(0));
    return data === undefined ? [] : [response({ media: { kind: 'audio', data, mimeType: 'audio/mpeg' } })];
  };
  const flush = (): readonly LLMAgentEvent[] => {
    const events = pendingCall;
    pendingCall = [];
    return events;
  };

  const onDelta = ({ id, type, content, reasoning_content }: Wire): readonly LLMAgentEvent[] => {
    if (type !== 'answer') return [];
    const message = messageOf(id ?? '');
    return [...message.append('reasoning', reasoning_content ?? ''), ...message.append('text', content ?? '')].map(
      response,
    );
  };
  const onCompleted = (data: Wire): readonly LLMAgentEvent[] => {
    const { id, type, content } = data;
    const text = content ?? '';
    switch (type) {
      case 'answer': {
        const message = messageOf(id ?? '');
        const reasoning = data.reasoning_content ?? '';
        if (message.text() === text) return [];
        const parts = [
          ...(reasoning ? [{ kind: 'reasoning', text: reasoning } as const] : []),
          ...(text ? [{ kind: 'text', text } as const] : []),
        ];
        return message.rewrite(parts).map(response);
      }
      case 'function_call': {
        const call = callIn(text);
        openCalls.push({ id: id || newId(), ...call });
        const { id: tool_call_id, name, params } = openCalls.at(-1) ?? { id: '', ...call };
        pendingCall = [
          response({
            tool_call: 'start',
            tool_call_id,
            tool_call_name: name,
            tool_call_params: params,
            tool_call_remote: true,
          }),
        ];
        return [response({ phase: { name: 'tool_calling' } })];
      }
      case 'tool_response':
      case 'tool_output': {
        const tool_call_id = openCalls.shift()?.id ?? newId();
        const state = isToolFailure({}, text) ? 'error' : 'end';
        return [response({ tool_call: state, tool_call_id, tool_call_response: text, tool_call_remote: true })];
      }
      case 'follow_up':
        if (text) suggestions.push({ label: text, prompt: text });
        return text ? [response({ suggestions: [...suggestions] })] : [];
      default:
        return [];
    }
  };
  const onRequiresAction = (data: Wire): readonly LLMAgentEvent[] => {
    const calls = (data.required_action?.submit_tool_outputs?.tool_calls ?? []).flatMap(
      ({ id, type, function: call }) =>
        // `reply_message` waits for the user's next message.
        id && type !== 'reply_message' ? [{ id, name: call?.name ?? '', params: call?.arguments ?? '' }] : [],
    );
    if (calls.length === 0) return [...flush(), ...endWith(data, 'complete')];
    pendingCall = [];
    return [
      ...calls.map(({ id, name, params }) =>
        response({ tool_call: 'start', tool_call_id: id, tool_call_name: name, tool_call_params: params }),
      ),
      response({ metadata: waitingMetadata(calls.map(({ id }) => id)) }),
      ...endWith(data, 'tool_use'),
    ];
  };
  const endWith = ({ usage }: Wire, finish: NonNullable<LLMAgentEventData['finish']>): readonly LLMAgentEvent[] => {
    const { input_count, output_count, token_count } = usage ?? {};
    const [prompt, completion] = [input_count ?? 0, output_count ?? 0];
    const total = token_count ?? prompt + completion;
    // A plugin may have no result.
    const unanswered = finish === 'complete' ? openCalls.splice(0) : [];
    return [
      ...unanswered.map(({ id }) => response({ tool_call: 'end', tool_call_id: id, tool_call_remote: true })),
      ...emitAudio(),
      response({
        finish,
        ...(total > 0 && {
          totalUsage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total },
        }),
      }),
    ];
  };

  const handlers: Readonly<Record<string, (data: Wire) => readonly LLMAgentEvent[]>> = {
    'conversation.chat.created': (data) => emitIds(data, true),
    'conversation.chat.in_progress': (data) => emitIds(data, true),
    'conversation.message.delta': onDelta,
    'conversation.message.completed': onCompleted,
    'conversation.audio.delta': ({ content }) => {
      if (content) audioChunks.push(content);
      return [];
    },
    'conversation.chat.requires_action': onRequiresAction,
    'conversation.chat.completed': (data) => endWith(data, 'complete'),
    'conversation.chat.canceled': (data) => endWith(data, 'cancelled'),
    'conversation.chat.failed': ({ last_error }) => fail(last_error?.msg, last_error?.code),
    error: ({ msg, code }) => fail(msg, code),
    ...workflowHandlers({ response, fail, newId }),
  };

  return {
    take(data: Wire, frame: Frame): readonly LLMAgentEvent[] {
      const name = frame.event ?? '';
      if (name === 'done') return flush();
      if (Object.hasOwn(handlers, name)) {
        const flushed = name === 'conversation.chat.requires_action' ? [] : flush();
        return [...flushed, ...(handlers[name]?.(data) ?? [])];
      }
      // A rejected request returns a JSON document with a success status.
      if (data.code && data.code !== '0') return fail(data.msg, data.code);
      report({ kind: 'unknown', detail: `Unknown event "${name}".`, frame });
      return [];
    },
    end: () => [...flush(), ...emitAudio()],
  };
}

/** Reads a call, which is JSON in the content. */
function callIn(content: string): { readonly name: string; readonly params: string } {
  const json = parseJson(content);
  if (!isRecord(json)) return { name: '', params: content };
  const name = [json['name'], json['api_name'], json['plugin_name']].find((value) => typeof value === 'string');
  const params = json['arguments'] ?? {};
  return {
    name: typeof name === 'string' ? name : '',
    params: typeof params === 'string' ? params : JSON.stringify(params),
  };
}
