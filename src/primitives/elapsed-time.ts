import type { Localize } from '../locales/localize.ts';
import { LightElement } from './light-dom-element.ts';

const TICK_MS = 1000;

/** Shows the time since a moment, updated while it is on the page; with `until`, the time left. */
export class AgentChatElapsed extends LightElement {
  static override properties = {
    since: { attribute: false },
    until: { attribute: false },
    localize: { attribute: false },
  };
  /** Milliseconds since the epoch. */
  declare since: number;
  declare until: number | undefined;
  declare localize: Localize;
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => {
      this.requestUpdate();
    }, TICK_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  protected override render(): string {
    const now = Date.now();
    const duration = this.until === undefined ? now - this.since : this.until - now;
    return this.localize.duration(Math.max(0, Math.round(duration / TICK_MS) * TICK_MS));
  }
}
