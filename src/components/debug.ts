import { nothing } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { TraceEntry } from '../runtime/trace.ts';
import type { AgentChatInspector } from './inspector.ts';
import { loadParts } from './load-parts.ts';

/** The inspector of a widget with `debug`, fetched when it is first shown; what passes by meanwhile waits for it. */
export class Debug {
  readonly #changed: () => void;
  readonly #waiting: TraceEntry[] = [];
  #inspector: AgentChatInspector | undefined;
  #loading = false;
  #failed = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  readonly take = (entry: TraceEntry): void => {
    if (this.#inspector) this.#inspector.add(entry);
    else if (!this.#failed) this.#waiting.push(entry);
  };

  view(localize: Localize): AgentChatInspector | typeof nothing {
    if (!this.#inspector) {
      void this.#load();
      return nothing;
    }
    this.#inspector.localize = localize;
    return this.#inspector;
  }

  async #load(): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const [{ makeInspector }] = await Promise.all([import('./make-inspector.ts'), loadParts()]);
      this.#inspector = makeInspector();
      for (const entry of this.#waiting.splice(0)) this.#inspector.add(entry);
      this.#changed();
    } catch {
      // Without its chunk the widget does all but show itself from inside.
      this.#failed = true;
      this.#waiting.length = 0;
    }
  }
}
