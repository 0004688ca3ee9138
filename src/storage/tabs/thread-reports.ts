/** Creates and reads reports about a conversation for other tabs. */
import { appendMessages, replaceMessage, type Thread } from '../../conversation/thread.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { ChatState } from '../../runtime/chat/chat-state.ts';
import type { AgentDetails, MessageOrder, ReportedState } from '../threads/reported-state.ts';
import type { MessageUpdate, ThreadReport } from './tab-message.ts';

/** Creates a report: the messages that differ from the last report, and their order and the agent's details if changed. */
export function createReport(
  { thread, run, stage, protocol, agentState }: ChatState,
  { id, title }: { readonly id: string; readonly title: string },
  before: ReportedState,
): { readonly report: ThreadReport; readonly reported: ReportedState } {
  const running = run?.messages ?? [];
  const path = [...thread.path, ...running];
  const messages = new Set([...path, ...thread.hidden]);
  const order = { path: path.map((message) => message.id), hidden: thread.hidden.map((message) => message.id) };
  const agent = { protocol, agentState };
  return {
    report: {
      type: 'messages',
      thread: id,
      title,
      changed: [...messages].filter((message) => !before.messages.has(message)),
      ...(!isSameOrder(order, before.order) && { order }),
      ...(!isSameAgent(agent, before.agent) && { agent }),
      running: running.length,
      stage,
    },
    reported: { messages, order, agent },
  };
}

const isSameOrder = (order: MessageOrder, before: MessageOrder | undefined): boolean =>
  before !== undefined && areSame(order.path, before.path) && areSame(order.hidden, before.hidden);

const isSameAgent = (agent: AgentDetails, before: AgentDetails | undefined): boolean =>
  agent.protocol === before?.protocol && agent.agentState === before?.agentState;

const areSame = (ids: readonly string[], before: readonly string[]): boolean =>
  ids.length === before.length && ids.every((id, index) => id === before[index]);

export interface AppliedReport {
  readonly thread: Thread;
  readonly running: readonly ChatMessage[];
  readonly reported: ReportedState;
}

/**
 * Combines a report with the messages that are already here. Undefined if some of them, or their order, are missing:
 * the conversation then has to be read completely.
 */
export function applyReport(
  known: Iterable<ChatMessage>,
  { changed, order: newOrder, running, agent }: ThreadReport,
  before: ReportedState,
): AppliedReport | undefined {
  const order = newOrder ?? before.order;
  if (!order) return undefined;
  const messages = new Map([...known, ...changed].map((message) => [message.id, message]));
  const find = (ids: readonly string[]): readonly ChatMessage[] =>
    ids.flatMap((id) => {
      const message = messages.get(id);
      return message ? [message] : [];
    });
  const shown = find(order.path);
  const others = find(order.hidden);
  if (shown.length < order.path.length || others.length < order.hidden.length) return undefined;
  const end = Math.max(0, shown.length - running);
  return {
    thread: { path: shown.slice(0, end), hidden: others },
    running: shown.slice(end),
    reported: { messages: new Set([...shown, ...others]), order, agent: agent ?? before.agent },
  };
}

/**
 * Adds the other tab's messages as branches, so that nothing is lost when both tabs continued. Branches of this tab get
 * the other tab's version: it may have ended a reply that this tab had left.
 *
 * @param before - the last report. Messages in it that are missing here were removed by the user.
 */
export function mergeAsBranches(own: Thread, other: Thread, before: ReportedState): Thread {
  const all = [...other.path, ...other.hidden];
  const byId = new Map(all.map((message) => [message.id, message]));
  const known = new Set([...own.path, ...own.hidden, ...before.messages].map(({ id }) => id));
  const more = all.filter(({ id }) => !known.has(id));
  return { ...own, hidden: [...own.hidden.map((message) => byId.get(message.id) ?? message), ...more] };
}

/**
 * The thread with changed and newer messages. Messages stay where they are: their predecessor may be another one in this tab.
 *
 * @param known - the ids of all messages of the conversation
 */
export function withUpdate(thread: Thread, { changed, newer = [] }: MessageUpdate, known: ReadonlySet<string>): Thread {
  const replace =
    ({ parentId: _theirs, ...message }: ChatMessage) =>
    ({ parentId }: ChatMessage): ChatMessage =>
      parentId === undefined ? message : { ...message, parentId };
  const replaced = changed.reduce((rest, message) => replaceMessage(rest, message.id, replace(message)), thread);
  return appendMessages(
    replaced,
    newer.filter(({ id }) => !known.has(id)),
  );
}
