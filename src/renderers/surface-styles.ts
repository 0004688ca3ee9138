import { sheet } from '../theme/sheet.ts';
import surface from '../theme/surface.css?inline';

/** The sheet that comes with the first surface or app. */
export const surfaceStyles = sheet(surface);
