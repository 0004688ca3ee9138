import type { LauncherSettings } from '../settings/setting-types.ts';
import type { PersistedPanelState } from './persisted-panel-state.ts';

/** A longer timer would end at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export interface TeaserHost {
  isOpen(): boolean;
  /** The text of the teaser; undefined if the page has set none. */
  teaser(): string | undefined;
  launcher(): LauncherSettings | undefined;
  /** The stored panel state; undefined if nothing may be stored. */
  storedState(): PersistedPanelState | undefined;
  /** Requests an update. */
  changed(): void;
}

/** Decides when the teaser is shown next to the launcher: after its delay, while the panel is closed, until it is dismissed. */
export class TeaserController {
  readonly #host: TeaserHost;
  /** The dismissed text, in case it can't be stored. */
  #dismissed: string | undefined;
  /** The text whose delay has passed. */
  #due: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The text that the timer is for. */
  #scheduled: string | undefined;

  constructor(host: TeaserHost) {
    this.#host = host;
  }

  disconnect(): void {
    clearTimeout(this.#timer);
    this.#scheduled = undefined;
  }

  /** The text to show now, if any. Starts the delay of a new text. */
  get shown(): string | undefined {
    const teaser = this.#host.teaser();
    if (teaser === undefined || this.#host.isOpen()) return undefined;
    if (teaser === this.#dismissed || teaser === this.#host.storedState()?.dismissedTeaser) return undefined;
    const delay = this.#host.launcher()?.teaserDelay ?? 0;
    if (delay <= 0 || this.#due === teaser) return teaser;
    if (this.#scheduled !== teaser) {
      this.#scheduled = teaser;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(
        () => {
          this.#due = teaser;
          this.#host.changed();
        },
        Math.min(delay, MAX_TIMER_MS),
      );
    }
    return undefined;
  }

  readonly dismiss = (): void => {
    const teaser = this.#host.teaser();
    this.#dismissed = teaser;
    if (teaser !== undefined) this.#host.storedState()?.storeDismissedTeaser(teaser);
    this.#host.changed();
  };
}
