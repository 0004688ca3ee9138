import { createStylesheet } from '../../theme/stylesheet.ts';
import surface from './surface.css?inline';

/** The stylesheet that is added with the first surface or app. */
export const surfaceStyles = createStylesheet(surface);
