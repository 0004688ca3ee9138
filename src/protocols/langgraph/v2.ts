/** The agent streaming protocol (v2) of newer LangGraph servers. Source: `docs/protocols/langgraph.md`. */
import { z } from '../../model/schema.ts';
import type { Report } from '../core/adapter.ts';
import { lenient } from '../shared/lenient.ts';
import { isInTool, usageMetadata, type LangMessage } from './messages.ts';
import type { Data, ReplyState } from './reply.ts';
import { isRecord } from '../../model/json.ts';
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
  z.object({ event: z.literal('message-finish'), usage: usageMetadata }),
  z.object({ event: z.enum(['message-error', 'error']), message: string, error: string }),
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

/** Handlers for v2 events other than messages. */
export interface V2Handlers {
  readonly replyState: ReplyState;
  readonly newId: () => string;
  readonly report: Report;
  values(state: unknown): readonly Data[];
  custom(value: unknown): readonly Data[];
  step(name: string): readonly Data[];
  interrupt(id: string, value: unknown): void;
  /** Called when the run has ended, with an error message if it failed. */
  end(failure?: string): readonly Data[];
}

interface Message {
  readonly id: string;
  /** The id of the call, if the message is a tool result. */
  readonly callId: string | undefined;
  /** Texts by kind and index, in order. */
  readonly texts: Map<string, { readonly kind: 'text' | 'reasoning'; text: string }>;
}

export type MakeV2 = typeof makeV2;

