import { STORAGE_PREFIX } from '../../storage/stores/has-stored-data.ts';

/** The key of the stored position. Another one would lose those that users have stored. */
const POSITION = 'place';

/** The position and size that the user has given the panel (px). Unchanged values are omitted. */
export interface PanelPosition {
  readonly width?: number;
  readonly height?: number;
  /** Distance from the side of the window that `placement` names, along the CSS inline axis. */
  readonly inline?: number;
  /** Distance from the bottom of the window, along the CSS block axis. */
  readonly block?: number;
}

/**
 * The stored state of a panel: open, position and dismissed teaser. It is read before the first render, so that nothing jumps. The
 * embed script (`embed.ts`) also reads whether it is open. The element's id distinguishes several panels on one page.
 */
export class PersistedPanelState {
  /** Distinguishes the keys of this panel: a space and the element's id, or nothing. */
  readonly #suffix: string;
  readonly #storage: Storage | undefined;

  /** @param acrossTabs - store position and teaser for all tabs, not only for this one */
  constructor(id: string, acrossTabs: boolean) {
    this.#suffix = id === '' ? '' : ` ${id}`;
    try {
      this.#storage = acrossTabs ? localStorage : sessionStorage;
    } catch {
      // Access to the storage may be denied.
    }
  }

  /** Always stored for this tab only; a new tab starts with the page's setting. */
  get open(): boolean | undefined {
    try {
      const open = sessionStorage.getItem(`${STORAGE_PREFIX}open${this.#suffix}`);
      return open === null ? undefined : open === 'true';
    } catch {
      return undefined;
    }
  }

  storeOpen(open: boolean): void {
    try {
      sessionStorage.setItem(`${STORAGE_PREFIX}open${this.#suffix}`, String(open));
    } catch {
      // The storage is full or denied: the next page starts with its own setting.
    }
  }

  get position(): PanelPosition {
    const stored = parse(this.#read(POSITION));
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, px]) => Number.isFinite(px)));
  }
  set position(position: PanelPosition) {
    this.#write(POSITION, JSON.stringify(position));
  }

  /** The text of the teaser that the user has dismissed. A teaser with another text is shown. */
  get dismissedTeaser(): string | undefined {
    return this.#read('teaser') ?? undefined;
  }

  storeDismissedTeaser(text: string): void {
    this.#write('teaser', text);
  }

  #read(name: string): string | null {
    try {
      return this.#storage?.getItem(`${STORAGE_PREFIX}${name}${this.#suffix}`) ?? null;
    } catch {
      return null;
    }
  }

  #write(name: string, text: string): void {
    try {
      this.#storage?.setItem(`${STORAGE_PREFIX}${name}${this.#suffix}`, text);
    } catch {
      // The storage is full or denied.
    }
  }
}

/** Parses a stored value, which may be invalid. */
function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
