import type { Localize } from '../locales/localize.ts';
import { IncrementalMarkdownParser } from '../markdown/parse/incremental-parser.ts';
import { whenIdle } from '../primitives/when-idle.ts';

/** The Markdown of a usual answer. */
const SAMPLE = 'A **word**, `code` and a [link](https://example.com).\n\n- item\n';

/**
 * Does in idle moments what takes a browser long the first time, so that the first answer does not wait for it: a formatted
 * time loads the data of its language, and parsing compiles regular expressions.
 */
export function warmUp(localize: Localize): void {
  whenIdle(() => {
    localize.time(0);
    whenIdle(() => new IncrementalMarkdownParser().append(SAMPLE, true));
  });
}
