/**
 * Converts the events of AgentScope's older Java version (a `Flux<Event>`, a reactive stream) that an application writes as
 * JSON. Source: `docs/protocols/agentscope.md`;
 * agentscope-ai/agentscope-java.
 */
import {
  resultCallId,
  knownBlocks,
  msg,
  parseToolResult,
  toolResultsIn,
  msgBlockToMedia,
  type Msg,
} from '../../formats/agentscope-msg.ts';
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import { lenient } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';
import { fit, withoutNulls } from '../core/read-frames.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';

const dump = z.object({ type: z.string(), message: msg, isLast: lenient(z.boolean()), last: lenient(z.boolean()) });

type Data = Omit<LLMAgentEventData, 'eventId'>;
type KnownBlock = ReturnType<typeof knownBlocks>[number];

interface Texts {
  readonly text: string;
  readonly reasoning: string;
}

/** A message of the stream, and what has been emitted of it. */
interface StreamingMessage {
  readonly message: IncrementalMessage;
  text: string;
  reasoning: string;
}

/** The state of one reply, and what each event of the stream does. */
export class FluxReply {
  readonly #context: DecodeContext;
  readonly #messages = new Map<string, StreamingMessage>();
  readonly #openCalls = new Set<string>();
  #isComplete = false;
  /** Whether each frame repeats the text so far; the second frame reveals it. */
  #isCumulative: boolean | undefined;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  take(json: unknown, frame: Frame): readonly AdapterEvent[] {
    const fields = isRecord(json) ? { ...json, message: withoutNulls(json['message']) } : json;
    const event = fit(dump, fields, frame, this.#context.report);
    if (!event) return [];
    const { type, message } = event;
    const isLast = event.isLast ?? event.last ?? false;
    this.#isComplete = isLast || type === 'AGENT_RESULT';
    const handler = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
    return handler ? handler(this, message, isLast) : this.addMessage(message, isLast);
  }

  /** The body has no end event: after a complete step it is complete, inside a step it was cut off. */
  end(): readonly AdapterEvent[] {
    return this.#isComplete && this.#openCalls.size === 0 ? this.#responses([{ finish: 'complete' }]) : [];
  }

  hint(message: Msg): readonly AdapterEvent[] {
    const { text } = textsOf(message);
    return text ? this.#responses([{ phase: { name: 'hint', message: text } }]) : [];
  }

  /** The result of the agent repeats its messages, if it has sent any. */
  takeResult(message: Msg): readonly AdapterEvent[] {
    return this.#messages.size > 0 ? [] : this.addMessage(message, true);
  }

  addMessage(message: Msg, isLast: boolean): readonly AdapterEvent[] {
    const state = this.#stateOf(message);
    const texts = textsOf(message);
    const isRewritten = isLast || this.#isRepeated(state, texts);
    const added = isRewritten
      ? rewriteTexts(state.message, texts)
      : [...state.message.append('reasoning', texts.reasoning), ...state.message.append('text', texts.text)];
    const before = isRewritten ? { text: '', reasoning: '' } : state;
    Object.assign(state, { text: before.text + texts.text, reasoning: before.reasoning + texts.reasoning });
    // The arguments of a streaming call arrive in chunks that are not valid JSON.
    const blocks = isLast ? knownBlocks(message).flatMap((block) => this.#putBlock(state.message, block)) : [];
    return this.#responses([...added, ...blocks]);
  }

  addResults(message: Msg, isLast: boolean): readonly AdapterEvent[] {
    return toolResultsIn(message.content).flatMap((block) => {
      const id = resultCallId(block);
      if (id === undefined) return [];
      const { text, failed, media } = parseToolResult(block);
      if (isLast) this.#openCalls.delete(id);
      return this.#responses([
        {
          tool_call: isLast ? (failed ? 'error' : 'end') : 'running',
          tool_call_id: id,
          tool_call_remote: true,
          ...(block.name && { tool_call_name: block.name }),
          tool_call_response_complete: text,
        },
        ...(isLast ? media.map((item) => ({ media: item })) : []),
      ]);
    });
  }

  #stateOf(message: Msg): StreamingMessage {
    const { name } = message;
    const id = message.id ?? name ?? message.role;
    const author = { id, ...(name != null && { name }) };
    const state = this.#messages.get(id) ?? { message: makeIncrementalMessage(author), text: '', reasoning: '' };
    this.#messages.set(id, state);
    return state;
  }

  #isRepeated(before: StreamingMessage, { text, reasoning }: Texts): boolean {
    if (before.text + before.reasoning !== '')
      this.#isCumulative ??= text.startsWith(before.text) && reasoning.startsWith(before.reasoning);
    return this.#isCumulative === true;
  }

  #putBlock(message: IncrementalMessage, block: KnownBlock): readonly Data[] {
    if (block.type === 'tool_use' && !this.#openCalls.has(block.id)) {
      this.#openCalls.add(block.id);
      return message.put({ kind: 'tool', id: block.id, name: block.name, params: JSON.stringify(block.input) });
    }
    const media = msgBlockToMedia(block);
    return media ? message.put({ kind: 'media', media }) : [];
  }

  #responses(items: readonly Data[]): readonly AdapterEvent[] {
    return items.map((data) => ({ type: 'response', data: { eventId: this.#context.eventId, ...data } }));
  }
}

/** What each type of event does; any other one adds to a message. */
const HANDLERS: Readonly<Record<string, (reply: FluxReply, message: Msg, isLast: boolean) => readonly AdapterEvent[]>> =
  {
    HINT: (reply, message) => reply.hint(message),
    TOOL_RESULT: (reply, message, isLast) => reply.addResults(message, isLast),
    AGENT_RESULT: (reply, message) => reply.takeResult(message),
  };

function textsOf(message: Msg): Texts {
  const blocks = knownBlocks(message);
  // The texts of several blocks are paragraphs.
  const joined = (texts: readonly string[]): string => texts.filter(Boolean).join('\n\n');
  return {
    text: joined(blocks.map((block) => (block.type === 'text' ? block.text : ''))),
    reasoning: joined(blocks.map((block) => (block.type === 'thinking' ? block.thinking : ''))),
  };
}

/** An empty message changes nothing. */
function rewriteTexts(message: IncrementalMessage, { text, reasoning }: Texts): readonly Data[] {
  const parts = [
    ...(reasoning ? [{ kind: 'reasoning' as const, text: reasoning }] : []),
    ...(text ? [{ kind: 'text' as const, text }] : []),
  ];
  return parts.length > 0 ? message.rewrite(parts) : [];
}
