/** Coze's chat API (`coze`), also for chat workflows. Source: `other.md`, "Coze". */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/agent-events.ts';
import type { Suggestion } from '../../model/blocks.ts';
import { z } from '../../model/schema.ts';
import { cozeCancel, cozeRequest } from './request.ts';
import { detectCoze } from '../detect/builders.ts';
import { growingMessage, type GrowingMessage } from '../shared/growing-message.ts';
import { joinBase64 } from '../shared/join-base64.ts';
import { maybe, maybeNumber, maybeText } from '../shared/maybe.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { readJsonFrames } from '../shared/read-frames.ts';
import { toldWaiting } from '../shared/waiting-calls.ts';
import type { Frame } from '../../transport/frame.ts';
import type { Adapter, DecodeContext } from '../adapter.ts';

const problem = maybe(z.looseObject({ code: maybe(z.coerce.string()), msg: maybeText }));
/** A chat, a message and an error have no field in common that means two things. */
const wire = z.looseObject({
  id: maybeText,
  conversation_id: maybeText,
  chat_id: maybeText,
  type: maybeText,
  content: maybeText,
  content_type: maybeText,
  reasoning_content: maybeText,
  usage: maybe(z.object({ token_count: maybeNumber, output_count: maybeNumber, input_count: maybeNumber })),
  last_error: problem,
  code: maybe(z.coerce.string()),
  msg: maybeText,
  required_action: maybe(
    z.object({
      submit_tool_outputs: maybe(
        z.object({
          tool_calls: maybe(
            z.array(
              z.object({
                id: maybeText,
                type: maybeText,
                function: maybe(z.object({ name: maybeText, arguments: maybeText })),
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
  detect: detectCoze,
  request: cozeRequest,
  cancel: cozeCancel,

  async *decode(batches, context) {
    const reply = makeReply(context);
    for await (const batch of batches) {
      const events: LLMAgentEvent[] = [];
      for (const { json, frame } of readJsonFrames(batch, context.report)) {
        const read = wire.safeParse(json);
        if (read.success) events.push(...reply.take(read.data, frame));
        // The end mark is a string of JSON here.
        else if (json !== '[DONE]') context.report({ kind: 'malformed', detail: 'This is no event.', frame });
      }
      yield events;
    }
    yield reply.end();
  },
};

function makeReply({ eventId, newId, report }: DecodeContext) {
  const messages = new Map<string, GrowingMessage>();
  const suggestions: Suggestion[] = [];
  const sound: string[] = [];
  /** Calls that were told and not answered; the wire does not say which result belongs to which. */
  const open: { readonly id: string; readonly name: string; readonly params: string }[] = [];
  /** A call that may be one for the page: the next event tells. */
  let held: readonly LLMAgentEvent[] = [];
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
  const of = (id: string): GrowingMessage => {
    const known = messages.get(id) ?? growingMessage({ id });
    messages.set(id, known);
    return known;
  };
  const note = ({ conversation_id, chat_id, id }: Wire, chat: boolean): readonly LLMAgentEvent[] => {
    const chatId = chat ? id : chat_id;
    return [
      response({
        metadata: { ...(conversation_id && { conversationId: conversation_id }), ...(chatId && { chatId }) },
      }),
    ];
  };
  const flush = (): readonly LLMAgentEvent[] => {
    const events = held;
    held = [];
    return events;
  };

  const delta = ({ id, type, content, reasoning_content }: Wire): readonly LLMAgentEvent[] => {
    if (type !== 'answer') return [];
    const message = of(id ?? '');
    return [...message.say('reasoning', reasoning_content ?? ''), ...message.say('text', content ?? '')].map(response);
  };
  const completed = (data: Wire): readonly LLMAgentEvent[] => {
    const { id, type, content } = data;
    const text = content ?? '';
    switch (type) {
      case 'answer': {
        const message = of(id ?? '');
        const thoughts = data.reasoning_content ?? '';
        if (message.text() === text) return [];
        const words = [
          ...(thoughts ? [{ kind: 'reasoning', text: thoughts } as const] : []),
          ...(text ? [{ kind: 'text', text } as const] : []),
        ];
        return message.rewrite(words).map(response);
      }
      case 'function_call': {
        const call = callIn(text);
        open.push({ id: id || newId(), ...call });
        const { id: tool_call_id, name, params } = open.at(-1) ?? { id: '', ...call };
        held = [
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
        const tool_call_id = open.shift()?.id ?? newId();
        return [response({ tool_call: 'end', tool_call_id, tool_call_response: text, tool_call_remote: true })];
      }
      case 'follow_up':
        if (text) suggestions.push({ label: text, prompt: text });
        return text ? [response({ suggestions: [...suggestions] })] : [];
      default:
        return [];
    }
  };
  const requiresAction = (data: Wire): readonly LLMAgentEvent[] => {
    const calls = (data.required_action?.submit_tool_outputs?.tool_calls ?? []).flatMap(
      ({ id, type, function: call }) =>
        // The other kind waits for the reader's next words.
        id && type !== 'reply_message' ? [{ id, name: call?.name ?? '', params: call?.arguments ?? '' }] : [],
    );
    if (calls.length === 0) return [...flush(), ...endWith(data, 'complete')];
    held = [];
    return [
      ...calls.map(({ id, name, params }) =>
        response({ tool_call: 'start', tool_call_id: id, tool_call_name: name, tool_call_params: params }),
      ),
      response({ metadata: toldWaiting(calls.map(({ id }) => id)) }),
      ...endWith(data, 'tool_use'),
    ];
  };
  const endWith = ({ usage }: Wire, finish: NonNullable<LLMAgentEventData['finish']>): readonly LLMAgentEvent[] => {
    const data = joinBase64(sound.splice(0));
    const { input_count, output_count, token_count } = usage ?? {};
    const [prompt, completion] = [input_count ?? 0, output_count ?? 0];
    const total = token_count ?? prompt + completion;
    // A plugin may have no result.
    const silent = finish === 'complete' ? open.splice(0) : [];
    return [
      ...silent.map(({ id }) => response({ tool_call: 'end', tool_call_id: id, tool_call_remote: true })),
      ...(data === undefined ? [] : [response({ media: { kind: 'audio', data, mimeType: 'audio/mpeg' } })]),
      response({
        finish,
        ...(total > 0 && {
          totalUsage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total },
        }),
      }),
    ];
  };

  const handlers: Readonly<Record<string, (data: Wire) => readonly LLMAgentEvent[]>> = {
    'conversation.chat.created': (data) => note(data, true),
    'conversation.chat.in_progress': (data) => note(data, true),
    'conversation.message.delta': delta,
    'conversation.message.completed': completed,
    'conversation.audio.delta': ({ content }) => {
      if (content) sound.push(content);
      return [];
    },
    'conversation.chat.requires_action': requiresAction,
    'conversation.chat.completed': (data) => endWith(data, 'complete'),
    'conversation.chat.canceled': (data) => endWith(data, 'cancelled'),
    'conversation.chat.failed': ({ last_error }) => fail(last_error?.msg, last_error?.code),
    error: ({ msg, code }) => fail(msg, code),
  };

  return {
    take(data: Wire, frame: Frame): readonly LLMAgentEvent[] {
      const name = frame.event ?? '';
      if (name === 'done') return flush();
      if (Object.hasOwn(handlers, name)) {
        const before = name === 'conversation.chat.requires_action' ? [] : flush();
        return [...before, ...(handlers[name]?.(data) ?? [])];
      }
      // A refusal comes as a document, with a status that says that all is well.
      if (data.code && data.code !== '0') return fail(data.msg, data.code);
      report({ kind: 'unknown', detail: `The event "${name}" is new.`, frame });
      return [];
    },
    end: flush,
  };
}

/** A call is JSON inside of the content. */
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
