import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { Citation } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import { citationsOf, collectSources, sourceKey } from '../../renderers/text/citations.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { sourceLine } from '../message/source-list.ts';

/**
 * All sources with their quotes.
 *
 * @param selected - the citation whose mark the user has clicked
 */
export function fullSourceList(message: ChatMessage, localize: Localize, selected: unknown): TemplateResult {
  const selectedKey = isCitation(selected) ? sourceKey(selected) : undefined;
  return html`<ol class="all-sources" aria-label=${localize('sources.title')}>
    ${collectSources(message).map((source) => {
      const key = sourceKey(source.citation);
      return html`<li tabindex="-1" aria-current=${key === selectedKey ? 'true' : nothing}>
        <div class="source-line">${sourceLine(source, localize)}</div>
        ${quotesOf(message, key).map((quote) => html`<blockquote dir="auto">${withoutInvisible(quote)}</blockquote>`)}
      </li>`;
    })}
  </ol>`;
}

const quotesOf = ({ blocks }: ChatMessage, key: string): readonly string[] => [
  ...new Set(
    blocks
      .flatMap((block) => (block.type === 'content' ? citationsOf(block) : []))
      .flatMap((citation) => (sourceKey(citation) === key && citation.quote ? [citation.quote] : [])),
  ),
];

const isCitation = (value: unknown): value is Citation => typeof value === 'object' && value !== null && 'id' in value;
