import citations from './citations.css?inline';
import daySeparator from './day-separator.css?inline';
import message from './message.css?inline';
import suggestions from './suggestions.css?inline';
import scrollButton from '../../ui/scroll-button.css?inline';
import prose from '../../../theme/markdown.css?inline';
import { createStylesheet } from '../../../theme/stylesheet.ts';

/** The stylesheets of the first message, before which nothing can scroll. Those of other blocks are loaded with them (`renderers/core/block-styles.ts`). */
export const messageStyles = [message + daySeparator + suggestions + scrollButton, prose, citations].map(
  createStylesheet,
);
