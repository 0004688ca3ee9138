import { createStylesheet } from '../../theme/stylesheet.ts';
import sourceList from './source-list.css?inline';

/** The stylesheet that is added with the first list of sources or results of a search. */
export const sourceListStyles = createStylesheet(sourceList);
