/** The agent streaming protocol (v2) of newer LangGraph servers. Source: `docs/protocols/langgraph.md`. */
import { z } from '../../model/schema.ts';
import type { DecodeContext } from '../core/adapter.ts';
import { errorMessage } from '../shared/error-message.ts';
import { lenient } from '../shared/lenient.ts';
import { isInTool, mediaOf, usageMetadata, type LangMessage } from './messages.ts';
import type { Data, RunContent } from './run-content.ts';
import { isRecord } from '../../model/json.ts';
import { exactJson } from '../core/exact-json.ts';
import { fit } from '../core/read-frames.ts';
import type { Frame } from '../../transport/frame.ts';

const string = lenient(z.string());
export const v2Event = z.object({
  type: z.literal('event'),
  method: z.string(),
  params: z.object({ namespace: z.catch(z.array(z.string()), []), data: z.unknown() }),
});

const index = z.catch(z.number(), 0);
const block = lenient(z.looseObject({ type: z.string(), text: string, reasoning: string }));
const messageEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('message-start'), id: string, role: string, tool_call_id: string }),
  z.object({ event: z.enum(['content-block-start', 'content-block-finish']), index, content: block }),
  z.object({
    event: z.literal('content-block-delta'),
    index,
    delta: lenient(
      z.looseObject({
        type: z.string(),
        text: string,
        reasoning: string,
        fields: lenient(z.looseObject({ type: string, id: string, name: string, args: string })),
      }),
    ),
  }),
  z.object({ event: z.literal('message-finish'), usage: usageMetadata, reason: string }),
  z.looseObject({ event: z.enum(['message-error', 'error']) }),
]);
const toolEvent = z.object({
  event: z.string(),
  tool_call_id: z.string(),
  tool_name: string,
  input: z.optional(z.unknown()),
  delta: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
  message: string,
  error: z.optional(z.unknown()),
});

/** The run that the events belong to. */
export interface V2Run {
  readonly content: RunContent;
  takeValues(state: unknown): readonly Data[];
  takeCustom(value: unknown): readonly Data[];
  enterStep(name: string): readonly Data[];
  addInterrupt(id: string, value: unknown): void;
  /** Called when the run has ended, with an error message if it failed. */
  endRun(failure?: string): readonly Data[];
}

type TextKind = 'text' | 'reasoning';

interface Text {
  readonly kind: TextKind;
  readonly text: string;
  /** The block of an image or other media, as it arrived. It has no text. */
  readonly media?: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly id: string;
  /** The id of the call, if the message is a tool result. */
  readonly callId: string | undefined;
  /** Texts by kind and index, and blocks of media, in order. */
  readonly texts: Map<string, Text>;
}

type MessageEvent = z.infer<typeof messageEvent>;
type EventOf<Name extends MessageEvent['event']> = Extract<MessageEvent, { readonly event: Name }>;

/** The state of a stream, and what an event changes in it. */
export class V2Decoder {
  readonly #run: V2Run;
  readonly #context: Pick<DecodeContext, 'newId' | 'report'>;
  /** The unfinished message of each namespace. */
  readonly #open = new Map<string, Message>();
  /** Whether a message is complete: some captured streams have no other end signal. */
  #hasFinishedMessage = false;
  /** Why a message inside the graph has failed. Another node may still answer, so that the run goes on. */
  #failure: string | undefined;

  constructor(run: V2Run, context: Pick<DecodeContext, 'newId' | 'report'>) {
    this.#run = run;
    this.#context = context;
  }

  /** Why the run counts as failed if no event ends it. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether the stream may be complete although no event has ended the run. */
  get isWhole(): boolean {
    return this.#hasFinishedMessage && this.#open.size === 0;
  }

  take(json: unknown, frame: Frame): readonly Data[] {
    const { report } = this.#context;
    const event = fit(v2Event, json, frame, report);
    if (!event) return [];
    const { namespace, data } = event.params;
    switch (event.method) {
      case 'messages': {
        const message = fit(messageEvent, data, frame, report);
        return message ? this.#takeMessage(message, namespace) : [];
      }
      case 'tools': {
        const tool = fit(toolEvent, data, frame, report);
        return tool ? this.#takeTool(tool) : [];
      }
      case 'values':
        return namespace.length === 0 ? this.#run.takeValues(data) : [];
      case 'custom':
        return this.#run.takeCustom(isRecord(data) && 'payload' in data ? data['payload'] : data);
      case 'input':
      case 'input.requested':
        if (isRecord(data) && typeof data['interrupt_id'] === 'string')
          this.#run.addInterrupt(data['interrupt_id'], data['payload'] ?? data['value']);
        return [];
      case 'lifecycle':
        return this.#takeLifecycle(isRecord(data) ? data : {}, namespace);
      default:
        return [];
    }
  }

