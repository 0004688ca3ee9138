import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { renderLink } from '../../markdown/render/link.ts';
import { hostOf, sourceName, sourceTime, type Source } from './citations.ts';

/** The number, name, host and time of a source. */
export function sourceLine({ number, citation }: Source, localize: Localize): TemplateResult {
  const name = sourceName(citation);
  const host = hostOf(citation.url);
  const time = sourceTime(citation);
  return html`<span class="citation" aria-hidden="true">${number}</span>
    <span class="clip" dir="auto">${citation.url ? renderLink(citation.url, name, '', name) : name}</span>
    ${host ? html`<span class="host">${host}</span>` : nothing}
    ${time === undefined ? nothing : html`<time class="host">${localize.date(time)}</time>`}`;
}
