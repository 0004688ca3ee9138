/** Restores a conversation from its stored form. */
import { closeMessage, closeRun } from '../../conversation/close-run.ts';
import { isObject, normalizeMessage, type MessageInput } from '../../conversation/normalize-message.ts';
import { splitMessageTree, type ImportedConversation } from '../../conversation/message-tree.ts';
import { hasPendingAction } from '../../conversation/has-pending-action.ts';
import { hasUnsent } from '../../conversation/unsent-answers.ts';
import { continueRun, isUnfinished } from '../../conversation/continue-run.ts';
import type { RunOutcome } from '../../conversation/run.ts';
import { continueBranch, type Thread } from '../../conversation/thread.ts';
import { isRecord } from '../../model/json.ts';
import { assistantMessageBlock, type AssistantMessageBlock } from '../../model/blocks.ts';
import { chatMessage, type ChatMessage } from '../../model/message.ts';
import { parseSafely, parseWithoutInvalid } from '../../model/parse-without-invalid.ts';
import { validTime } from '../../model/valid-time.ts';
import { newId } from '../../runtime/new-id.ts';
import type { StoredThread } from '../stores/conversation-store.ts';

export interface RestoredThread extends ImportedConversation {
  /** Whether the last reply was interrupted. */
  readonly isInterrupted: boolean;
  /** Messages with the status `queued`: of the queue, and one that waited for the network. They are not part of the conversation. */
  readonly unsent: readonly ChatMessage[];
}

/**
 * Restores a stored conversation. A running reply is closed as interrupted, unless it waits for the user or has an
 * answer that no request had: `splitRestoredMessages()` asks such a question again. Queued messages are taken out, and
 * the caller returns their text to the composer, since nobody knows whether it is still wanted. Invalid messages are
 * omitted.
 */
export function restoreThread(
  { messages, leaf }: Pick<StoredThread, 'messages' | 'leaf'>,
  now: number,
): RestoredThread {
  const { path: sent, hidden, unsent } = withoutUnsent(splitBranches(messages, leaf));
  const close = (message: ChatMessage): ChatMessage => closeMessage(message, INTERRUPTED, { now, newId });
  const start = sent.findLastIndex(({ role }) => role === 'user');
  // Only the last reply can have been running when the page was left. Earlier ones were settled by what followed.
  const before = sent.slice(0, Math.max(start, 0)).map(close);
  const after = sent.slice(start + 1).map(withoutConnectionError);
  const first = after.findIndex(isUnfinished);
  const begin = first < 0 ? after.length : first;
  // Messages that the page added during the reply precede it.
  const [notes, reply] = [after.slice(0, begin), after.slice(begin)];
  const userMessage = sent[start];
  const unanswered = userMessage?.status === 'sending';
  const waits = hasPendingAction(reply) || hasUnsent(reply);
  const isInterrupted = (unanswered || reply.some(({ status }) => status === 'streaming')) && !waits;
  return {
    path: [
      ...before,
      ...(isInterrupted
        ? closeTurn(userMessage, notes, reply, now)
        : [...(userMessage ? [userMessage] : []), ...after]),
    ],
    hidden: hidden.map(close),
    isInterrupted,
    unsent,
  };
}

/**
 * Takes out what was not sent: queued messages, and the empty reply of a message that waited for the network. If that
 * was a regeneration or an edit, the branch that it would have replaced is the current one again. Otherwise nothing
 * would lead to it.
 */
function withoutUnsent({ path, hidden }: Thread): Thread & Pick<RestoredThread, 'unsent'> {
  const answered = new Set(
    hidden.flatMap(({ role, status, parentId }) => (role === 'user' || status === 'streaming' ? [] : (parentId ?? []))),
  );
  // The message of a regeneration was sent before, and its first reply is in another branch.
  const asSent = (message: ChatMessage): ChatMessage =>
    isWaiting(message) && answered.has(message.id) ? { ...message, status: 'complete' } : message;
  let waits = false;
  const sent = path.map(asSent).filter((message, index) => {
    if (message.role === 'user') waits = path[index]?.status === 'queued';
    return !isQueued(message) && !(waits && message.role !== 'user' && message.blocks.length === 0);
  });
  const others = hidden.map(asSent);
  const begun = { path: sent, hidden: others.filter((message) => !isQueued(message)) };
  const isCut = sent.length < path.length || answered.has(sent.at(-1)?.id ?? '');
  return {
    ...(isCut ? continueBranch(begun) : begun),
    unsent: [...path.map(asSent), ...others].filter(isQueued),
  };
}

const isQueued = ({ role, status }: ChatMessage): boolean => role === 'user' && status === 'queued';
const isWaiting = (message: ChatMessage): boolean => isQueued(message) || message.status === 'sending';

/**
 * Removes the error of a lost connection. A browser that leaves a page closes its connections first, so such a reply
 * was running and can be resumed.
 */
