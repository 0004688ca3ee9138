/** Parts of a transcript that many conversations never need. The first event that needs one of them loads it. */
import type { Localize } from '../../locales/localize.ts';

export interface OnDemandHost {
  localize(): Localize;
  /** Returns a function that inserts a quote into the composer; undefined where quoting is disabled. */
  quote(): ((text: string) => void) | undefined;
}

/** Loads the previews of citations and the button that quotes a selection. After a failed load the next event tries again. */
export function attachOnDemand(list: HTMLElement, host: OnDemandHost): void {
  listenUntilLoaded(list, ['pointerover', 'focusin'], async (target) => {
    if (!(target instanceof Element) || !target.closest('button.citation')) return undefined;
    const { previewCitations } = await import('../message/citation-popover.ts');
    return () => {
      previewCitations(list, host, target);
    };
  });
  listenUntilLoaded(list, ['selectstart'], async () => {
    const { attachQuoteButton } = await import('../selection/quote-button.ts');
    return () => {
      attachQuoteButton(list, host);
    };
  });
}

function listenUntilLoaded(
  list: HTMLElement,
  types: readonly string[],
  load: (target: EventTarget | null) => Promise<(() => void) | undefined>,
): void {
  const loaded = new AbortController();
  const onEvent = ({ target }: Event): void => {
    load(target).then(
      (attach) => {
        if (!attach || loaded.signal.aborted) return;
        loaded.abort();
        attach();
      },
      () => undefined,
    );
  };
  for (const type of types) list.addEventListener(type, onEvent, { signal: loaded.signal });
}