  #takeLifecycle(data: Readonly<Record<string, unknown>>, namespace: readonly string[]): readonly Data[] {
    const { event, graph_name: name } = data;
    if (namespace.length > 0) {
      const isShown = event === 'started' && !isInTool(namespace) && typeof name === 'string';
      return isShown ? this.#run.enterStep(name) : [];
    }
    if (event === 'failed') return this.#run.endRun(errorMessage(data) ?? this.#failure ?? FAILED);
    return event === 'completed' || event === 'interrupted' ? this.#run.endRun() : [];
  }

  #takeMessage(event: MessageEvent, namespace: readonly string[]): readonly Data[] {
    const key = namespace.join('|');
    if (event.event === 'message-start') {
      const callId = event.role === 'tool' ? (event.tool_call_id ?? undefined) : undefined;
      this.#open.set(key, { id: event.id ?? this.#context.newId(), callId, texts: new Map() });
      return [];
    }
    const message = this.#open.get(key);
    // Messages between a tool and its own model are not part of the answer; the tool's result is emitted separately.
    if (!message || (message.callId === undefined && isInTool(namespace))) return [];
    switch (event.event) {
      case 'content-block-delta':
        return this.#takeDelta(message, event);
      case 'content-block-start':
      case 'content-block-finish':
        return this.#takeBlock(message, event);
      case 'message-finish':
        this.#open.delete(key);
        this.#hasFinishedMessage = true;
        return this.#finishMessage(message, event);
      default:
        this.#open.delete(key);
        return this.#failMessage(event, namespace);
    }
  }

  #failMessage(event: unknown, namespace: readonly string[]): readonly Data[] {
    const failure = errorMessage(event) ?? FAILED;
    if (namespace.length === 0) return this.#run.endRun(failure);
    this.#failure = failure;
    return [];
  }

  #takeDelta(message: Message, { index: blockIndex, delta }: EventOf<'content-block-delta'>): readonly Data[] {
    const { type, text, reasoning, fields } = delta ?? { type: '' };
    if (type === 'text-delta') return this.#appendText(message, 'text', blockIndex, text ?? '');
    if (type === 'reasoning-delta') return this.#appendText(message, 'reasoning', blockIndex, reasoning ?? '');
    // Every chunk of arguments arrives twice; this one has all arguments so far.
    if (fields?.type !== 'tool_call_chunk' || !fields.id) return [];
    const { id, name, args } = fields;
    return this.#run.content.call(message.id, { id, name: name ?? '', params: args ?? '' });
  }

  #takeBlock(message: Message, event: EventOf<'content-block-start' | 'content-block-finish'>): readonly Data[] {
    const { content, index: blockIndex } = event;
    const isStart = event.event === 'content-block-start';
    for (const kind of ['text', 'reasoning'] as const) {
      const text = content?.type === kind ? content[kind] : undefined;
      if (text)
        return isStart
          ? this.#appendText(message, kind, blockIndex, text)
          : this.#setText(message, kind, blockIndex, text);
    }
    if (content && mediaOf(content)) return this.#addMedia(message, blockIndex, content);
    const { type, id, name, args }: Readonly<Record<string, unknown>> = content ?? {};
    if ((type !== 'tool_call' && type !== 'tool_call_chunk') || typeof id !== 'string') return [];
    const params = typeof args === 'string' ? args : isRecord(args) ? exactJson(args) : '';
    const call = { id, name: typeof name === 'string' ? name : '', params };
    return params || isStart ? this.#run.content.call(message.id, call) : [];
  }

  #addMedia({ id, callId, texts }: Message, blockIndex: number, media: NonNullable<Text['media']>): readonly Data[] {
    const key = `media${String(blockIndex)}`;
    if (callId !== undefined || texts.has(key)) return [];
    const item: Text = { kind: 'text', text: '', media };
    texts.set(key, item);
    return this.#run.content.append(toMessage(id, [item]));
  }

  #finishMessage({ id, callId, texts }: Message, { usage, reason }: EventOf<'message-finish'>): readonly Data[] {
    const { content } = this.#run;
    if (callId !== undefined) {
      const text = [...texts.values()].map((item) => item.text).join('');
      return content.answer(callId, text, { failed: false });
    }
    content.endMessage(id, reason ?? undefined);
    return usage ? content.append({ ...toMessage(id, []), usage_metadata: usage }) : [];
  }

  #appendText({ id, callId, texts }: Message, kind: TextKind, blockIndex: number, text: string): readonly Data[] {
    const key = kind + String(blockIndex);
    texts.set(key, { kind, text: (texts.get(key)?.text ?? '') + text });
    return callId === undefined && text ? this.#run.content.append(toMessage(id, [{ kind, text }])) : [];
  }

  #setText({ id, callId, texts }: Message, kind: TextKind, blockIndex: number, text: string): readonly Data[] {
    const key = kind + String(blockIndex);
    if (texts.get(key)?.text === text) return [];
    texts.set(key, { kind, text });
    return callId === undefined ? this.#run.content.put(toMessage(id, [...texts.values()])) : [];
  }

  #takeTool({ event, tool_call_id: id, tool_name: name, ...more }: z.infer<typeof toolEvent>): readonly Data[] {
    if (event === 'tool-output-delta') {
      const message = typeof more.delta === 'string' ? more.delta : JSON.stringify(more.delta ?? '');
      return [{ tool_call: 'running', tool_call_id: id, tool_call_progress: { message } }];
    }
    const { content } = this.#run;
    if (event === 'tool-error')
      return content.answer(id, more.message ?? more.error ?? 'The tool has failed.', { failed: true, name });
    if (event !== 'tool-finished') return [];
    const { output } = more;
    const isMessage = isRecord(output) && 'content' in output;
    const failed = isRecord(output) && output['status'] === 'error';
    return content.answer(id, isMessage ? output['content'] : output, { failed, name });
  }
}

const FAILED = 'The run has failed.';

const toMessage = (id: string, texts: readonly Text[]): LangMessage => ({
  type: 'ai',
  id,
  name: undefined,
  content: texts.map(({ kind, text, media }) => media ?? { type: kind, [kind]: text }),
  tool_calls: undefined,
  tool_call_chunks: undefined,
  additional_kwargs: undefined,
  response_metadata: undefined,
  usage_metadata: undefined,
  tool_call_id: undefined,
  status: undefined,
});
