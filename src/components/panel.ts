import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { Mode } from './agent-chat-settings.ts';
import { launcher, type LauncherSettings } from './launcher.ts';
import { layOut } from './lay-out.ts';
import type { OpenState } from './open-state.ts';
import type { Place } from './place.ts';

export interface PanelHost {
  root(): ParentNode;
  localize(): Localize;
  mode(): Mode;
  placement(): 'start' | 'end';
  isOpen(): boolean;
  /** `kept`: it was the reader's wish, or the page's at this moment, and is remembered. */
  setOpen(open: boolean, kept: boolean): void;
  unread(): number;
  teaser(): string | undefined;
  launcher(): LauncherSettings | undefined;
  focusComposer(): void;
  focusTranscript(): void;
  /** Where what the reader does to the panel is kept; undefined where nothing may be. */
  kept(): OpenState | undefined;
  /** Something is to be drawn. */
  changed(): void;
  /** Resolves when it is. */
  drawn(): Promise<unknown>;
}

/** As narrow as a phone, or as low as one that lies: a panel has no room beside anything there. */
const SMALL = '(width <= 480px), (height <= 480px)';
const TOUCH = '(pointer: coarse)';

/**
 * The panel of a floating or sidebar widget, and the launcher that opens it. It is a popover; on phones it fills a modal dialog, which
 * the back button closes. See `docs/decisions/places.md`.
 */
export class Panel {
  readonly #host: PanelHost;
  readonly #small = matchMedia(SMALL);
  #place: Place | undefined;
  #loading = false;
  /** What was drawn last. */
  #drawn = '';
  /** The teaser that was waved away, where that can't be kept. */
  #gone: string | undefined;
  /** The teaser whose time has come. */
  #due: string | undefined;
  #waits: ReturnType<typeof setTimeout> | undefined;
  #teaserWaits: string | undefined;
  #opens: ReturnType<typeof setTimeout> | undefined;

  constructor(host: PanelHost) {
    this.#host = host;
  }

  connect(): void {
    this.#small.addEventListener('change', this.#turned);
  }

  disconnect(): void {
    this.#small.removeEventListener('change', this.#turned);
    clearTimeout(this.#waits);
    clearTimeout(this.#opens);
    this.#teaserWaits = undefined;
    this.#place?.leave();
    // What is taken out of the document leaves the top layer.
    this.#drawn = '';
  }

  readonly #turned = (): void => {
    this.#host.changed();
  };

  get floats(): boolean {
    const mode = this.#host.mode();
    return mode === 'floating' || mode === 'sidebar';
  }

  /** It fills the window, above everything. */
  get fills(): boolean {
    return this.floats && this.#small.matches;
  }

  /**
   * Whether it was open on the page before. On a phone it comes back with a reload and on the way back only: whoever has followed a link
   * wants to see where it leads.
   */
  get wasOpen(): boolean | undefined {
    const open = this.#host.kept()?.open;
    const [entry] = performance.getEntriesByType('navigation');
    const arrives = (entry as PerformanceNavigationTiming | undefined)?.type === 'navigate';
    return open && this.fills && arrives ? false : open;
  }

  keepOpen(open: boolean): void {
    const kept = this.#host.kept();
    if (kept) kept.open = open;
  }

  /** What stands around the panel: the launcher, and the dialog that takes it in on phones. */
  around(label: string): TemplateResult {
    return html`${this.floats ? this.#launcher() : nothing}
      <dialog class="sheet" lang=${this.#host.localize().locale} aria-label=${label} @close=${this.#closed}></dialog>`;
  }

  #launcher(): TemplateResult {
    return launcher({
      localize: this.#host.localize(),
      open: this.#host.isOpen(),
      unread: this.#host.unread(),
      icon: this.#host.launcher()?.icon,
      teaser: this.#teaser,
      press: this.#launch,
      dismiss: this.#dismissTeaser,
    });
  }

  get #teaser(): string | undefined {
    const teaser = this.#host.teaser();
    if (teaser === undefined || this.#host.isOpen()) return undefined;
    if (teaser === this.#gone || teaser === this.#host.kept()?.teaser) return undefined;
    const delay = this.#host.launcher()?.teaserDelay ?? 0;
    if (delay <= 0 || this.#due === teaser) return teaser;
    if (this.#teaserWaits !== teaser) {
      this.#teaserWaits = teaser;
      clearTimeout(this.#waits);
      this.#waits = setTimeout(() => {
        this.#due = teaser;
        this.#host.changed();
      }, delay);
    }
    return undefined;
  }

  readonly #dismissTeaser = (): void => {
    const teaser = this.#host.teaser();
    const kept = this.#host.kept();
    this.#gone = teaser;
    if (kept && teaser !== undefined) kept.teaser = teaser;
    this.#host.changed();
  };

