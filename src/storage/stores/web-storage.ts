/** Small values by name in the storage of one tab, with synchronous access. */
import { STORAGE_PREFIX } from './has-stored-data.ts';

type Area = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The values of one scope in this tab. */
export class TabNotes {
  readonly #scope: string;

  constructor(scope: string) {
    this.#scope = scope;
  }

  get(name: string): unknown {
    const text = area().getItem(this.#key(name));
    if (text === null) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // Written by other code, or incomplete.
      return undefined;
    }
  }

  /** @returns the length of the stored text in UTF-16 code units */
  set(name: string, value: unknown): number {
    const text = JSON.stringify(value);
    area().setItem(this.#key(name), text);
    return text.length;
  }

  remove(name: string): void {
    area().removeItem(this.#key(name));
  }

  /** The names with this prefix. */
  names(start = ''): readonly string[] {
    const prefix = this.#key(start);
    return Object.keys(area())
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(this.#key('').length));
  }

  /** Length of the stored text in UTF-16 code units. */
  lengthOf(name: string): number {
    return area().getItem(this.#key(name))?.length ?? 0;
  }

  clear(): void {
    for (const name of this.names()) this.remove(name);
  }

  #key(name: string): string {
    return `${STORAGE_PREFIX}${this.#scope} ${name}`;
  }
}

// Accessed each time, because the property access throws if the page has no permission.
const area = (): Area => sessionStorage;
