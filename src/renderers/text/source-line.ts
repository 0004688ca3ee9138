import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { renderLink } from '../../markdown/render/link-template.ts';
import { hostOf, sourceName, sourceTime, type Source } from './citations.ts';

/**
 * The number, name, host and time of a source.
 *
 * @param open - opens a source that has no address
 */
export function sourceLine({ number, citation }: Source, localize: Localize, open?: () => void): TemplateResult {
  const name = sourceName(citation);
  const host = hostOf(citation.url);
  const time = sourceTime(citation);
  return html`<span class="citation" aria-hidden="true">${number}</span>
    <span class="clip" dir="auto"
      >${
        citation.url
          ? renderLink(citation.url, name, name)
          : open
            ? html`<button type="button" class="source-name" @click=${open}>${name}</button>`
            : name
      }</span
    >
    ${host ? html`<span class="host">${host}</span>` : nothing}
    ${time === undefined ? nothing : html`<time class="host">${localize.date(time)}</time>`}`;
}
