import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { drawIcon, icons } from '../../primitives/custom-icons.ts';
import { icon, isEarlyIcon, isIconName, type IconName } from '../../primitives/icon.ts';
import type { lazyIcon } from '../../primitives/lazy-icons.ts';
import { renderIcon } from '../../primitives/content-icon.ts';
import type { LauncherSettings } from '../settings/setting-types.ts';
import { warnOnce } from '../shared/attribute-converters.ts';

export interface LauncherProps {
  readonly localize: Localize;
  readonly open: boolean;
  readonly unread: number;
  readonly icon: LauncherSettings['icon'];
  /** Undefined after it was dismissed. */
  readonly teaser: string | undefined;
  press(): void;
  dismiss(): void;
}

/** Renders the launcher: the button that opens the panel, with the number of unread messages and the teaser. */
export function launcherTemplate({
  localize,
  open,
  unread,
  icon: own,
  teaser,
  press,
  dismiss,
}: LauncherProps): TemplateResult {
  const name = localize(open ? 'panel.close' : 'panel.open');
  const showsCount = unread > 0 && !open;
  return html`<button
      type="button"
      class="launcher"
      part="launcher"
      lang=${localize.locale}
      aria-expanded=${open ? 'true' : 'false'}
      aria-label=${showsCount ? `${name}, ${localize('panel.unread', { count: unread })}` : name}
      @click=${press}
    >
      <slot name="launcher">${open ? icon('chevron-down') : customIcon(own)}</slot>
      ${showsCount ? html`<span class="badge" aria-hidden="true">${unread}</span>` : nothing}
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

let drawLazyIcon: typeof lazyIcon | undefined;

/** The page may choose an icon that is loaded on demand. When it is loaded, all launchers are rendered again. */
function namedIcon(name: IconName): TemplateResult | typeof nothing {
  if (isEarlyIcon(name)) return icon(name);
  if (!drawLazyIcon) {
    void import('../../primitives/lazy-icons.ts')
      .then(
        (chunk) => chunk.lazyIcon,
        () => () => icon('chat'),
      )
      .then((draw) => {
        drawLazyIcon = draw;
        icons.dispatchEvent(new Event('change'));
      });
  }
  return drawLazyIcon?.(name) ?? nothing;
}

function customIcon(own: LauncherSettings['icon'] | null): TemplateResult | typeof nothing {
  if (own === undefined || own === null) return icon('chat');
  if (typeof own === 'string' && isIconName(own)) return namedIcon(own);
  try {
    return renderIcon(drawIcon(own), '');
  } catch (error) {
    warnOnce(`launcher.icon is ignored. ${String(error)}`);
    return icon('chat');
  }
}
