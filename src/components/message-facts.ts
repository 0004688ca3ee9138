import { html, nothing, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { ChatMessage } from '../model/message.ts';

/** When a message was written; with a press, what it took, where the wire has told it. */
export function messageFacts(message: ChatMessage, localize: Localize): TemplateResult | typeof nothing {
  const { timestamp } = message;
  // (A page's own history may hold anything.)
  if (Number.isNaN(new Date(timestamp).getTime())) return nothing;
  const time = html`<time datetime=${new Date(timestamp).toISOString()} title=${localize.date(timestamp)}
    >${localize.time(timestamp)}</time
  >`;
  const facts = factsOf(message, localize);
  if (facts.length === 0) return html`<span class="written tabular">${time}</span>`;
  return html`<details class="written tabular">
    <summary aria-label=${localize('message.facts', { time: localize.time(timestamp) })}>${time}</summary>
    <dl class="pairs">
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </details>`;
}

/** Only those that are known. */
function factsOf({ usage, metadata = {} }: ChatMessage, localize: Localize): readonly (readonly [string, string])[] {
  const { model, startTime, endTime } = metadata;
  const facts: (readonly [string, string])[] = [];
  if (typeof model === 'string') facts.push([localize('composer.model'), model]);
  if (typeof startTime === 'number' && typeof endTime === 'number' && endTime > startTime) {
    facts.push([localize('message.took'), localize.duration(endTime - startTime)]);
  }
  if (usage && usage.total_tokens > 0) {
    const { prompt_tokens: read, completion_tokens: written, total_tokens: all } = usage;
    const parts = read + written > 0 ? localize('message.tokens-parts', { read, written }) : localize.number(all);
    facts.push([localize('message.tokens'), parts]);
  }
  return facts;
}

/** The line above the first message of a day. */
export const dayLine = (timestamp: number, localize: Localize): TemplateResult =>
  html`<div class="day" role="separator"><span>${localize.day(timestamp)}</span></div>`;
