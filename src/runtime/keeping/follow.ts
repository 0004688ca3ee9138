/** A conversation as another tab tells it. */
import type { Thread } from '../../conversation/thread.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { ChatState } from '../chat-state.ts';
import type { Told } from './tabs.ts';

/** What there is to tell: the messages that are others than those told before. */
export function tell(
  { thread, run, stage }: ChatState,
  { id, title }: { readonly id: string; readonly title: string },
  before: ReadonlySet<ChatMessage>,
): { readonly told: Told; readonly all: ReadonlySet<ChatMessage> } {
  const running = run?.messages ?? [];
  const path = [...thread.path, ...running];
  const all = new Set([...path, ...thread.hidden]);
  return {
    told: {
      type: 'messages',
      thread: id,
      title,
      changed: [...all].filter((message) => !before.has(message)),
      path: path.map((message) => message.id),
      hidden: thread.hidden.map((message) => message.id),
      running: running.length,
      stage,
    },
    all,
  };
}

export interface Heard {
  readonly thread: Thread;
  readonly running: readonly ChatMessage[];
}

/** What was told, with the messages that are here already; undefined where some of them are not: then all of it is to be read. */
export function hear(known: Iterable<ChatMessage>, { changed, path, hidden, running }: Told): Heard | undefined {
  const messages = new Map([...known, ...changed].map((message) => [message.id, message]));
  const find = (ids: readonly string[]): readonly ChatMessage[] =>
    ids.flatMap((id) => {
      const message = messages.get(id);
      return message ? [message] : [];
    });
  const shown = find(path);
  const others = find(hidden);
  if (shown.length < path.length || others.length < hidden.length) return undefined;
  const end = shown.length - running;
  return { thread: { path: shown.slice(0, end), hidden: others }, running: shown.slice(end) };
}

/** What this tab alone has, beside what another has told: branches, so that nothing is lost when both have gone on. */
export function beside(own: Thread, other: Thread): Thread {
  const known = new Set([...own.path, ...own.hidden].map(({ id }) => id));
  const more = [...other.path, ...other.hidden].filter(({ id }) => !known.has(id));
  return more.length === 0 ? own : { ...own, hidden: [...own.hidden, ...more] };
}
