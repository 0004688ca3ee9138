import { html, type TemplateResult } from 'lit';
import { imageLoading, refuseMedia } from '../../safety/media-policy.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { loadOnce } from '../../load-once.ts';
import { loadPersistently } from '../core/load-persistently.ts';
import type { ViewSettings } from '../core/renderer.ts';
import { shortText } from '../core/short-text.ts';

const loadImage = loadOnce(async () => {
  const { AgentChatImage } = await import('../../primitives/media/image.ts');
  defineOnce('agent-chat-image', AgentChatImage);
});

/** An image under the page's media policy: loaded, loadable on demand, or the reason why it is blocked. */
export function imageOf(
  src: string,
  alt: string,
  { localize, imageHosts, limits, report }: Pick<ViewSettings, 'localize' | 'imageHosts' | 'limits' | 'report'>,
  refused?: string,
): TemplateResult {
  const reason = refused ?? refuseMedia({ kind: 'image', url: src }, limits);
  const loading = reason === undefined ? imageLoading(src, imageHosts) : { now: true as const };
  const blockReason = reason ?? (loading.now ? undefined : 'host');
  if (blockReason !== undefined) report?.({ sink: 'image', url: src, reason: blockReason });
  // A failure to load is not reported to the page: each image would repeat it, and the only remedy is to wait for the network.
  loadPersistently(loadImage).catch(() => undefined);
  const key = `media.refused.${reason ?? ''}`;
  return html`<agent-chat-image
    .src=${src}
    .alt=${shortText(alt)}
    .host=${loading.now ? undefined : loading.host}
    .reason=${reason === undefined ? undefined : localize(localize.has(key) ? key : 'image.broken')}
    .maxPixels=${limits.imagePixels}
    .report=${report}
    .localize=${localize}
  ></agent-chat-image>`;
}
