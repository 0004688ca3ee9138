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

/** A whole message: words become a content block (plain for the reader's own), blocks get what they lack. */
export function fillMessage(
  { text, attachments = [], blocks = [], ...given }: MessageInput,
  { now, newId }: Pick<ReduceContext, 'now' | 'newId'>,
): ChatMessage {
  const timestamp = given.timestamp ?? now;
  const words: Draft[] =
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
  const drafts = [...words, ...blocks, ...attachments.map(toBlock)];
  return {
    ...given,
    id: given.id ?? newId(),
    status: given.status ?? 'complete',
    timestamp,
    blocks: drafts.map((draft) => {
      const whole = { id: newId(), timestamp, status: 'success', ...draft };
      return whole as AssistantMessageBlock;
    }),
    ...(given.role === 'assistant' && !given.finish && given.status === undefined && { finish: 'complete' as const }),
  };
}

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

/** Whether a page's list says what is there already: then assigning it changes nothing. */
export function sameMessages(inputs: readonly MessageInput[], messages: readonly ChatMessage[]): boolean {
  if (inputs === messages) return true;
  return (
    inputs.length === messages.length &&
    inputs.every(
      (input, index) => input === messages[index] || JSON.stringify(input) === JSON.stringify(messages[index]),
    )
  );
}
