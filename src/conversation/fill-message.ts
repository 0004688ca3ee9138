/** Messages as a page may write them, made whole. Source: the contract, `messages`. */
import type { AssistantMessageBlock, Media } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import type { Draft, ReduceContext } from './blocks.ts';

type Loose<T> = T extends unknown ? Partial<T> : never;

/** As short as `{role, text}`; what is missing is filled in. */
export interface MessageInput extends Partial<Omit<ChatMessage, 'blocks'>> {
  readonly role: ChatMessage['role'];
  readonly text?: string;
  readonly attachments?: readonly Media[];
  readonly blocks?: readonly (AssistantMessageBlock | Loose<AssistantMessageBlock>)[];
}

type Context = Pick<ReduceContext, 'now' | 'newId'>;

/** A whole message: words become a content block (plain for the reader's own), blocks get what they lack. */
export function fillMessage(
  { text, attachments = [], blocks = [], ...given }: MessageInput,
  { now, newId }: Context,
): ChatMessage {
  const timestamp = given.timestamp ?? now;
  const words: Loose<AssistantMessageBlock>[] =
    text === undefined
      ? []
      : [
          {
            type: 'content',
            status: 'success',
            content: text,
            ...(given.role === 'user' && { format: 'text' as const }),
          },
        ];
  // A page without types may have put anything there.
  const readable: readonly (typeof blocks)[number][] = isObject(blocks) ? blocks.filter(isObject) : [];
  const drafts = [...words, ...readable, ...attachments.map(toBlock)];
  // Added to the rest of the input, which is our own by now: one more copy costs ten times as much, in a long history.
  return Object.assign(given, {
    id: given.id ?? newId(),
    status: given.status ?? 'complete',
    timestamp,
    blocks: drafts.map((draft) => {
      // A whole block stays the object that it is.
      if ('id' in draft && 'timestamp' in draft && 'status' in draft) return draft as AssistantMessageBlock;
      const whole = { id: newId(), timestamp, status: 'success', ...draft };
      return whole as AssistantMessageBlock;
    }),
    ...(given.role === 'assistant' && !given.finish && given.status === undefined && { finish: 'complete' as const }),
  });
}

export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** An attachment as the block that shows it. */
function toBlock({ kind, url, data, mimeType, name, size }: Media): Draft {
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
