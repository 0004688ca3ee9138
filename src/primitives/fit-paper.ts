import { adoptStylesheet, createStylesheet } from '../theme/stylesheet.ts';
import css from './fit-paper.css?inline';

const style = createStylesheet(css);
const elements = new Set<HTMLElement>();

/** Fits the table in this element to the paper when the page is printed, until `unfitPaper()` is called. */
export function fitPaper(element: HTMLElement): void {
  adoptStylesheet(element, style);
  elements.add(element);
}

export function unfitPaper(element: HTMLElement): void {
  elements.delete(element);
}

/** The stylesheet computes the size of the text from this width: only there the width of the paper is known. */
function measureTables(): void {
  for (const element of elements) {
    const table = element.querySelector('table');
    if (!table) continue;
    const before = table.style.inlineSize;
    table.style.inlineSize = 'min-content';
    const { inlineSize, fontSize } = getComputedStyle(table);
    table.style.inlineSize = before;
    element.style.setProperty('--_least-ems', String(Math.max(1, parseFloat(inlineSize) / parseFloat(fontSize)) || 1));
  }
}
addEventListener('beforeprint', measureTables);
