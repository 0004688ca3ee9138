import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { drawIcon, type IconDrawing } from '../primitives/icon-set.ts';
import { icon, isIconName, picture } from '../primitives/icon.ts';
import { warn } from './attributes.ts';

/** How the launcher looks and when it speaks up. */
export interface LauncherSettings {
  /** Its picture: the name of one of the set, or a drawing of the page's own. A slot of that name takes anything else. */
  readonly icon?: IconDrawing;
  /** The teaser waits for so many milliseconds. */
  readonly teaserDelay?: number;
  /**
   * The panel opens by itself: at once, or after so many milliseconds. Not on phones, where it would cover the page, and not where
   * the reader has closed it.
   */
  readonly autoOpen?: boolean | number;
}

export interface LauncherProps {
  readonly localize: Localize;
  readonly open: boolean;
  readonly unread: number;
  readonly icon: LauncherSettings['icon'];
  /** Undefined once it was dismissed. */
  readonly teaser: string | undefined;
  press(): void;
  dismiss(): void;
}

/** The button that opens the panel, with a count of what waits and a word of invitation. */
export function launcher({ localize, open, unread, icon: own, teaser, press, dismiss }: LauncherProps): TemplateResult {
  const name = localize(open ? 'panel.close' : 'panel.open');
  const counted = unread > 0 && !open;
  return html`<button
      type="button"
      class="launcher"
      part="launcher"
      lang=${localize.locale}
      aria-expanded=${open ? 'true' : 'false'}
      aria-label=${counted ? `${name}, ${localize('panel.unread', { count: unread })}` : name}
      @click=${press}
    >
      <slot name="launcher">${open ? icon('chevron-down') : ownIcon(own)}</slot>
      ${counted ? html`<span class="badge" aria-hidden="true">${unread}</span>` : nothing}
    </button>
    ${
      teaser && !open
        ? html`<section class="teaser" aria-label=${localize('conversation')}>
            <span class="grow" dir="auto">${teaser}</span>
            <button
              type="button"
              class="icon-button"
              lang=${localize.locale}
              aria-label=${localize('teaser.dismiss')}
              @click=${dismiss}
            >
              ${icon('close', 'small')}
            </button>
          </section>`
        : nothing
    }`;
}

function ownIcon(own: LauncherSettings['icon'] | null): TemplateResult {
  if (own === undefined || own === null) return icon('chat');
  if (typeof own === 'string' && isIconName(own)) return icon(own);
  try {
    return picture(drawIcon(own), '');
  } catch (error) {
    warn(`launcher.icon is left out. ${String(error)}`);
    return icon('chat');
  }
}
