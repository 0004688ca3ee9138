import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { Mode } from '../settings/agent-chat-properties.ts';
import { launcherTemplate } from './launcher.ts';
import { observeViewport } from './keep-in-viewport.ts';
import { applyPosition } from './apply-position.ts';
import type { PanelPositionController } from './panel-position.ts';
import { MAX_TIMER_MS, TeaserController, type TeaserHost } from './teaser-controller.ts';

export interface PanelHost extends TeaserHost {
  root(): ParentNode;
  localize(): Localize;
  mode(): Mode;
  placement(): 'start' | 'end';
  /** @param stored - whether the state is stored: true if the user or the page has set it, false if it opens automatically */
  setOpen(open: boolean, stored: boolean): void;
  unread(): number;
  focusComposer(): void;
  focusTranscript(): void;
  /** Resolves when the update is rendered. */
  updated(): Promise<unknown>;
}

/** Phone screens, upright or in landscape: too small for a panel next to other content. */
const SMALL_SCREEN = '(width <= 480px), (height <= 480px)';
const TOUCH = '(pointer: coarse)';

/**
 * Controls the panel of a floating or sidebar widget and its launcher. The panel is a popover; on phones it fills a modal dialog that
 * the back button closes. See `docs/decisions/places.md`.
 */
export class PanelController {
  readonly #host: PanelHost;
  readonly #teaser: TeaserController;
  readonly #smallScreen = matchMedia(SMALL_SCREEN);
  readonly #viewportObserver = observeViewport();
  #position: PanelPositionController | undefined;
  #loading = false;
  /** The state that was applied last. */
  #appliedState = '';
  #openTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: PanelHost) {
    this.#host = host;
    this.#teaser = new TeaserController(host);
  }

  connect(): void {
    this.#smallScreen.addEventListener('change', this.#handleResize);
  }

  disconnect(): void {
    this.#smallScreen.removeEventListener('change', this.#handleResize);
    this.#viewportObserver.disconnect();
    this.#teaser.disconnect();
    clearTimeout(this.#openTimer);
    this.#position?.deactivate();
    // An element that is removed from the document leaves the top layer.
    this.#appliedState = '';
  }

  readonly #handleResize = (): void => {
    this.#host.changed();
  };

  /** Whether the panel lies over the page and can be closed. */
  get floats(): boolean {
    const mode = this.#host.mode();
    return mode === 'floating' || mode === 'sidebar';
  }

  /** Whether the panel fills the window as a modal dialog. */
  get fills(): boolean {
    return this.floats && this.#smallScreen.matches;
  }

  /**
   * Whether the panel was open on the previous page. On phones it reopens only after a reload or back navigation: after following a
   * link the user wants to see the new page.
   */
  get wasOpen(): boolean | undefined {
    const open = this.#host.storedState()?.open;
    const [entry] = performance.getEntriesByType('navigation');
    const isNavigation = (entry as PerformanceNavigationTiming | undefined)?.type === 'navigate';
    return open && this.fills && isNavigation ? false : open;
  }

  storeOpen(open: boolean): void {
    this.#host.storedState()?.storeOpen(open);
  }

  /** Renders the launcher, and the dialog that contains the panel on phones. */
  shellTemplate(label: string): TemplateResult {
    return html`${this.floats ? this.#launcher() : nothing}
      <dialog
        class="sheet"
        lang=${this.#host.localize().locale}
        aria-label=${label}
        @close=${this.#handleClose}
      ></dialog>`;
  }

  #launcher(): TemplateResult {
    return launcherTemplate({
      localize: this.#host.localize(),
      open: this.#host.isOpen(),
      unread: this.#host.unread(),
      icon: this.#host.launcher()?.icon,
      teaser: this.#teaser.shown,
      press: this.#toggle,
      dismiss: this.#teaser.dismiss,
    });
  }

  /** Closes the panel for the user and returns the focus to the launcher. */
  readonly leave = (): void => {
    clearTimeout(this.#openTimer);
    this.#host.setOpen(false, true);
    void this.#host.updated().then(() => {
      this.#host.root().querySelector<HTMLElement>('.launcher')?.focus();
    });
  };

  /** Applies the state to the rendered panel. Called after each update. */
  applyState(): void {
    const open = this.#host.isOpen();
    const { fills, floats } = this;
    for (const element of this.#host.root().querySelectorAll('.launcher, .teaser'))
      this.#viewportObserver.observe(element);
    const state = [open, fills, this.#host.mode(), this.#host.placement()].join();
    if (state === this.#appliedState) return;
    const root = this.#host.root();
    const panel = root.querySelector<HTMLElement>('.panel');
    const sheet = root.querySelector<HTMLDialogElement>('.sheet');
    if (!panel?.isConnected || !sheet) return;
    this.#appliedState = state;
    if (fills) {
      // Not `moveBefore()`, which would preserve frames: Chromium 156 crashes on it here.
      if (panel.parentElement !== sheet) sheet.append(panel);
      this.#showSheet(sheet, open);
    } else {
      if (panel.parentElement === sheet) sheet.after(panel);
      if (sheet.open) sheet.close();
      if (floats) {
        // Applied before the panel becomes visible.
        if (!this.#position) applyPosition(panel, this.#host.storedState()?.position ?? {});
        panel.togglePopover(open);
      }
    }
    const isActive = this.#host.mode() === 'fullscreen' || (floats && open);
    if (isActive) this.#activate(panel);
    else this.#position?.deactivate();
  }

  #showSheet(sheet: HTMLDialogElement, open: boolean): void {
    // A dialog that was removed from the document is still open, but no longer modal.
    if (sheet.open && !(open && sheet.matches(':modal'))) sheet.close();
    if (!open || sheet.open) return;
    sheet.showModal();
    // On touch screens the composer is not focused, because that would open the keyboard.
    if (matchMedia(TOUCH).matches) this.#host.focusTranscript();
    else this.#host.focusComposer();
  }

  /** Loads the position controller (moving, resizing, on-screen keyboard) when the panel is open. */
  #activate(panel: HTMLElement): void {
    if (this.#position) this.#position.activate(panel);
    else if (!this.#loading) {
      this.#loading = true;
      import('./panel-position.ts').then(
        ({ PanelPositionController }) => {
          this.#position = new PanelPositionController({
            localize: () => this.#host.localize(),
            mode: () => this.#host.mode(),
            placement: () => this.#host.placement(),
            fills: () => this.fills,
            storedState: () => this.#host.storedState(),
          });
          this.#appliedState = '';
          this.applyState();
        },
        // If the chunk fails to load, the panel can't be moved. The next render tries again.
        () => {
          this.#loading = false;
        },
      );
    }
  }

  /** Moves and resizes the panel without dragging; undefined until its code is loaded. */
  get position(): PanelPositionController | undefined {
    return this.#position;
  }

  readonly #handleClose = ({ currentTarget }: Event): void => {
    // The browser has closed the dialog, for example with the back button. The event is asynchronous.
    if (this.#host.isOpen() && this.fills && !(currentTarget as HTMLDialogElement).open) this.leave();
  };

  readonly #toggle = (): void => {
    if (this.#host.isOpen()) {
      this.leave();
      return;
    }
    // The teaser has served its purpose.
    this.#teaser.dismiss();
    clearTimeout(this.#openTimer);
    this.#host.setOpen(true, true);
    if (!matchMedia(TOUCH).matches) this.#host.focusComposer();
    else
      void this.#host.updated().then(() => {
        this.#host.focusTranscript();
      });
  };

  /** Opens the panel according to `autoOpen`, unless it was opened or closed before in this tab, or would fill the window. */
  scheduleAutoOpen(): void {
    const { autoOpen } = this.#host.launcher() ?? {};
    if (autoOpen === undefined || autoOpen === false || !this.floats) return;
    this.#openTimer = setTimeout(
      () => {
        if (this.fills || this.#host.storedState()?.open !== undefined) return;
        this.#host.setOpen(true, false);
      },
      autoOpen === true ? 0 : Math.min(autoOpen, MAX_TIMER_MS),
    );
  }
}
