import { html, type TemplateResult } from 'lit';
import { imageLoading, refuseMedia } from '../safety/media-policy.ts';
import { withoutBidi } from '../safety/urls.ts';
import type { ViewSettings } from './renderer.ts';

/** A picture under the page's policy: at once, on demand, or the reason why not. */
export function imageOf(
  src: string,
  alt: string,
  { localize, imageHosts, limits }: Pick<ViewSettings, 'localize' | 'imageHosts' | 'limits'>,
  refused?: string,
): TemplateResult {
  const reason = refused ?? refuseMedia({ kind: 'image', url: src }, limits);
  const loading = reason === undefined ? imageLoading(src, imageHosts, location) : { now: true as const };
  const key = `media.refused.${reason ?? ''}`;
  return html`<agent-chat-image
    .src=${src}
    .alt=${withoutBidi(alt)}
    .host=${loading.now ? undefined : loading.host}
    .reason=${reason === undefined ? undefined : localize(localize.has(key) ? key : 'image.broken')}
    .maxPixels=${limits.imagePixels}
    .localize=${localize}
  ></agent-chat-image>`;
}
