/** Completes messages as a host page may write them. */
import type { AssistantMessageBlock, Media } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { validTime } from '../model/valid-time.ts';
import type { BlockDraft, ReduceContext } from './block-list.ts';

type Loose<T> = T extends unknown ? Partial<T> : never;

/** A message as a host page may write it: `{role, text}` is enough, the rest is filled in. */
export interface MessageInput extends Partial<Omit<ChatMessage, 'blocks'>> {
  readonly role: ChatMessage['role'];
  readonly text?: string;
  /** The text, by the name that the formats of models have for it. `text` and `blocks` come first. */
  readonly content?: string;
  readonly attachments?: readonly Media[];
  readonly blocks?: readonly (AssistantMessageBlock | Loose<AssistantMessageBlock>)[];
}

type Context = Pick<ReduceContext, 'now' | 'newId'>;

/**
 * Completes a message: `text` or `content` becomes a content block (plain text if the role is `user`), and blocks get their missing
 * fields.
 */
export function normalizeMessage(
  { content, attachments, blocks, text: ownText, ...rest }: MessageInput,
  { now, newId }: Context,
): ChatMessage {
  const text = ownText ?? (typeof content === 'string' && !blocks ? content : undefined);
  // Servers send `null` for what a message does not have, and a page may pass it on.
  for (const name of Object.keys(rest))
    if ((rest as Readonly<Record<string, unknown>>)[name] === null) Reflect.deleteProperty(rest, name);
  const timestamp = validTime(rest.timestamp, now);
  const textBlocks: Loose<AssistantMessageBlock>[] =
    text === undefined
      ? []
      : [
          {
            type: 'content',
            status: 'success',
            content: text,
            ...(rest.role === 'user' && { format: 'text' as const }),
          },
        ];
  const drafts = [...textBlocks, ...objectsIn(blocks), ...objectsIn(attachments).map(toBlock)];
  // Assigned to the rest object, which is already our own copy. One more copy makes this ten times as slow in a long
  // history.
  return Object.assign(rest, {
    id: rest.id ?? newId(),
    status: rest.status ?? 'complete',
    timestamp,
    blocks: drafts.map((draft) => {
      const own = OWN_FIELDS.get(draft.type);
      // A complete block stays the same object.
      if (
        'id' in draft &&
        'timestamp' in draft &&
        'status' in draft &&
        (!own || Object.keys(own).every((name) => name in draft))
      )
        return draft as AssistantMessageBlock;
      const complete = { id: newId(), timestamp, status: 'success', ...own, ...draft };
      return complete as AssistantMessageBlock;
    }),
    ...(rest.role === 'assistant' && !rest.finish && rest.status === undefined && { finish: 'complete' as const }),
  });
}

/** Fields that DeepChat's blocks may leave out, but that the code of the widget expects. */
const OWN_FIELDS: ReadonlyMap<unknown, object> = new Map([
  ['content', { content: '' }],
  ['reasoning_content', { content: '' }],
  ['tool_call', { tool_call: {} }],
  ['status', { phase: '' }],
  ['action', { action_type: 'confirmation' }],
]);

/** Host pages without TypeScript, and their stores, may have put anything there. */
const objectsIn = <Item>(list: readonly Item[] | undefined): readonly Item[] =>
  (Array.isArray(list) ? (list as readonly Item[]) : []).filter(isObject);

export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Converts an attachment to the block that shows it. */
function toBlock({ kind, url, data, mimeType, name, size }: Media): BlockDraft {
  const shared = {
    status: 'success',
    ...(url !== undefined && { url }),
    ...(name !== undefined && { name }),
    ...(size !== undefined && { size }),
  } as const;
  if (kind === 'image') {
    return { type: 'image', ...shared, ...(data !== undefined && { image_data: { data, mimeType: mimeType ?? '' } }) };
  }
  return { type: kind, ...shared, ...(data !== undefined && { data }), ...(mimeType !== undefined && { mimeType }) };
}