  /** Closed by the reader: the focus goes back to where they came from. */
  readonly leave = (): void => {
    clearTimeout(this.#opens);
    this.#host.setOpen(false, true);
    void this.#host.drawn().then(() => {
      this.#host.root().querySelector<HTMLElement>('.launcher')?.focus();
    });
  };

  /** To be called when it stands in the document as it should be drawn. */
  draw(): void {
    const open = this.#host.isOpen();
    const { fills, floats } = this;
    const now = [open, fills, this.#host.mode(), this.#host.placement()].join();
    if (now === this.#drawn) return;
    const root = this.#host.root();
    const panel = root.querySelector<HTMLElement>('.panel');
    const sheet = root.querySelector<HTMLDialogElement>('.sheet');
    if (!panel?.isConnected || !sheet) return;
    this.#drawn = now;
    if (fills) {
      // Not `moveBefore()`, which would keep frames alive: Chromium 156 crashes on it here.
      if (panel.parentElement !== sheet) sheet.append(panel);
      this.#showSheet(sheet, open);
    } else {
      if (panel.parentElement === sheet) sheet.after(panel);
      if (sheet.open) sheet.close();
      if (floats) {
        // Before it is seen.
        if (!this.#place) layOut(panel, this.#host.kept()?.place ?? {});
        panel.togglePopover(open);
      }
    }
    const watched = this.#host.mode() === 'fullscreen' || (floats && open);
    if (watched) this.#watch(panel);
    else this.#place?.leave();
  }

  #showSheet(sheet: HTMLDialogElement, open: boolean): void {
    // One that was taken out of the document is still open, but no longer above it.
    if (sheet.open && !(open && sheet.matches(':modal'))) sheet.close();
    if (!open || sheet.open) return;
    sheet.showModal();
    // By touch not into the composer: that would bring the keyboard up.
    if (matchMedia(TOUCH).matches) this.#host.focusTranscript();
    else this.#host.focusComposer();
  }

  /** What moves and resizes it, and looks after the keyboard of a phone, is fetched when it is open. */
  #watch(panel: HTMLElement): void {
    if (this.#place) this.#place.enter(panel);
    else if (!this.#loading) {
      this.#loading = true;
      import('./place.ts').then(
        ({ Place }) => {
          this.#place = new Place({
            localize: () => this.#host.localize(),
            mode: () => this.#host.mode(),
            placement: () => this.#host.placement(),
            fills: () => this.fills,
            kept: () => this.#host.kept(),
          });
          this.#drawn = '';
          this.draw();
        },
        // Without its chunk the panel stays where it is.
        () => undefined,
      );
    }
  }

  /** What the reader can do to its place without dragging. */
  get place(): Place | undefined {
    return this.#place;
  }

  readonly #closed = ({ currentTarget }: Event): void => {
    // Closed by the browser: by the back button, say. (The event comes later than what it tells of.)
    if (this.#host.isOpen() && this.fills && !(currentTarget as HTMLDialogElement).open) this.leave();
  };

  readonly #launch = (): void => {
    if (this.#host.isOpen()) {
      this.leave();
      return;
    }
    // Whoever comes in has taken the invitation.
    this.#dismissTeaser();
    clearTimeout(this.#opens);
    this.#host.setOpen(true, true);
    if (!matchMedia(TOUCH).matches) this.#host.focusComposer();
    else
      void this.#host.drawn().then(() => {
        this.#host.focusTranscript();
      });
  };

  /** Opens it as the page wishes, unless the reader has closed it before or it would cover their page. */
  openByItself(): void {
    const { autoOpen } = this.#host.launcher() ?? {};
    if (autoOpen === undefined || autoOpen === false || !this.floats) return;
    this.#opens = setTimeout(
      () => {
        if (this.fills || this.#host.kept()?.open !== undefined) return;
        this.#host.setOpen(true, false);
      },
      autoOpen === true ? 0 : autoOpen,
    );
  }
}
