/**
 * Reads the reply of an agent that stores its conversation in the shared state as `state.messages`, in the form of
 * assistant-ui or LangChain. Source: assistant-ui/assistant-ui, `docs/runtimes/custom/assistant-transport.mdx`.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { z } from '../../model/schema.ts';
import { lenient, lenientString } from '../shared/lenient.ts';
import { isRecord } from '../../model/json.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const item = z.looseObject({
  type: lenientString,
  text: lenientString,
  reasoning: lenientString,
  thinking: lenientString,
  toolCallId: lenientString,
  toolName: lenientString,
});
const content = lenient(z.union([z.string(), z.array(item)]));
const message = z.looseObject({
  id: lenientString,
  role: lenientString,
  type: lenientString,
  content,
  parts: content,
  tool_call_id: lenientString,
  status: lenientString,
  tool_calls: lenient(z.array(z.looseObject({ id: lenientString, name: lenientString }))),
});
type Message = z.infer<typeof message>;

const roleOf = ({ role, type }: Message): string => role ?? type ?? '';
const isUser = (one: Message): boolean => /^(?:user|human)/i.test(roleOf(one));
const isReply = (one: Message): boolean => /^(?:assistant|ai)/i.test(roleOf(one));
const isResult = (one: Message): boolean => roleOf(one) === 'tool';

/** Tracks the messages in the state. `initialState`: the state before this reply, which contains only old messages. */
export function trackStateMessages(initialState: unknown) {
  const oldCount = messagesOf(initialState).length;
  let emitted: readonly Part[] = [];
  return {
    /** Returns the new events of the reply to the last user message, for the message of that id. */
    take(state: unknown, id: string): readonly Data[] {
      const messages = messagesOf(state);
      const reply = messages.slice(Math.max(oldCount, messages.findLastIndex(isUser) + 1));
      const results = new Map(reply.filter(isResult).map((one) => [one.tool_call_id ?? '', one]));
      const after = joinTexts(reply.filter(isReply).flatMap((one) => partsOf(one, results)));
      const events = snapshotEvents({ id }, emitted, after);
      emitted = after;
      return events.map((data) => (data.tool_call === undefined ? data : { ...data, tool_call_remote: true }));
    },
  };
}

function messagesOf(state: unknown): readonly Message[] {
  const list: unknown = isRecord(state) ? state['messages'] : undefined;
  return (
    z
      .array(lenient(message))
      .safeParse(list)
      .data?.filter((one) => one !== undefined && one !== null) ?? []
  );
}

function partsOf(one: Message, results: ReadonlyMap<string, Message>): readonly Part[] {
  const body = one.parts ?? one.content ?? '';
  const items = typeof body === 'string' ? [{ type: 'text', text: body }] : body;
  return [
    ...items.flatMap((each): readonly Part[] => {
      const reasoning =
        each.type === 'text'
          ? ''
          : (each['reasoning'] ?? each['thinking'] ?? (each.type === 'reasoning' ? each.text : ''));
      if (typeof reasoning === 'string' && reasoning) return [{ kind: 'reasoning', text: reasoning }];
      if (each.type === 'text' && each.text) return [{ kind: 'text', text: each.text }];
      return [];
    }),
    ...(one.tool_calls ?? []).map((call): Part => {
      const result = results.get(call.id ?? '');
      return {
        kind: 'tool',
        id: call.id ?? '',
        name: call.name ?? '',
        params: JSON.stringify(call['args'] ?? {}),
        ...(result && { response: resultText(result), failed: result.status === 'error' }),
      };
    }),
  ];
}

const resultText = ({ content: body }: Message): string =>
  typeof body === 'string' ? body : (body ?? []).map(({ text }) => text ?? '').join('');

/** Joins consecutive texts, which are rendered as one text. */
function joinTexts(parts: readonly Part[]): readonly Part[] {
  const list: Part[] = [];
  for (const part of parts) {
    const last = list.at(-1);
    if ((part.kind === 'text' || part.kind === 'reasoning') && last?.kind === part.kind) {
      list[list.length - 1] = { ...part, text: last.text + part.text };
    } else list.push(part);
  }
  return list;
}
