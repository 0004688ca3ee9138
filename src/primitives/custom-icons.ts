import { svg, type SVGTemplateResult } from 'lit';
import { isIconName, type IconName } from './icon.ts';
import { customIcons } from './content-icon.ts';

/**
 * A custom icon as path data. It consists of paths only: no URL, no markup, no script. A string is drawn like our own
 * icons: strokes of 1.5 on a grid of 20.
 */
export type IconDrawing =
  | string
  | {
      /** The `d` attribute of each `<path>`. */
      readonly path: string | readonly string[];
      /** Size of the square grid, such as 24 for many icon sets. Default: 20. */
      readonly grid?: number;
      /** Whether the paths are filled instead of stroked. Default: `false`. */
      readonly filled?: boolean;
    };

const GRID = 20;
const LINE = 1.5;
/** Path commands, numbers and separators. */
const PATH_DATA = /^\s*[Mm][MmZzLlHhVvCcSsQqTtAa\d.eE,+\-\s]*$/;

/** @throws TypeError if a string is not path data */
export function drawIcon(drawing: IconDrawing): SVGTemplateResult {
  const { path, grid = GRID, filled = false } = typeof drawing === 'string' ? { path: drawing } : drawing;
  const paths = typeof path === 'string' ? [path] : path;
  for (const data of paths) {
    if (typeof data !== 'string' || !PATH_DATA.test(data)) {
      throw new TypeError(`An icon must be SVG path data, such as "M4 10h12", not: ${data}`);
    }
  }
  if (!(grid > 0)) throw new TypeError(`The grid of an icon must be a number above 0, not ${String(grid)}.`);
  const lines = paths.map((data) => svg`<path d=${data}/>`);
  if (filled) return svg`<g class="filled" transform=${`scale(${String(GRID / grid)})`}>${lines}</g>`;
  // Strokes are as wide as ours on any grid.
  return grid === GRID
    ? svg`${lines}`
    : svg`<g transform=${`scale(${String(GRID / grid)})`} stroke-width=${(LINE * grid) / GRID}>${lines}</g>`;
}

/** The icons of all widgets. Dispatches `change` when an icon was replaced. */
export class IconSet extends EventTarget {
  /** By name, the newest last, because each may be removed again. */
  readonly #drawings = new Map<IconName, readonly { readonly drawing: IconDrawing }[]>();

  /**
   * Replaces built-in icons. @returns a function that restores them
   *
   * @throws TypeError if a name is unknown or a string is not path data
   *
   * @example
   * AgentChat.icons.register({ up: 'M3 10 17 4l-4 12-3-5z', chat: { path: 'M4 4h16v12H8l-4 4z', grid: 24 } });
   */
  register(drawings: Readonly<Partial<Record<IconName, IconDrawing>>>): () => void {
    const entries = Object.entries(drawings).map(([name, drawing]) => {
      if (!isIconName(name)) throw new TypeError(`Unknown icon "${name}".`);
      drawIcon(drawing);
      return { name, entry: { drawing } };
    });
    for (const { name, entry } of entries) this.#set(name, [...(this.#drawings.get(name) ?? []), entry]);
    this.dispatchEvent(new Event('change'));
    return () => {
      for (const { name, entry } of entries) {
        this.#set(name, this.#drawings.get(name)?.filter((other) => other !== entry) ?? []);
      }
      this.dispatchEvent(new Event('change'));
    };
  }

  unregister(name: IconName): void {
    this.#set(name, []);
    this.dispatchEvent(new Event('change'));
  }

  /** Returns the custom icon with this name; undefined if the built-in one is used. */
  get(name: IconName): IconDrawing | undefined {
    return this.#drawings.get(name)?.at(-1)?.drawing;
  }

  /** Returns the names of all custom icons. */
  list(): readonly IconName[] {
    return [...this.#drawings.keys()];
  }

  #set(name: IconName, entries: readonly { readonly drawing: IconDrawing }[]): void {
    const last = entries.at(-1);
    if (last) {
      this.#drawings.set(name, entries);
      customIcons.set(name, drawIcon(last.drawing));
    } else {
      this.#drawings.delete(name);
      customIcons.delete(name);
    }
  }
}

/** The icon set shared by all widgets. */
export const icons = new IconSet();
