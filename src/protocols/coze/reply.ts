/** Converts the events of a Coze chat, or of a workflow without a chat, to the events of one reply. */
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Suggestion } from '../../model/blocks.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { isToolFailure } from '../../model/tool-failure.ts';
import type { Frame } from '../../transport/frame.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { audioEvents } from '../shared/files/pcm-wav.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import { waitingMetadata } from '../shared/pending-calls.ts';
import { CARD, cozeItems, ITEMS, type CozeData } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

interface Call {
  readonly id: string;
  readonly name: string;
  readonly params: string;
}

/** The widget shows fewer. Each one is sent in an event of its own, which repeats the earlier ones. */
const MAX_SUGGESTIONS = 100;

/** The state of one reply, and what an event changes in it. */
export class CozeReply {
  readonly #context: DecodeContext;
  readonly #messages = new Map<string, IncrementalMessage>();
  /** The streamed reasoning of each message, by id: the complete message may not repeat it. */
  readonly #reasoning = new Map<string, string>();
  #suggestions: readonly Suggestion[] = [];
  readonly #audioChunks: string[] = [];
  /** Calls without a result. The events do not say which result belongs to which call, so the oldest call gets the next one. */
  #openCalls: Call[] = [];
  /** A call that may belong to the page; the next event decides. */
  #pendingCall: readonly LLMAgentEvent[] = [];
  /** The node of a workflow whose text was emitted last. */
  #lastNode: string | undefined;
  #hasFailed = false;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(data: CozeData, frame: Frame): readonly LLMAgentEvent[] {
    const name = frame.event ?? '';
    if (name === 'done') return this.#flush();
    if (name === REQUIRES_ACTION) return this.#requireAction(data);
    const handler = Object.hasOwn(HANDLERS, name) ? HANDLERS[name] : undefined;
    if (handler) return [...this.#flush(), ...handler(this, data)];
    // A rejected request returns a JSON document with a success status.
    if (data.code && data.code !== '0') return this.fail(data.msg, data.code);
    this.#context.report({ kind: 'unknown', detail: `Unknown event "${name}".`, frame });
    return [];
  }

