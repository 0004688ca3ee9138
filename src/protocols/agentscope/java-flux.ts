/**
 * Converts the events of Java's `Flux<Event>` that an application writes as JSON. Source: `docs/protocols/agentscope.md`;
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
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import { makeIncrementalMessage, type IncrementalMessage } from '../shared/incremental-message.ts';
import { lenient } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';
import { fit, withoutNulls } from '../core/read-frames.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';

const dump = z.object({ type: z.string(), message: msg, isLast: lenient(z.boolean()), last: lenient(z.boolean()) });

export function makeDumpDecoder({ eventId, report }: DecodeContext) {
  const messages = new Map<string, { readonly message: IncrementalMessage; text: string; reasoning: string }>();
  const openCalls = new Set<string>();
  let isComplete: boolean | undefined;
  /** Whether each frame repeats the text so far; the second frame reveals it. */
  let cumulative: boolean | undefined;

  const textsOf = (message: Msg): { readonly text: string; readonly reasoning: string } => {
    const blocks = knownBlocks(message);
    return {
      text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      reasoning: blocks.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    };
  };
  const emitMessage = (message: Msg, last: boolean): readonly AdapterEvent[] => {
    const { name } = message;
    const id = message.id ?? name ?? message.role;
    const state = messages.get(id) ?? {
      message: makeIncrementalMessage({ id, ...(name != null && { name }) }),
      text: '',
      reasoning: '',
    };
    messages.set(id, state);
    const { text, reasoning } = textsOf(message);
    const emitted = state.text + state.reasoning;
    if (emitted !== '' && !last) cumulative ??= text.startsWith(state.text) && reasoning.startsWith(state.reasoning);
    const events: ReturnType<IncrementalMessage['append']>[number][] = [];
    if (last || cumulative) {
      const content = [
        ...(reasoning ? [{ kind: 'reasoning' as const, text: reasoning }] : []),
        ...(text ? [{ kind: 'text' as const, text }] : []),
      ];
      if (content.length > 0) events.push(...state.message.rewrite(content));
      Object.assign(state, { text, reasoning });
    } else {
      events.push(...state.message.append('reasoning', reasoning), ...state.message.append('text', text));
      state.text += text;
      state.reasoning += reasoning;
    }
    for (const block of knownBlocks(message)) {
      // The arguments of a streaming call arrive in chunks that are not valid JSON.
      if (block.type === 'tool_use' && last && !openCalls.has(block.id)) {
        openCalls.add(block.id);
        const params = JSON.stringify(block.input);
        events.push(...state.message.put({ kind: 'tool', id: block.id, name: block.name, params }));
      }
      const media = last ? msgBlockToMedia(block) : undefined;
      if (media) events.push(...state.message.put({ kind: 'media', media }));
    }
    return events.map((data) => ({ type: 'response', data: { eventId, ...data } }));
  };
  const emitResults = (message: Msg, last: boolean): readonly AdapterEvent[] =>
    toolResultsIn(message.content).flatMap((block): readonly AdapterEvent[] => {
      const id = resultCallId(block);
      if (id === undefined) return [];
      const { text, failed, media } = parseToolResult(block);
      const call = {
        eventId,
        tool_call_id: id,
        tool_call_remote: true,
        ...(block.name && { tool_call_name: block.name }),
      };
      if (!last)
        return [{ type: 'response', data: { ...call, tool_call: 'running', tool_call_response_complete: text } }];
      openCalls.delete(id);
      return [
        { type: 'response', data: { ...call, tool_call: failed ? 'error' : 'end', tool_call_response_complete: text } },
        ...media.map((item): AdapterEvent => ({ type: 'response', data: { eventId, media: item } })),
      ];
    });

  return {
    take(json: unknown, frame: Frame): readonly AdapterEvent[] {
      const fields = isRecord(json) ? { ...json, message: withoutNulls(json['message']) } : json;
      const event = fit(dump, fields, frame, report);
      if (!event) return [];
      const { type, message } = event;
      const last = event.isLast ?? event.last ?? false;
      isComplete = last;
      switch (type) {
        case 'HINT': {
          const { text } = textsOf(message);
          return text ? [{ type: 'response', data: { eventId, phase: { name: 'hint', message: text } } }] : [];
        }
        case 'TOOL_RESULT':
          return emitResults(message, last);
        case 'AGENT_RESULT':
          isComplete = true;
          return messages.size > 0 ? [] : emitMessage(message, true);
        default:
          return emitMessage(message, last);
      }
    },
    end(): readonly AdapterEvent[] {
      // The body has no end event: after a complete step it is complete, inside a step it was cut off.
      return isComplete === true && openCalls.size === 0
        ? [{ type: 'response', data: { eventId, finish: 'complete' } }]
        : [];
    },
  };
}
