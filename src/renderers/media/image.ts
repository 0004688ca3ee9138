import { html } from 'lit';
import { imageOf } from './policy-image.ts';
import { defineRenderer } from '../core/renderer.ts';

/** An image of the agent under the media policy; a blocked image shows the reason. */
export const image = defineRenderer({
  type: 'image',
  getProps: ({ image_data, url, name, content, extra }, { settings }) => ({
    src: image_data ? `data:${image_data.mimeType};base64,${image_data.data}` : (url ?? ''),
    alt: content ?? name ?? '',
    refused: (extra?.['reason'] as string | undefined) ?? (image_data || url ? undefined : 'empty'),
    settings,
  }),
  component: ({ src, alt, refused, settings }) =>
    html`<div part="block block-image">${imageOf(src, alt, settings, refused)}</div>`,
});
