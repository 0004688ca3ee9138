import { OWN } from '../runtime/keeping/stored-before.ts';

/** Where the reader has put the panel. Pixels; what they have not changed is left out. */
export interface PanelPlace {
  readonly width?: number;
  readonly height?: number;
  /** From the side at which it is placed. */
  readonly inline?: number;
  /** From the foot of the window. */
  readonly block?: number;
}

/**
 * What the reader has done to a panel: opened it, moved it, waved its teaser away. It is read before the first drawing, so that nothing
 * jumps; whether it is open the launcher script reads too. Several panels on one page are told apart by the element's id.
 */
export class OpenState {
  readonly #id: string;
  readonly #storage: Storage | undefined;

  /** Without `lasting` in this tab alone. */
  constructor(id: string, lasting: boolean) {
    this.#id = id === '' ? '' : ` ${id}`;
    try {
      this.#storage = lasting ? localStorage : sessionStorage;
    } catch {
      // The page may not have it.
    }
  }

  /** Always of this tab: a page that is opened beside it begins as the page says. */
  get open(): boolean | undefined {
    try {
      const open = sessionStorage.getItem(`${OWN}open${this.#id}`);
      return open === null ? undefined : open === 'true';
    } catch {
      return undefined;
    }
  }
  set open(open: boolean | undefined) {
    try {
      sessionStorage.setItem(`${OWN}open${this.#id}`, String(open));
    } catch {
      // Full, or not to be had: the panel is as the page says on the next one.
    }
  }

  get place(): PanelPlace {
    const place = parse(this.#read('place'));
    if (typeof place !== 'object' || place === null) return {};
    return Object.fromEntries(Object.entries(place).filter(([, px]) => Number.isFinite(px)));
  }
  set place(place: PanelPlace) {
    this.#write('place', JSON.stringify(place));
  }

  /** The invitation that the reader has waved away: another one may be shown. */
  get teaser(): string | undefined {
    return this.#read('teaser') ?? undefined;
  }
  set teaser(words: string | undefined) {
    if (words !== undefined) this.#write('teaser', words);
  }

  #read(what: string): string | null {
    try {
      return this.#storage?.getItem(`${OWN}${what}${this.#id}`) ?? null;
    } catch {
      return null;
    }
  }

  #write(what: string, text: string): void {
    try {
      this.#storage?.setItem(`${OWN}${what}${this.#id}`, text);
    } catch {
      // As above.
    }
  }
}

/** What was stored may be anything. */
function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
