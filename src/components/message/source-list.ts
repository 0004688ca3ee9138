import '../../locales/english/all-english.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { ChatMessage } from '../../model/message.ts';
import { sourceListStyles } from '../../renderers/core/source-list-styles.ts';
import { collectSources } from '../../renderers/text/citations.ts';
import { sourceLine } from '../../renderers/text/source-line.ts';
import { tooltipOfLink } from '../../safety/link-text.ts';
import { safeLink, withoutInvisible } from '../../safety/urls.ts';
import { adopt } from '../../theme/adopt.ts';
import type { ChatActions, ChatView } from '../shared/contexts.ts';

/** Number of sources below an answer. The side panel shows all of them. */
const MAX_SOURCES = 4;

export interface SourceListProps {
  readonly message: ChatMessage;
  readonly view: ChatView;
  readonly actions: ChatActions;
}

/** The sources of an answer, numbered as in its text; nothing while it is streaming. */
export function sourceList({ message, view, actions }: SourceListProps): TemplateResult | typeof nothing {
  if (message.status === 'streaming') return nothing;
  const sources = collectSources(message);
  const { localize } = view.settings;
  const title = localize('sources.count', { count: sources.length });
  return html`${adopt(sourceListStyles)}
    <nav class="source-list" part="source-list" aria-label=${title}>
      <span class="label">${title}</span>
      <ol>
        ${sources.slice(0, MAX_SOURCES).map((source) => {
          const { quote = '', url = '' } = source.citation;
          return html`<li title=${tooltipOfLink(safeLink(url), withoutInvisible(quote)) || nothing}>
            ${sourceLine(source, localize, () => {
              actions.act('citation', message, undefined, source.citation);
            })}
          </li>`;
        })}
      </ol>
      ${
        sources.length > MAX_SOURCES
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
