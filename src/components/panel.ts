import type { TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { launcher } from './launcher.ts';

export interface PanelHost {
  root(): ParentNode;
  localize(): Localize;
  isOpen(): boolean;
  setOpen(open: boolean): void;
  unread(): number;
  teaser(): string | undefined;
  focusComposer(): void;
  /** Something is to be drawn. */
  changed(): void;
}

/** The panel of a floating widget, and the launcher that opens it. */
export class Panel {
  readonly #host: PanelHost;
  #teaserGone = false;

  constructor(host: PanelHost) {
    this.#host = host;
  }

  launcher(): TemplateResult {
    return launcher({
      localize: this.#host.localize(),
      open: this.#host.isOpen(),
      unread: this.#host.unread(),
      teaser: this.#teaserGone ? undefined : this.#host.teaser(),
      press: this.#launch,
      dismiss: () => {
        this.#teaserGone = true;
        this.#host.changed();
      },
    });
  }

  /** Closed by the reader: the focus goes back to where they came from. */
  readonly leave = (): void => {
    this.#host.setOpen(false);
    this.#host.root().querySelector<HTMLElement>('.launcher')?.focus();
  };

  /** The panel lives in the top layer, above whatever the page has. */
  draw(): void {
    const panel = this.#host.root().querySelector<HTMLElement>('.panel');
    if (panel?.hasAttribute('popover') && panel.isConnected) panel.togglePopover(this.#host.isOpen());
  }

  readonly #launch = (): void => {
    if (this.#host.isOpen()) this.leave();
    else {
      this.#host.setOpen(true);
      this.#host.focusComposer();
    }
  };
}
