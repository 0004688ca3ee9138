import { svg, type SVGTemplateResult } from 'lit';
import { isIconName, replaced, type IconName } from './icon.ts';

/**
 * A picture of the page's own, as the data of its paths. There is nothing in it but lines: no address, no markup, no script.
 * A string is drawn like our own: lines of 1.5 on a grid of 20.
 */
export type IconDrawing =
  | string
  | {
      /** What stands in the `d` of each `<path>`. */
      readonly path: string | readonly string[];
      /** The side of the square it is drawn on, such as the 24 of many collections. By default 20. */
      readonly grid?: number;
      /** An area instead of lines. */
      readonly filled?: boolean;
    };

const GRID = 20;
const LINE = 1.5;
/** The letters of path data, numbers, and what stands between them. */
const PATH_DATA = /^\s*[Mm][MmZzLlHhVvCcSsQqTtAa\d.eE,+\-\s]*$/;

/** @throws TypeError for what is no path data */
export function drawIcon(drawing: IconDrawing): SVGTemplateResult {
  const { path, grid = GRID, filled = false } = typeof drawing === 'string' ? { path: drawing } : drawing;
  const paths = typeof path === 'string' ? [path] : path;
  for (const data of paths) {
    if (typeof data !== 'string' || !PATH_DATA.test(data)) {
      throw new TypeError(`An icon is the data of SVG paths, such as "M4 10h12"; this is none: ${data}`);
    }
  }
  if (!(grid > 0)) throw new TypeError(`The grid of an icon is a number above 0, not ${String(grid)}.`);
  const lines = paths.map((data) => svg`<path d=${data}/>`);
  if (filled) return svg`<g class="filled" transform=${`scale(${String(GRID / grid)})`}>${lines}</g>`;
  // Lines stay as thick as ours on any grid.
  return grid === GRID
    ? svg`${lines}`
    : svg`<g transform=${`scale(${String(GRID / grid)})`} stroke-width=${(LINE * grid) / GRID}>${lines}</g>`;
}

/** The pictures of all widgets. Hears `change` when one has another drawing. */
export class IconSet extends EventTarget {
  /** By name, the newest last: it may be taken back. */
  readonly #drawings = new Map<IconName, readonly { readonly drawing: IconDrawing }[]>();

  /**
   * Puts drawings in the place of ours. @returns what takes them back
   *
   * @throws TypeError for a name that is none of ours, and for what is no path data
   *
   * @example
   * AgentChat.icons.register({ up: 'M3 10 17 4l-4 12-3-5z', chat: { path: 'M4 4h16v12H8l-4 4z', grid: 24 } });
   */
  register(drawings: Readonly<Partial<Record<IconName, IconDrawing>>>): () => void {
    const entries = Object.entries(drawings).map(([name, drawing]) => {
      if (!isIconName(name)) throw new TypeError(`There is no icon "${name}".`);
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

  /** The page's drawing; undefined where ours is used. */
  get(name: IconName): IconDrawing | undefined {
    return this.#drawings.get(name)?.at(-1)?.drawing;
  }

  /** The names of those that the page has drawn. */
  list(): readonly IconName[] {
    return [...this.#drawings.keys()];
  }

  #set(name: IconName, entries: readonly { readonly drawing: IconDrawing }[]): void {
    const last = entries.at(-1);
    if (last) {
      this.#drawings.set(name, entries);
      replaced.set(name, drawIcon(last.drawing));
    } else {
      this.#drawings.delete(name);
      replaced.delete(name);
    }
  }
}

/** The set that every widget shares. */
export const icons = new IconSet();
