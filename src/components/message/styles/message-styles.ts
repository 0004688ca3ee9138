import cards from './cards.css?inline';
import citations from './citations.css?inline';
import message from './message.css?inline';
import prose from '../../../theme/prose.css?inline';
import { createStylesheet } from '../../../theme/stylesheet.ts';

/** The stylesheets that are loaded with the first message. */
export const messageStyles = [message, prose, citations, cards].map(createStylesheet);
