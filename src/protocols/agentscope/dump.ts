/** Java’s `Flux<Event>` as an application dumps it. Source: `agentscope.md`, "Java `Flux<Event>` dumps". */
import {
  callIdOf,
  knownBlocks,
  msg,
  readToolResult,
  resultsIn,
  toMedia,
  type Msg,
} from '../../model/agentscope-msg.ts';
import { z } from '../../model/schema.ts';
import type { Frame } from '../../transport/frame.ts';
import { growingMessage, type GrowingMessage } from '../shared/growing-message.ts';
import { maybe } from '../shared/maybe.ts';
import { isRecord } from '../../model/json.ts';
import { fit, withoutNulls } from '../shared/read-frames.ts';
import type { AdapterEvent, DecodeContext } from '../adapter.ts';

const dump = z.object({ type: z.string(), message: msg, isLast: maybe(z.boolean()), last: maybe(z.boolean()) });

export function makeDumpReply({ eventId, report }: DecodeContext) {
  const known = new Map<string, { readonly said: GrowingMessage; text: string; thought: string }>();
  const open = new Set<string>();
  let whole: boolean | undefined;
  /** Each frame says everything so far; found out by the second one. */
  let cumulative: boolean | undefined;

  const wordsOf = (message: Msg): { readonly text: string; readonly thought: string } => {
    const blocks = knownBlocks(message);
    return {
      text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      thought: blocks.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    };
  };
  const say = (message: Msg, last: boolean): readonly AdapterEvent[] => {
    const id = message.id ?? message.name;
    const state = known.get(id) ?? { said: growingMessage({ id, name: message.name }), text: '', thought: '' };
    known.set(id, state);
    const { text, thought } = wordsOf(message);
    const told = state.text + state.thought;
    if (told !== '' && !last) cumulative ??= text.startsWith(state.text) && thought.startsWith(state.thought);
    const events: ReturnType<GrowingMessage['say']>[number][] = [];
    if (last || cumulative) {
      const words = [
        ...(thought ? [{ kind: 'reasoning' as const, text: thought }] : []),
        ...(text ? [{ kind: 'text' as const, text }] : []),
      ];
      if (words.length > 0) events.push(...state.said.rewrite(words));
      Object.assign(state, { text, thought });
    } else {
      events.push(...state.said.say('reasoning', thought), ...state.said.say('text', text));
      state.text += text;
      state.thought += thought;
    }
    for (const block of knownBlocks(message)) {
      // The arguments of a call that still grows come in pieces that are no JSON.
      if (block.type === 'tool_use' && last && !open.has(block.id)) {
        open.add(block.id);
        const params = JSON.stringify(block.input);
        events.push(...state.said.put({ kind: 'tool', id: block.id, name: block.name, params }));
      }
      const media = last ? toMedia(block) : undefined;
      if (media) events.push(...state.said.put({ kind: 'media', media }));
    }
    return events.map((data) => ({ type: 'response', data: { eventId, ...data } }));
  };
  const answer = (message: Msg, last: boolean): readonly AdapterEvent[] =>
    resultsIn(message.content).flatMap((block): readonly AdapterEvent[] => {
      const id = callIdOf(block);
      if (id === undefined) return [];
      const { text, failed, media } = readToolResult(block);
      const call = {
        eventId,
        tool_call_id: id,
        tool_call_remote: true,
        ...(block.name && { tool_call_name: block.name }),
      };
      if (!last)
        return [{ type: 'response', data: { ...call, tool_call: 'running', tool_call_response_complete: text } }];
      open.delete(id);
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
      whole = last;
      switch (type) {
        case 'HINT': {
          const { text } = wordsOf(message);
          return text ? [{ type: 'response', data: { eventId, phase: { name: 'hint', message: text } } }] : [];
        }
        case 'TOOL_RESULT':
          return answer(message, last);
        case 'AGENT_RESULT':
          whole = true;
          return known.size > 0 ? [] : say(message, true);
        default:
          return say(message, last);
      }
    },
    end(): readonly AdapterEvent[] {
      // The body ends without a word: between two steps it is the end, within one it was cut.
      return whole === true && open.size === 0 ? [{ type: 'response', data: { eventId, finish: 'complete' } }] : [];
    },
  };
}
