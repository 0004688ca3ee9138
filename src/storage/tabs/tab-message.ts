/** The messages between tabs with the same conversations. */
import type { DeletedMessage } from '../../conversation/delete-message.ts';
import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import type { Approval } from '../../runtime/approvals.ts';
import type { RespondOptions } from '../../runtime/chat-hooks.ts';
import type { AgentDetails, MessageOrder } from '../threads/reported-state.ts';

/** Messages that have changed in a tab that follows the reply of another one, or were added there. */
export interface MessageUpdate {
  readonly changed: readonly ChatMessage[];
  /** Added at the start of the conversation. */
  readonly older?: readonly ChatMessage[];
  /** Added at the end, before the running reply. */
  readonly newer?: readonly ChatMessage[];
}

/** Why the tab with the reply has refused an answer. */
interface RefusedAnswer {
  readonly message: string;
  readonly reason: string;
}

/**
 * The state of a conversation in the tab that changed it. Messages that the other tabs have are identified by their
 * ids.
 */
export interface ThreadReport {
  readonly type: 'messages';
  readonly thread: string;
  readonly title: string;
  readonly changed: readonly ChatMessage[];
  /** The ids of all messages. Absent if unchanged since the last report. */
  readonly order?: MessageOrder;
  /** Absent if unchanged since the last report. */
  readonly agent?: AgentDetails;
  /** Number of messages at the end of the path that belong to a running reply. */
  readonly running: number;
  readonly stage: 'none' | 'connecting' | 'streaming' | 'parked';
}

export type TabMessage =
  | ThreadReport
  /** Another tab is present. Without one nothing is reported. */
  | { readonly type: 'hello' | 'here' }
  /** The tab with the running reply answers with a complete report. */
  | { readonly type: 'ask'; readonly thread: string }
  /** `ids`: messages of the reply, or of the user before it has any. Absent in older versions of the widget. */
  | { readonly type: 'stop'; readonly thread: string; readonly ids?: readonly string[] }
  /** The user or the page has deleted messages in a following tab, or has undone that. */
  | { readonly type: 'remove'; readonly thread: string; readonly ids: readonly string[] }
  | { readonly type: 'put-back'; readonly thread: string; readonly deleted: readonly DeletedMessage[] }
  /** Messages that have changed in a following tab, such as rated ones, or were added. They don't belong to the running reply. */
  | ({ readonly type: 'update'; readonly thread: string } & MessageUpdate)
  | {
      readonly type: 'respond';
      readonly thread: string;
      readonly block: string;
      readonly decision: Answer['decision'];
      readonly options: RespondOptions;
      /** Identifies the answer. Absent in older versions of the widget. */
      readonly answer?: string;
    }
  /** Whether the tab with the reply has taken an answer. A refused one has an error. */
  | { readonly type: 'responded'; readonly thread: string; readonly answer: string; readonly error?: RefusedAnswer }
  /** The conversation was deleted. */
  | { readonly type: 'removed'; readonly thread: string }
  /** The user or the page has named the conversation. */
  | { readonly type: 'renamed'; readonly thread: string; readonly title: string }
  /** The user has changed the permanent tool approvals. */
  | { readonly type: 'approvals'; readonly list: readonly Approval[] }
  /** The user has deleted all data. */
  | { readonly type: 'forgotten' };

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const anything: Check = () => true;
const optional =
  (isValid: Check): Check =>
  (value) =>
    value === undefined || isValid(value);
const listOf =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem);
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string);
const withFields = (fields: Readonly<Record<string, Check>>): Check => {
  const checks = Object.entries(fields);
  return (value) => isRecord(value) && checks.every(([name, isValid]) => isValid(value[name]));
};

const isMessage = withFields({
  id: isText,
  role: isText,
  status: isText,
  timestamp: (value) => typeof value === 'number',
  blocks: listOf(withFields({ id: isText, type: isText })),
  metadata: optional(isRecord),
});
const messages = listOf(isMessage);
const ids = listOf(isText);
const thread = isText;

/** The fields of each type of message; those of `approvals` are checked where they are read. */
const types: Readonly<Record<TabMessage['type'], Check>> = {
  messages: withFields({
    thread,
    title: isText,
    changed: messages,
    order: optional(withFields({ path: ids, hidden: ids })),
    agent: optional(isRecord),
    running: isCount,
    stage: oneOf('none', 'connecting', 'streaming', 'parked'),
  }),
  hello: anything,
  here: anything,
  ask: withFields({ thread }),
  stop: withFields({ thread, ids: optional(ids) }),
  remove: withFields({ thread, ids }),
  'put-back': withFields({
    thread,
    deleted: listOf(withFields({ message: isMessage, childIds: (value) => value instanceof Set })),
  }),
  update: withFields({ thread, changed: messages, older: optional(messages), newer: optional(messages) }),
  respond: withFields({
    thread,
    block: isText,
    decision: oneOf('granted', 'denied', 'answered', 'dismissed'),
    options: isRecord,
    answer: optional(isText),
  }),
  responded: withFields({
    thread,
    answer: isText,
    error: optional(withFields({ message: isText, reason: isText })),
  }),
  removed: withFields({ thread }),
  renamed: withFields({ thread, title: isText }),
  approvals: anything,
  forgotten: anything,
};
const checks = new Map<unknown, Check>(Object.entries(types));

/**
 * Whether a message of another tab is valid. One may have been open since before an update of the widget, and other code of the site may
 * use the same channel. What is invalid has to be ignored: combined with the messages here, it would break the conversation.
 */
export const isTabMessage = (value: Readonly<Record<string, unknown>>): boolean =>
  checks.get(value['type'])?.(value) === true;
