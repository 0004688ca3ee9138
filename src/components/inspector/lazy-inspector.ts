import { nothing } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import type * as TracerModule from '../../runtime/tracer.ts';
import type { TraceEntry } from '../../runtime/tracer.ts';
import type { AgentChatInspector } from './inspector.ts';
import { loadConversationChunk } from '../shared/load-chunks.ts';

/**
 * The stream inspector (shown with `debug`). Its code loads when it is first rendered; trace entries are buffered until then. The
 * tracer, which records the entries, loads before the first turn starts.
 */
export class LazyInspector {
  /** Renders the widget again, when the inspector has loaded. */
  readonly #requestUpdate: () => void;
  readonly #buffer: TraceEntry[] = [];
  #inspector: AgentChatInspector | undefined;
  #tracer: typeof TracerModule | undefined;
  #loading = false;
  #failed = false;

  constructor(requestUpdate: () => void) {
    this.#requestUpdate = requestUpdate;
  }

  readonly #add = (entry: TraceEntry): void => {
    if (this.#inspector) this.#inspector.add(entry);
    else if (!this.#failed) this.#buffer.push(entry);
  };

  /** Loads the tracer. If that fails, turns are not traced. */
  async loadTracer(): Promise<void> {
    this.#tracer ??= await import('../../runtime/tracer.ts').catch(() => undefined);
  }

  /** Creates the tracer of the turn that a user message starts. */
  trace(userMessage: ChatMessage): TracerModule.Tracer | undefined {
    return this.#tracer && new this.#tracer.Tracer(this.#add, userMessage);
  }

  /** Drops the buffered entries, which belong to the previous user. */
  clearBuffer(): void {
    this.#buffer.length = 0;
  }

  /** Returns the inspector element; `nothing` while it loads. */
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
      this.#requestUpdate();
    } catch {
      // If the chunk fails to load, the widget works without the inspector.
      this.#failed = true;
      this.#buffer.length = 0;
    }
  }
}
