import { load } from './load-script.ts';

/** The search. Its index is a separate script, loaded when the field is used. */
interface Page {
  readonly url: string;
  readonly title: string;
  readonly headings: readonly { readonly id: string; readonly text: string }[];
  readonly text: string;
}
declare global {
  var siteIndex: readonly Page[] | undefined;
}

const MOST = 12;

/** @param root - relative path from this page to the root of the site */
export function addSearch(root: string): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  const found = document.querySelector<HTMLElement>('#found');
  if (!field || !found) return;

  let asked = false;
  const close = (): void => {
    found.hidden = true;
  };
  const show = (): void => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    found.hidden = words.length === 0;
    if (words.length > 0) found.replaceChildren(...resultsOf(words, root));
  };
  field.addEventListener('focus', () => {
    if (asked) return;
    asked = true;
    load(`${root}assets/search-index.js`).addEventListener('load', show);
  });
  field.addEventListener('input', show);
  const links = (): readonly HTMLAnchorElement[] => [...found.querySelectorAll('a')];
  document.addEventListener('keydown', (event) => {
    const { key } = event;
    const inside = event.composedPath().includes(field) || event.composedPath().includes(found);
    if (key === '/' && !isWriting(event)) {
      event.preventDefault();
      field.focus();
    } else if (!inside || found.hidden) return;
    else if (key === 'Escape') {
      close();
      field.focus();
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      const list = [field, ...links()];
      const place = list.findIndex((element) => element === document.activeElement);
      list[(place + (key === 'ArrowDown' ? 1 : list.length - 1)) % list.length]?.focus();
    }
  });
  document.addEventListener('click', (event) => {
    if (!event.composedPath().includes(found) && event.target !== field) close();
  });
}

const isWriting = (event: Event): boolean =>
  event.composedPath().some((target) => target instanceof HTMLElement && target.matches('input, textarea, select'));

function resultsOf(words: readonly string[], root: string): readonly Node[] {
  const results = (globalThis.siteIndex ?? [])
    .map((page) => ({ page, rank: rankOf(page, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, MOST);
  if (results.length > 0) return results.map(({ page }) => linkTo(page, words, root));
  const nothing = document.createElement('p');
  nothing.textContent = globalThis.siteIndex ? 'Nothing has these words.' : 'Looking …';
  return [nothing];
}

/** Scores a page. It must contain every word; titles count more than headings, and headings more than text. */
function rankOf({ title, headings, text }: Page, words: readonly string[]): number {
  const places = [
    [title.toLowerCase(), 20],
    [headings.map((heading) => heading.text.toLowerCase()).join('\n'), 5],
    [text.toLowerCase(), 1],
  ] as const;
  const ranks = words.map((word) =>
    places.reduce((sum, [place, weight]) => sum + (place.includes(word) ? weight : 0), 0),
  );
  return ranks.includes(0) ? 0 : ranks.reduce((sum, rank) => sum + rank, 0);
}

function linkTo({ url, title, headings, text }: Page, words: readonly string[], root: string): HTMLAnchorElement {
  const link = document.createElement('a');
  const heading = headings.find((one) => words.every((word) => one.text.toLowerCase().includes(word)));
  link.href = `${root}${url}${heading ? `#${heading.id}` : ''}`;
  const place = Math.max(0, text.toLowerCase().indexOf(words[0] ?? ''));
  const context = document.createElement('small');
  context.textContent = heading?.text ?? `… ${text.slice(Math.max(0, place - 40), place + 80)} …`;
  link.append(title, context);
  return link;
}
