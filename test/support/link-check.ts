/** Loads the check of links before the tests of a page, so that links are complete at their first rendering. */
import { loadLinkText } from '../../src/safety/load-link-text.ts';

await loadLinkText();
