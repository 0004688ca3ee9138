/** Compares a call with the card on which the user has answered. A stored call may be another one than the card shows. */
import type { AssistantMessageBlock, BlockOf } from '../../model/blocks.ts';
import { isSameArguments } from '../../model/canonical-arguments.ts';
import type { Answer, Turn } from './adapter.ts';

/** The card (the block of the question) that the user has answered. */
export const cardOf = ({ blockId }: Answer, { messages }: Pick<Turn, 'messages'>): BlockOf<'action'> | undefined =>
  messages
    .flatMap(({ blocks }): readonly AssistantMessageBlock[] => blocks)
    .find((block): block is BlockOf<'action'> => block.type === 'action' && block.id === blockId);

/**
 * Whether a card asks for permission to call this tool with these arguments.
 *
 * @param args - the arguments as JSON
 */
export const isShownCall = (card: BlockOf<'action'> | undefined, name: unknown, args: string): boolean =>
  card?.action_type === 'tool_call_permission' &&
  (card.tool_call?.name ?? '') === (name ?? '') &&
  isSameArguments(card.tool_call?.params ?? '', args);
