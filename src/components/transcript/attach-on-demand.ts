/** Parts of a transcript that many conversations never need. The first event that needs one of them loads it. */
import type { Localize } from '../../locales/localize.ts';

interface OnDemandHost {
  localize(): Localize;
  /** Returns a function that inserts a quote into the composer; undefined where quoting is disabled. */
  quote(): ((text: string) => void) | undefined;
}

/** Loads the previews of citations and the button that quotes a selection. After a failed load the next event tries again. */
export function attachOnDemand(list: HTMLElement, host: OnDemandHost): void {
  attachPreviews(list, host);
  attachQuotes(list, host);
}

function attachPreviews(list: HTMLElement, host: OnDemandHost): void {
  const loaded = new AbortController();
  /** The mark that the pointer or the focus is on. It may leave while the part is loading. */
  let current: HTMLElement | undefined;
  const onEnter = ({ target }: Pick<Event, 'target'>): void => {
    current = (target instanceof Element && target.closest<HTMLElement>('button.citation')) || undefined;
    if (!current) return;
    import('../message/citation-preview.ts').then(
      ({ previewCitations }) => {
        if (loaded.signal.aborted) return;
        loaded.abort();
        previewCitations(list, host, current);
      },
      () => undefined,
    );
  };
  const onLeave = (): void => {
    current = undefined;
  };
  const { signal } = loaded;
  for (const type of ['pointerover', 'focusin']) list.addEventListener(type, onEnter, { signal });
  for (const type of ['pointerout', 'focusout', 'click']) list.addEventListener(type, onLeave, { signal });
  // A mark may have the focus already.
  const root = list.getRootNode();
  if (root instanceof ShadowRoot) onEnter({ target: root.activeElement });
}

function attachQuotes(list: HTMLElement, host: OnDemandHost): void {
  const loaded = new AbortController();
  const onSelectstart = (): void => {
    import('../selection/quote-button.ts').then(
      ({ attachQuoteButton }) => {
        if (loaded.signal.aborted) return;
        loaded.abort();
        attachQuoteButton(list, host);
      },
      () => undefined,
    );
  };
  list.addEventListener('selectstart', onSelectstart, { signal: loaded.signal });
}
