import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';

export interface LauncherProps {
  readonly localize: Localize;
  readonly open: boolean;
  readonly unread: number;
  /** Undefined once it was dismissed. */
  readonly teaser: string | undefined;
  press(): void;
  dismiss(): void;
}

/** The button that opens the panel, with a count of what waits and a word of invitation. */
export function launcher({ localize, open, unread, teaser, press, dismiss }: LauncherProps): TemplateResult {
  const name = localize(open ? 'panel.close' : 'panel.open');
  const counted = unread > 0 && !open;
  return html`<button
      type="button"
      class="launcher"
      part="launcher"
      aria-expanded=${open ? 'true' : 'false'}
      aria-label=${counted ? `${name}, ${localize('panel.unread', { count: unread })}` : name}
      @click=${press}
    >
      <slot name="launcher">${icon(open ? 'chevron-down' : 'chat')}</slot>
      ${counted ? html`<span class="badge" aria-hidden="true">${unread}</span>` : nothing}
    </button>
    ${
      teaser && !open
        ? html`<section class="teaser" aria-label=${localize('conversation')}>
            <span class="grow" dir="auto">${teaser}</span>
            <button type="button" class="icon-button" aria-label=${localize('teaser.dismiss')} @click=${dismiss}>
              ${icon('close', 'small')}
            </button>
          </section>`
        : nothing
    }`;
}
