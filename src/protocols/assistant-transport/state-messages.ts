/**
 * The reply of an agent that keeps its conversation in the shared state, as `state.messages`: assistant-ui's own form, or
 * LangChain's. Source: assistant-ui/assistant-ui, `docs/runtimes/custom/assistant-transport.mdx`.
 */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { maybe, maybeText } from '../shared/maybe.ts';
import { isRecord } from '../../model/json.ts';
import { snapshotEvents, type Part } from '../shared/snapshot.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const item = z.looseObject({
  type: maybeText,
  text: maybeText,
  reasoning: maybeText,
  thinking: maybeText,
  toolCallId: maybeText,
  toolName: maybeText,
});
const content = maybe(z.union([z.string(), z.array(item)]));
const message = z.looseObject({
  id: maybeText,
  role: maybeText,
  type: maybeText,
  content,
  parts: content,
  tool_call_id: maybeText,
  status: maybeText,
  tool_calls: maybe(z.array(z.looseObject({ id: maybeText, name: maybeText }))),
});
type Message = z.infer<typeof message>;

const roleOf = ({ role, type }: Message): string => role ?? type ?? '';
const isUser = (one: Message): boolean => /^(?:user|human)/i.test(roleOf(one));
const isReply = (one: Message): boolean => /^(?:assistant|ai)/i.test(roleOf(one));
const isResult = (one: Message): boolean => roleOf(one) === 'tool';

/** `begun`: the state in which the server had left it, with messages that are old. */
export function messagesInState(begun: unknown) {
  const old = messagesOf(begun).length;
  let before: readonly Part[] = [];
  return {
    /** What is new in the reply to the last message of the user, told as the message of that id. */
    take(state: unknown, id: string): readonly Data[] {
      const messages = messagesOf(state);
      const reply = messages.slice(Math.max(old, messages.findLastIndex(isUser) + 1));
      const results = new Map(reply.filter(isResult).map((one) => [one.tool_call_id ?? '', one]));
      const after = joined(reply.filter(isReply).flatMap((one) => partsOf(one, results)));
      const events = snapshotEvents({ id }, before, after);
      before = after;
      return events.map((data) => (data.tool_call === undefined ? data : { ...data, tool_call_remote: true }));
    },
  };
}

function messagesOf(state: unknown): readonly Message[] {
  const list: unknown = isRecord(state) ? state['messages'] : undefined;
  return (
    z
      .array(maybe(message))
      .safeParse(list)
      .data?.filter((one) => one !== undefined && one !== null) ?? []
  );
}

function partsOf(one: Message, results: ReadonlyMap<string, Message>): readonly Part[] {
  const said = one.parts ?? one.content ?? '';
  const items = typeof said === 'string' ? [{ type: 'text', text: said }] : said;
  return [
    ...items.flatMap((each): readonly Part[] => {
      const thought =
        each.type === 'text'
          ? ''
          : (each['reasoning'] ?? each['thinking'] ?? (each.type === 'reasoning' ? each.text : ''));
      if (typeof thought === 'string' && thought) return [{ kind: 'reasoning', text: thought }];
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
        ...(result && { response: wordsOf(result), failed: result.status === 'error' }),
      };
    }),
  ];
}

const wordsOf = ({ content: said }: Message): string =>
  typeof said === 'string' ? said : (said ?? []).map(({ text }) => text ?? '').join('');

/** Words one behind the other make one text, as they do for the reader. */
function joined(parts: readonly Part[]): readonly Part[] {
  const list: Part[] = [];
  for (const part of parts) {
    const last = list.at(-1);
    if ((part.kind === 'text' || part.kind === 'reasoning') && last?.kind === part.kind) {
      list[list.length - 1] = { ...part, text: last.text + part.text };
    } else list.push(part);
  }
  return list;
}
