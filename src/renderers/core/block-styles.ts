import { createStylesheet } from '../../theme/stylesheet.ts';
import blocks from './blocks.css?inline';

/** The stylesheet of all blocks except text and errors, which a plain answer does not need. */
export const blockStyles = createStylesheet(blocks);