function withoutConnectionError(message: ChatMessage): ChatMessage {
  const last = message.blocks.at(-1);
  const dropped = last?.type === 'error' && last.extra?.['reason'] === 'dropped' && message.status === 'interrupted';
  return dropped ? { ...message, status: 'streaming', blocks: message.blocks.slice(0, -1) } : message;
}

const INTERRUPTED: RunOutcome = { status: 'interrupted', finish: 'error' };

/**
 * The last user message, the messages that the page has added, and the interrupted reply. A user message that never reached the agent
 * is marked as failed, so that it can be resent.
 */
function closeTurn(
  userMessage: ChatMessage | undefined,
  notes: readonly ChatMessage[],
  reply: readonly ChatMessage[],
  now: number,
): readonly (ChatMessage | MessageInput)[] {
  const closedUserMessage = userMessage && {
    ...userMessage,
    status: userMessage.status === 'sending' ? ('failed' as const) : userMessage.status,
  };
  const parentId = (notes.at(-1) ?? userMessage)?.id;
  const closedReply =
    reply.length > 0
      ? closeRun(continueRun(reply), INTERRUPTED, { now, newId }).messages
      : [{ role: 'assistant' as const, ...INTERRUPTED, ...(parentId !== undefined && { parentId }) }];
  return [...(closedUserMessage ? [closedUserMessage] : []), ...notes, ...closedReply];
}

/** The active branch and the others. A page's own store may provide a plain list. */
function splitBranches(
  input: readonly unknown[],
  leaf: string | undefined,
): { readonly path: readonly ChatMessage[]; readonly hidden: readonly ChatMessage[] } {
  const { messages, readableId } = parseMessages(input);
  const last = readableId(leaf);
  return last === undefined ? { path: messages, hidden: [] } : splitMessageTree({ messages, leaf: last });
}

/** The id of an unreadable message, of any type. */
const idText = (id: unknown): string => (typeof id === 'string' ? id : JSON.stringify(id ?? ''));

/**
 * Parses the messages and omits invalid ones. What followed an omitted message follows the one before it, because a
 * message without its predecessor would be the first of the conversation.
 *
 * @returns `readableId`: the id of a message, or of the nearest one before it that is not omitted
 */
function parseMessages(input: readonly unknown[]): {
  readonly messages: readonly ChatMessage[];
  readonly readableId: (id: string | undefined) => string | undefined;
} {
  const ids = new Set<string>();
  const omitted = new Map<string, string | undefined>();
  const parsed = input.flatMap((item) => {
    const found = parseMessage(item);
    for (const { id } of found) ids.add(id);
    if (found.length === 0 && isRecord(item)) omitted.set(idText(item['id']), idText(item['parentId']));
    return found;
  });
  const readableId = (start: string | undefined): string | undefined => {
    const seen = new Set<string>();
    let id = start;
    while (id !== undefined && !ids.has(id) && !seen.has(id)) {
      seen.add(id);
      id = omitted.get(id);
    }
    const found = id !== undefined && ids.has(id) ? id : undefined;
    // The next search ends after one step: thousands of messages may follow the same omitted ones.
    for (const one of seen) if (omitted.has(one)) omitted.set(one, found);
    return found;
  };
  if (omitted.size === 0) return { messages: parsed, readableId };
  const messages = parsed.map(({ parentId, ...message }): ChatMessage => {
    const parent = omitted.has(parentId ?? '') ? readableId(parentId) : parentId;
    return parent === undefined ? message : { ...message, parentId: parent };
  });
  return { messages, readableId };
}

function parseMessage(input: unknown): readonly ChatMessage[] {
  const data = parseSafely(chatMessage, input)?.data;
  if (data) return [{ ...data, timestamp: validTime(data.timestamp, 0) }];
  try {
    return isObject(input) ? parseIncomplete(input as MessageInput) : [];
  } catch {
    // Nested too deeply.
    return [];
  }
}

/**
 * Completes a message that a page's store wrote itself, such as `{role, text}`, or one with invalid parts, which are
 * left out: a database has `null` in the columns without a value, and numbers as ids.
 */
function parseIncomplete(input: MessageInput): readonly ChatMessage[] {
  const context = { now: 0, newId };
  const message = normalizeMessage(withTextIds(input), context);
  const blocks = message.blocks.flatMap((block) => parseBlock(block) ?? []);
  const data = parseWithoutInvalid(chatMessage, { ...message, blocks }, (rest) =>
    normalizeMessage(rest as MessageInput, context),
  );
  return data && blocks.length > 0 ? [data] : [];
}

const parseBlock = (block: AssistantMessageBlock): AssistantMessageBlock | undefined =>
  parseWithoutInvalid(assistantMessageBlock, block, (rest) => ({
    id: newId(),
    timestamp: 0,
    status: 'success',
    ...rest,
  }));

function withTextIds(input: MessageInput): MessageInput {
  const asText = (id: unknown): string | undefined =>
    typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
  const [id, parentId] = [asText(input.id), asText(input.parentId)];
  const { id: _id, parentId: _parentId, ...rest } = input;
  return { ...rest, ...(id !== undefined && { id }), ...(parentId !== undefined && { parentId }) };
}
