import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { link } from '../markdown/link.ts';
import type { Citation } from '../model/blocks.ts';
import type { ChatMessage } from '../model/message.ts';
import { citationsOf, hostOf, keyOf, sourcesOf, type Source } from '../renderers/sources.ts';
import { withoutBidi } from '../safety/urls.ts';
import type { Actions, View } from './contexts.ts';

/** So many sources stand below an answer; the panel has all of them. */
const FEW = 4;

/** The sources of an answer, numbered as in its text. */
export function sourceList(
  message: ChatMessage,
  { settings }: View,
  actions: Actions,
): TemplateResult | typeof nothing {
  const sources = sourcesOf(message);
  if (sources.length === 0 || message.status === 'streaming') return nothing;
  const { localize } = settings;
  const title = localize('sources.count', { count: sources.length });
  return html`<nav class="source-list" part="source-list" aria-label=${title}>
    <span class="label">${title}</span>
    <ol>
      ${sources.slice(0, FEW).map((source) => {
        const { quote } = source.citation;
        return html`<li title=${quote === undefined ? nothing : withoutBidi(quote)}>${line(source)}</li>`;
      })}
    </ol>
    ${
      sources.length > FEW
        ? html`<button
            type="button"
            class="link"
            @click=${() => {
              actions.act('sources', message);
            }}
          >
            ${localize('sources.all')}
          </button>`
        : nothing
    }
  </nav>`;
}

/**
 * Each source with all that was quoted of it.
 *
 * @param asked - the citation that the reader has pressed the mark of
 */
export function allSources(message: ChatMessage, localize: Localize, asked: unknown): TemplateResult {
  const askedKey = isCitation(asked) ? keyOf(asked) : undefined;
  return html`<ol class="all-sources" aria-label=${localize('sources.title')}>
    ${sourcesOf(message).map((source) => {
      const key = keyOf(source.citation);
      return html`<li tabindex="-1" aria-current=${key === askedKey ? 'true' : nothing}>
        <div class="source-line">${line(source)}</div>
        ${quotesOf(message, key).map((quote) => html`<blockquote dir="auto">${withoutBidi(quote)}</blockquote>`)}
      </li>`;
    })}
  </ol>`;
}

function line({ number, citation }: Source): TemplateResult {
  const name = nameOf(citation);
  const host = hostOf(citation.url);
  return html`<span class="citation" aria-hidden="true">${number}</span>
    <span class="clip" dir="auto">${citation.url ? link(citation.url, name, '', name) : name}</span>
    ${host ? html`<span class="host">${host}</span>` : nothing}`;
}

const nameOf = ({ title, quote, url, id }: Citation): string => withoutBidi(title ?? quote ?? url ?? id);

const quotesOf = ({ blocks }: ChatMessage, key: string): readonly string[] => [
  ...new Set(
    blocks
      .flatMap((block) => (block.type === 'content' ? citationsOf(block) : []))
      .flatMap((citation) => (keyOf(citation) === key && citation.quote ? [citation.quote] : [])),
  ),
];

const isCitation = (value: unknown): value is Citation => typeof value === 'object' && value !== null && 'id' in value;
