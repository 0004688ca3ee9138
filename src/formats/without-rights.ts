/** What an imported conversation must not contain: anybody may have written the file. */
import type { AssistantMessageBlock } from '../model/blocks.ts';
import { isRecord } from '../model/json.ts';
import type { ChatMessage } from '../model/message.ts';
import { RESERVED_EXTRA } from './reserved-fields.ts';

interface Imported extends Pick<ChatMessage, 'role'> {
  readonly name?: ChatMessage['name'];
  readonly status?: ChatMessage['status'];
  readonly metadata?: ChatMessage['metadata'];
  readonly blocks?: readonly (AssistantMessageBlock | Partial<AssistantMessageBlock>)[];
}

/** Metadata with which a message of the user is sent, but that the user does not see. */
const UNSEEN_OF_USER: ReadonlySet<string> = new Set(['data']);

/**
 * Metadata that is sent, but that the user does not see: messages in the form of their server or of the page, which would be sent in
 * place of the visible blocks, and the state of an agent. Those in `ollamaContext` are numbers of a model. A message that is marked
 * as hidden would be displayed all the same, but left out of exports.
 */
const UNSEEN: ReadonlySet<string> = new Set([
  'rounds',
  'ollamaContext',
  'hidden',
  'content',
  'state',
  'agentState',
  'messageMetadata',
]);

const isUnseen = (name: string, value: unknown): boolean =>
  UNSEEN.has(name) || name.startsWith('wire') || (name === 'author' && !AGENT_NAME.test(String(value)));

/** Maximum length of an author's name (UTF-16 code units). */
const MAX_AUTHOR = 200;
/** The chat does not show the name of a user, and a longer one may be text for the model. */
const MAX_UNSEEN_AUTHOR = 64;

const shortName = (name: string, isUnseen: boolean): string | undefined =>
  isUnseen && name.length > MAX_UNSEEN_AUTHOR ? undefined : name.slice(0, MAX_AUTHOR);

/** The name of an agent in ADK's events, which the chat does not show: an identifier, so that it has no sentences. */
const AGENT_NAME = /^\w{1,64}$/;

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
 * system is a note of the agent: it is shown, and sent without the authority of the page's own instructions. A message of a tool is
 * not shown: its results are in the blocks of the calls.
 *
 * @param options - `isMsgFile`: the file has AgentScope's messages, and not those of the widget
 */
export function withoutRights<Message extends Imported>(message: Message, { isMsgFile = false } = {}): Message {
  const { role, name, status, metadata, blocks } = message;
  const isVisible = (name: string, value: unknown): boolean =>
    !isUnseen(name, value) && (role !== 'user' || !UNSEEN_OF_USER.has(name));
  const note = role === 'system' && { spokenBy: 'agent' };
  const visible = metadata && withVisibleMsg(filterFields(metadata, isVisible), isMsgFile);
  return {
    ...message,
    ...(name !== undefined && { name: shortName(name, role === 'user' && !isMsgFile) }),
    // Nobody here waits for it. After a reload it would be sent, or its text would be in the composer.
    ...(role === 'user' && (status === 'queued' || status === 'sending') && { status: 'failed' }),
    ...((visible || note) && { metadata: { ...visible, ...note } }),
    ...(blocks && {
      blocks:
        role === 'user'
          ? blocks.filter(({ type }) => USER_BLOCKS.has(type)).map(visibleUserBlock)
          : role === 'tool'
            ? []
            : blocks.map(withoutBlockRights),
    }),
  };
}

/**
 * AgentScope's form of a message without its content, which would be sent in place of the visible blocks, and without the blocks
 * that the chat does not show. The results of tools are also in the blocks of their calls. The metadata is only that of a file of
 * AgentScope's messages, where the application stores data of its own.
 */
function withVisibleMsg(metadata: NonNullable<Imported['metadata']>, isMsgFile: boolean): typeof metadata {
  const { msg } = metadata;
  if (!isRecord(msg)) return metadata;
  const isKept = (name: string, value: unknown): boolean =>
    name === 'timestamp'
      ? isTime(value)
      : isMsgFile
        ? name !== 'unknown' && name !== 'content'
        : name === 'callType' && value === 'tool_call';
  return { ...metadata, msg: filterFields(msg, isKept) };
}

const isTime = (value: unknown): boolean => typeof value === 'string' && /^[\d:.TZ+ -]{1,40}$/.test(value);

function filterFields<Value>(fields: Readonly<Record<string, Value>>, isKept: (name: string, value: Value) => boolean) {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => isKept(name, value)));
}

type Block = NonNullable<Imported['blocks']>[number];

/** Fields of a block that the message of a user does not show, but that may be sent. */
const UNSEEN_FIELDS: ReadonlySet<string> = new Set(['parentId', 'extra', 'citations', 'artifact']);
/** Where the content of a file is. The first one is displayed. */
const SOURCES = ['image_data', 'data', 'file', 'url'] as const;
/** A type is sent to a model as text, but displayed only for a file whose name has no extension. */
const MIME_TYPE = /^[a-z]{1,12}\/[\w.+-]{1,80}(?:;\s?[\w-]{1,20}=[\w-]{1,20})?$/i;
const typeOf = (type: unknown): string =>
  typeof type === 'string' && MIME_TYPE.test(type) ? type : 'application/octet-stream';
/** The longest name of a file in usual file systems (characters). A longer one may be text of which the end is displayed. */
const MAX_NAME = 255;

/** A block of a message of the user with what is displayed. */
function visibleUserBlock(block: Block): Block {
  const used = SOURCES.find((name) => block[name as keyof Block] !== undefined);
  const isKept = (name: string): boolean =>
    !UNSEEN_FIELDS.has(name) &&
    (block.type === 'content' ||
      (name !== 'content' && (name === used || !(SOURCES as readonly string[]).includes(name))));
  const kept = { ...block };
  for (const name of Object.keys(kept)) if (!isKept(name)) Reflect.deleteProperty(kept, name);
  const { name, mimeType, file, image_data: image }: Readonly<Record<string, unknown>> = kept;
  const shownName = typeof name === 'string' ? name.replace(/\s+/g, ' ').slice(-MAX_NAME) : undefined;
  return Object.assign(kept, {
    ...(shownName !== undefined && { name: shownName }),
    ...(mimeType !== undefined && { mimeType: typeOf(mimeType) }),
    ...(isRecord(image) && { image_data: { ...image, mimeType: typeOf(image['mimeType']) } }),
    ...(isRecord(file) && { file: { ...file, name: shownName ?? 'file', mimeType: typeOf(file['mimeType']) } }),
  });
}

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
