/** What an imported conversation must not contain: anybody may have written the file. */
import type { AssistantMessageBlock } from '../model/blocks.ts';
import { isRecord } from '../model/json.ts';
import type { ChatMessage } from '../model/message.ts';
import { RESERVED_EXTRA } from './reserved-fields.ts';

interface Imported extends Pick<ChatMessage, 'role'> {
  readonly metadata?: ChatMessage['metadata'];
  readonly blocks?: readonly (AssistantMessageBlock | Partial<AssistantMessageBlock>)[];
}

/** Metadata with which a message of the user is sent, but that the user does not see. */
const UNSEEN: ReadonlySet<string> = new Set(['hidden', 'data', 'content']);

/** Messages in the form of their server, which would be sent in place of the visible blocks. */
const isProviderData = (name: string): boolean => name === 'rounds' || name.startsWith('wire');

/** What a user can send. A decision, an error or a surface in their message would look like the widget's own. */
const USER_BLOCKS: ReadonlySet<string | undefined> = new Set([
  undefined,
  'content',
  'image',
  'audio',
  'video',
  'file',
  'data',
  'code',
]);

/**
 * The message without what lets it speak or act for the user or the page. A reply is sent from its visible blocks. A message of the
 * system is a note of the agent: it is shown, and sent without the authority of the page's own instructions.
 */
export function withoutRights<Message extends Imported>(message: Message): Message {
  const { role, metadata, blocks } = message;
  const isVisible = (name: string): boolean => !isProviderData(name) && (role !== 'user' || !UNSEEN.has(name));
  const note = role === 'system' && { spokenBy: 'agent' };
  return {
    ...message,
    ...((metadata || note) && { metadata: { ...filterFields(metadata ?? {}, isVisible), ...note } }),
    ...(blocks && {
      blocks: blocks.filter(({ type }) => role !== 'user' || USER_BLOCKS.has(type)).map(withoutBlockRights),
    }),
  };
}

function filterFields<Value>(fields: Readonly<Record<string, Value>>, isKept: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)));
}

type Block = NonNullable<Imported['blocks']>[number];

/** An app in the file must not send requests to the agent of this page. */
function withoutBlockRights(block: Block): Block {
  if ('ui' in block && isRecord(block.ui)) return { ...block, ui: { ...block.ui, via: undefined } };
  if (block.type === 'error' && block.extra) {
    return { ...block, extra: filterFields(block.extra, (name) => !SENTENCE_FIELDS.has(name)) };
  }
  return block.type === 'action' && block.extra ? withoutQuestionRights(block, block.extra) : block;
}

/** Fields that choose and complete the widget's own sentence for an error. An imported error is shown as its file has it. */
const SENTENCE_FIELDS: ReadonlySet<string> = new Set(['reason', 'host', 'name']);

type Question = Extract<Block, { type?: 'action' }>;

/** Fields of an answered question that may still have an effect. Its other fields are the outcome, which is only shown. */
const EFFECTIVE: ReadonlySet<string> = new Set(['always', 'approval', 'unsent']);

/** Fields with the answers that the server understands as yes and no. The file must not choose them. */
const MEANINGS: ReadonlySet<string> = new Set(['approve', 'deny', 'reject', 'optionIds']);

/**
 * Removes from a question what only the page or the protocol may set: its title, whether its arguments can be edited, the
 * meaning of its answers. A pending question about a function of the page keeps its title, because the answer counts only if
 * the page would ask the same now.
 */
function withoutQuestionRights(block: Question, extra: NonNullable<Question['extra']>): Question {
  const isPending = block.status === 'pending';
  const isAboutCall = extra['byPage'] === true && extra['forAgent'] !== true && block.callBlockId !== undefined;
  const isKept = (name: string): boolean =>
    name !== 'editable' &&
    !MEANINGS.has(name) &&
    (!RESERVED_EXTRA.has(name) ||
      (isPending ? isAboutCall && (name === 'byPage' || name === 'question') : !EFFECTIVE.has(name)));
  return {
    ...block,
    // An agent of the page asks for its permissions again before it gets the next message.
    ...(isPending && extra['forAgent'] === true && { status: 'cancel' as const }),
    extra: filterFields(extra, isKept),
  };
}
