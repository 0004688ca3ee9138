import { nothing } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import type * as TracerModule from '../../runtime/tracer.ts';
import type { TraceEntry } from '../../runtime/tracer.ts';
import type { AgentChatInspector } from './inspector.ts';
import { loadConversationChunk } from '../shared/load-chunks.ts';

/**
 * The inspector of a widget with `debug`, loaded when it is first shown. Entries are buffered until then. Each turn waits for
 * the tracer.
 */
export class LazyInspector {
  readonly #changed: () => void;
  readonly #buffer: TraceEntry[] = [];
  #inspector: AgentChatInspector | undefined;
  #tracer: typeof TracerModule | undefined;
  #loading = false;
  #failed = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  readonly #add = (entry: TraceEntry): void => {
    if (this.#inspector) this.#inspector.add(entry);
    else if (!this.#failed) this.#buffer.push(entry);
  };

  /** If the chunk fails to load, turns are not traced. */
  async loadTracer(): Promise<void> {
    this.#tracer ??= await import('../../runtime/tracer.ts').catch(() => undefined);
  }

  trace(turn: ChatMessage): TracerModule.Tracer | undefined {
    return this.#tracer && new this.#tracer.Tracer(this.#add, turn);
  }

  /** Drops the buffered entries, which belong to the previous user. */
  clearBuffer(): void {
    this.#buffer.length = 0;
  }

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
      const [{ createInspector }] = await Promise.all([import('./create-inspector.ts'), loadConversationChunk()]);
      this.#inspector = createInspector();
      for (const entry of this.#buffer.splice(0)) this.#inspector.add(entry);
      this.#changed();
    } catch {
      // If the chunk fails to load, the widget works without the inspector.
      this.#failed = true;
      this.#buffer.length = 0;
    }
  }
}
