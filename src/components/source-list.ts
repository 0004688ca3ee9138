import { html, nothing, type TemplateResult } from 'lit';
import { link } from '../markdown/link.ts';
import type { ChatMessage } from '../model/message.ts';
import { hostOf, sourcesOf } from '../renderers/sources.ts';
import { withoutBidi } from '../safety/urls.ts';
import type { View } from './contexts.ts';

/** The sources of an answer, numbered as in its text. */
export function sourceList(message: ChatMessage, { settings }: View): TemplateResult | typeof nothing {
  const sources = sourcesOf(message);
  if (sources.length === 0 || message.status === 'streaming') return nothing;
  const title = settings.localize('sources.count', { count: sources.length });
  return html`<nav class="source-list" part="source-list" aria-label=${title}>
    <span class="label">${title}</span>
    <ol>
      ${sources.map(({ number, citation }) => {
        const name = withoutBidi(citation.title ?? citation.quote ?? citation.url ?? citation.id);
        const host = hostOf(citation.url);
        return html`<li title=${citation.quote === undefined ? nothing : withoutBidi(citation.quote)}>
          <span class="citation" aria-hidden="true">${number}</span>
          <span class="clip" dir="auto">${citation.url ? link(citation.url, name, '', name) : name}</span>
          ${host ? html`<span class="host">${host}</span>` : nothing}
        </li>`;
      })}
    </ol>
  </nav>`;
}
