import cards from '../theme/cards.css?inline';
import message from '../theme/message.css?inline';
import prose from '../theme/prose.css?inline';
import { sheet } from '../theme/sheet.ts';

/** The sheets that come with the first message. */
export const messageStyles = [message, prose, cards].map(sheet);