export function makeV2({ replyState: replyState, newId, report, ...handlers }: V2Handlers) {
  /** The unfinished message of each namespace. */
  const open = new Map<string, Message>();
  /** Whether a message is complete: some captured streams have no other end signal. */
  let hasFinishedMessage = false;

  const appendText = (
    message: Message,
    kind: 'text' | 'reasoning',
    blockIndex: number,
    text: string,
  ): readonly Data[] => {
    const key = kind + String(blockIndex);
    const previous = message.texts.get(key);
    message.texts.set(key, { kind, text: (previous?.text ?? '') + text });
    return message.callId === undefined && text ? replyState.append(toMessage(message.id, [{ kind, text }])) : [];
  };
  const setText = (message: Message, kind: 'text' | 'reasoning', blockIndex: number, text: string): readonly Data[] => {
    const key = kind + String(blockIndex);
    if (message.texts.get(key)?.text === text) return [];
    message.texts.set(key, { kind, text });
    return message.callId === undefined ? replyState.put(toMessage(message.id, [...message.texts.values()])) : [];
  };

  const takeMessage = (event: z.infer<typeof messageEvent>, namespace: readonly string[]): readonly Data[] => {
    const key = namespace.join('|');
    if (event.event === 'message-start') {
      const callId = event.role === 'tool' ? (event.tool_call_id ?? undefined) : undefined;
      open.set(key, { id: event.id ?? newId(), callId, texts: new Map() });
      return [];
    }
    const message = open.get(key);
    // Messages between a tool and its own model are not part of the answer; the tool's result is emitted separately.
    if (!message || (message.callId === undefined && isInTool(namespace))) return [];
    switch (event.event) {
      case 'content-block-delta': {
        const { type, text, reasoning, fields } = event.delta ?? { type: '' };
        if (type === 'text-delta') return appendText(message, 'text', event.index, text ?? '');
        if (type === 'reasoning-delta') return appendText(message, 'reasoning', event.index, reasoning ?? '');
        // Every chunk of arguments arrives twice; this one has all arguments so far.
        const isCall = fields?.type === 'tool_call_chunk' && fields.id;
        return isCall
          ? replyState.call(message.id, { id: fields.id ?? '', name: fields.name ?? '', params: fields.args ?? '' })
          : [];
      }
      case 'content-block-start':
      case 'content-block-finish': {
        const { content } = event;
        const emitBlock = event.event === 'content-block-start' ? appendText : setText;
        if (content?.type === 'text' && content.text) return emitBlock(message, 'text', event.index, content.text);
        if (content?.type === 'reasoning' && content.reasoning)
          return emitBlock(message, 'reasoning', event.index, content.reasoning);
        const { type, id, name, args }: Readonly<Record<string, unknown>> = content ?? {};
        if ((type !== 'tool_call' && type !== 'tool_call_chunk') || typeof id !== 'string') return [];
        const params = typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '';
        return params || event.event === 'content-block-start'
          ? replyState.call(message.id, { id, name: typeof name === 'string' ? name : '', params })
          : [];
      }
      case 'message-finish': {
        open.delete(key);
        hasFinishedMessage = true;
        if (message.callId !== undefined) {
          return replyState.answer(message.callId, [...message.texts.values()].map(({ text }) => text).join(''), false);
        }
        return event.usage ? replyState.append({ ...toMessage(message.id, []), usage_metadata: event.usage }) : [];
      }
      default:
        open.delete(key);
        return handlers.end(event.message ?? event.error ?? undefined);
    }
  };

  const takeTool = ({ event, tool_call_id: id, tool_name, ...more }: z.infer<typeof toolEvent>): readonly Data[] => {
    if (event === 'tool-output-delta') {
      const message = typeof more.delta === 'string' ? more.delta : JSON.stringify(more.delta ?? '');
      return [{ tool_call: 'running', tool_call_id: id, tool_call_progress: { message } }];
    }
    if (event === 'tool-error') {
      return replyState.answer(id, more.message ?? more.error ?? 'The tool has failed.', true, tool_name);
    }
    if (event !== 'tool-finished') return [];
    const { output } = more;
    const isMessage = isRecord(output) && 'content' in output;
    return replyState.answer(
      id,
      isMessage ? output['content'] : output,
      isRecord(output) && output['status'] === 'error',
      tool_name,
    );
  };

  return {
    /** Whether the stream may be complete although no event has ended the run. */
    isWhole: () => hasFinishedMessage && open.size === 0,
    take(json: unknown, frame: Frame): readonly Data[] {
      const event = fit(v2Event, json, frame, report);
      if (!event) return [];
      const { namespace, data } = event.params;
      const root = namespace.length === 0;
      switch (event.method) {
        case 'messages': {
          const parsed = fit(messageEvent, data, frame, report);
          return parsed ? takeMessage(parsed, namespace) : [];
        }
        case 'tools': {
          const parsed = fit(toolEvent, data, frame, report);
          return parsed ? takeTool(parsed) : [];
        }
        case 'values':
          return root ? handlers.values(data) : [];
        case 'custom':
          return handlers.custom(isRecord(data) && 'payload' in data ? data['payload'] : data);
        case 'input':
        case 'input.requested':
          if (isRecord(data) && typeof data['interrupt_id'] === 'string') {
            handlers.interrupt(data['interrupt_id'], data['payload'] ?? data['value']);
          }
          return [];
        case 'lifecycle': {
          const { event: state, graph_name: name, error } = isRecord(data) ? data : {};
          if (!root)
            return state === 'started' && !isInTool(namespace) && typeof name === 'string' ? handlers.step(name) : [];
          if (state === 'failed') return handlers.end(typeof error === 'string' ? error : 'The run has failed.');
          return state === 'completed' || state === 'interrupted' ? handlers.end() : [];
        }
        default:
          return [];
      }
    },
  };
}

const toMessage = (
  id: string,
  texts: readonly { readonly kind: 'text' | 'reasoning'; readonly text: string }[],
): LangMessage => ({
  type: 'ai',
  id,
  name: undefined,
  content: texts.map(({ kind, text }) => ({ type: kind, [kind]: text })),
  tool_calls: undefined,
  tool_call_chunks: undefined,
  additional_kwargs: undefined,
  usage_metadata: undefined,
  tool_call_id: undefined,
  status: undefined,
});