  end(): readonly LLMAgentEvent[] {
    return [...this.#flush(), ...this.#emitAudio()];
  }

  setIds({ conversation_id: conversationId, id: chatId }: CozeData): readonly LLMAgentEvent[] {
    return [this.#response({ metadata: { ...(conversationId && { conversationId }), ...(chatId && { chatId }) } })];
  }

  addText({ id, type, content, content_type: format, reasoning_content }: CozeData): readonly LLMAgentEvent[] {
    if (type !== 'answer') return [];
    const message = this.#messageOf(id);
    const reasoning = reasoning_content ?? '';
    this.#reasoning.set(id ?? '', (this.#reasoning.get(id ?? '') ?? '') + reasoning);
    // A list of items and a card can only be read when they are complete.
    const text = format === ITEMS || format === CARD ? '' : (content ?? '');
    return [...message.append('reasoning', reasoning), ...message.append('text', text)].map((data) =>
      this.#response(data),
    );
  }

  completeText({ id, content, content_type: format, reasoning_content }: CozeData): readonly LLMAgentEvent[] {
    const card = format === CARD ? parseJson(content ?? '') : undefined;
    if (isRecord(card)) return this.#showCard(id ?? '', card);
    const items = format === ITEMS ? cozeItems(content) : undefined;
    const text = this.#completeText(id ?? '', items?.text ?? content ?? '', reasoning_content ?? '');
    const media = (items?.media ?? []).flatMap((file) => this.#messageOf(id).put({ kind: 'media', media: file }));
    return [...text, ...media].map((data) => this.#response(data));
  }

  /** The layout of a card is Coze's own, so its data is shown. */
  #showCard(id: string, data: object): readonly LLMAgentEvent[] {
    const card = { data_type: 'custom', data, metadata: { dataType: 'card' } } as const;
    return [this.#response({ message: { id }, data: card, data_id: `card:${id}` })];
  }

  #completeText(id: string, text: string, completeReasoning: string): readonly Data[] {
    const message = this.#messageOf(id);
    const streamed = this.#reasoning.get(id) ?? '';
    const reasoning = completeReasoning || streamed;
    if (message.text() === text && reasoning === streamed) return [];
    const parts = [
      ...(reasoning ? [{ kind: 'reasoning', text: reasoning } as const] : []),
      ...(text ? [{ kind: 'text', text } as const] : []),
    ];
    return message.rewrite(parts);
  }

  startCall({ id, content }: CozeData): readonly LLMAgentEvent[] {
    const call: Call = { id: id || this.#context.newId(), ...callIn(content ?? '') };
    this.#openCalls.push(call);
    this.#pendingCall = [this.#response({ ...startOf(call), tool_call_remote: true })];
    return [this.#response({ phase: { name: 'tool_calling' } })];
  }

  endCall({ content }: CozeData): readonly LLMAgentEvent[] {
    const call = this.#openCalls.shift();
    const text = content ?? '';
    return [
      this.#response({
        tool_call: isToolFailure({}, text) ? 'error' : 'end',
        tool_call_id: call?.id ?? this.#context.newId(),
        tool_call_response: text,
        tool_call_remote: true,
      }),
    ];
  }

  suggest({ content: text }: CozeData): readonly LLMAgentEvent[] {
    if (!text || this.#suggestions.length >= MAX_SUGGESTIONS) return [];
    this.#suggestions = [...this.#suggestions, { label: text, prompt: text }];
    return [this.#response({ suggestions: this.#suggestions })];
  }

  addAudio({ content }: CozeData): readonly LLMAgentEvent[] {
    if (content) this.#audioChunks.push(content);
    return [];
  }

  /** The text of a workflow's node. */
  addNode({
    content,
    node_title: node,
    node_seq_id: part,
    node_is_finish: isLast,
  }: CozeData): readonly LLMAgentEvent[] {
    const isComplete = isLast === true && (part ?? '0') === '0';
    const text = (isComplete ? textOfOutput(content ?? '') : undefined) ?? content ?? '';
    if (text === '') return [];
    const isNewNode = this.#lastNode !== undefined && this.#lastNode !== node;
    this.#lastNode = node ?? '';
    return [this.#response({ ...(isNewNode && { message: { id: this.#context.newId() } }), content: text })];
  }

  finish(finish: NonNullable<Data['finish']>, { usage }: Pick<CozeData, 'usage'>): readonly LLMAgentEvent[] {
    const { input_count, output_count, token_count } = usage ?? {};
    const [prompt, completion] = [input_count ?? 0, output_count ?? 0];
    const total = token_count ?? prompt + completion;
    return [
      ...(finish === 'complete' ? this.#endCalls() : []),
      ...this.#emitAudio(),
      this.#response({
        finish,
        ...(total > 0 && {
          totalUsage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total },
        }),
      }),
    ];
  }

  /** A workflow without a chat ends without usage. */
  finishWorkflow(): readonly LLMAgentEvent[] {
    return [this.#response({ finish: 'complete' })];
  }

  fail(error: string | null | undefined, code: string | null | undefined): readonly LLMAgentEvent[] {
    if (this.#hasFailed) return [];
    this.#hasFailed = true;
    const { eventId } = this.#context;
    const data = { eventId, error: error || 'The bot reports an error.', ...(code && { code }) };
    return [{ type: 'error', data }, this.#response({ finish: 'error' })];
  }

  /** The page has to run calls, or the bot waits for the user's next message (`reply_message`). */
  #requireAction(data: CozeData): readonly LLMAgentEvent[] {
    const calls = (data.required_action?.submit_tool_outputs?.tool_calls ?? []).flatMap(
      ({ id, type, function: call }) =>
        id && type !== 'reply_message' ? [{ id, name: call?.name ?? '', params: call?.arguments ?? '' }] : [],
    );
    if (calls.length === 0) return [...this.#flush(), ...this.finish('complete', data)];
    this.#pendingCall = [];
    return [
      ...calls.map((call) => this.#response(startOf(call))),
      this.#response({ metadata: waitingMetadata(calls.map(({ id }) => id)) }),
      ...this.finish('tool_use', data),
    ];
  }

  /** Ends the calls without a result: some plugins return none. */
  #endCalls(): readonly LLMAgentEvent[] {
    const calls = this.#openCalls;
    this.#openCalls = [];
    return calls.map(({ id }) => this.#response({ tool_call: 'end', tool_call_id: id, tool_call_remote: true }));
  }

  /** Audio may also arrive after the end of the chat. */
  #emitAudio(): readonly LLMAgentEvent[] {
    return audioEvents(this.#audioChunks.splice(0)).map((data) => this.#response(data));
  }

  #flush(): readonly LLMAgentEvent[] {
    const events = this.#pendingCall;
    this.#pendingCall = [];
    return events;
  }

  #messageOf(name: string | null | undefined): IncrementalMessage {
    const id = name ?? '';
    const message = this.#messages.get(id) ?? makeIncrementalMessage({ id });
    this.#messages.set(id, message);
    return message;
  }

  #response(data: Data): LLMAgentEvent {
    return { type: 'response', data: { eventId: this.#context.eventId, ...data } };
  }
}

type Handler = (reply: CozeReply, data: CozeData) => readonly LLMAgentEvent[];

const REQUIRES_ACTION = 'conversation.chat.requires_action';

/** What each type of complete message does. */
const MESSAGES: Readonly<Record<string, Handler>> = {
  answer: (reply, data) => reply.completeText(data),
  function_call: (reply, data) => reply.startCall(data),
  tool_response: (reply, data) => reply.endCall(data),
  tool_output: (reply, data) => reply.endCall(data),
  follow_up: (reply, data) => reply.suggest(data),
};

/** What each event does. Those with a capital come from a workflow without a chat. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  'conversation.chat.created': (reply, data) => reply.setIds(data),
  'conversation.chat.in_progress': (reply, data) => reply.setIds(data),
  'conversation.message.delta': (reply, data) => reply.addText(data),
  'conversation.message.completed': (reply, data) =>
    data.type && Object.hasOwn(MESSAGES, data.type) ? (MESSAGES[data.type]?.(reply, data) ?? []) : [],
  'conversation.audio.delta': (reply, data) => reply.addAudio(data),
  'conversation.chat.completed': (reply, data) => reply.finish('complete', data),
  'conversation.chat.canceled': (reply, data) => reply.finish('cancelled', data),
  'conversation.chat.failed': (reply, { last_error: error }) => reply.fail(error?.msg, error?.code),
  error: (reply, { msg, code }) => reply.fail(msg, code),
  Message: (reply, data) => reply.addNode(data),
  Error: (reply, { error_message: message, error_code: code }) => reply.fail(message, code),
  // Only a workflow in a chat can be answered.
  Interrupt: (reply, { interrupt_data: data }) =>
    reply.fail(
      `The workflow asks a question, which is only possible in a chat workflow. ${data?.data ?? ''}`.trim(),
      'interrupt',
    ),
  Done: (reply) => reply.finishWorkflow(),
  PING: () => [],
};

const startOf = ({ id, name, params }: Call): Data => ({
  tool_call: 'start',
  tool_call_id: id,
  tool_call_name: name,
  tool_call_params: params,
});

/** Reads a call, which is JSON in the content. */
function callIn(content: string): Omit<Call, 'id'> {
  const json = parseJson(content);
  if (!isRecord(json)) return { name: '', params: content };
  const name = [json['name'], json['api_name'], json['plugin_name']].find((value) => typeof value === 'string');
  const params = json['arguments'] ?? {};
  return {
    name: typeof name === 'string' ? name : '',
    params: typeof params === 'string' ? params : JSON.stringify(params),
  };
}

/** A node that returns variables sends them as JSON. A single text variable is the answer. */
function textOfOutput(content: string): string | undefined {
  const json = parseJson(content);
  const values = isRecord(json) ? Object.values(json) : [];
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
}
