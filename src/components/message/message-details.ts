import { html, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';

/** Shows when a message was written and, on click, its model, duration, steps, tool calls and tokens if known. */
export function messageDetails(message: ChatMessage, localize: Localize): TemplateResult {
  const { timestamp } = message;
  const time = html`<time dir="auto" datetime=${new Date(timestamp).toISOString()} title=${localize.date(timestamp)}
    >${localize.time(timestamp)}</time
  >`;
  const details = detailsOf(message, localize);
  if (details.length === 0) return html`<span class="written tabular">${time}</span>`;
  return html`<details class="written tabular">
    <summary aria-label=${localize('message.facts', { time: localize.time(timestamp) })}>${time}</summary>
    <dl class="pairs">
      ${details.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </details>`;
}

/** Name and value of the known details. */
function detailsOf({ usage, metadata = {} }: ChatMessage, localize: Localize): readonly (readonly [string, string])[] {
  const { model } = metadata;
  const { duration, steps, toolCalls } = countsOf(metadata);
  const details: (readonly [string, string])[] = [];
  if (typeof model === 'string') details.push([localize('composer.model'), model]);
  if (duration > 0) details.push([localize('message.took'), localize.duration(duration)]);
  if (steps > 0) details.push([localize('message.steps'), localize.number(steps)]);
  if (toolCalls > 0) details.push([localize('message.tool-calls'), localize.number(toolCalls)]);
  if (usage && usage.total_tokens > 0) {
    const { prompt_tokens: read, completion_tokens: written, total_tokens: all } = usage;
    const parts = read + written > 0 ? localize('message.tokens-parts', { read, written }) : localize.number(all);
    details.push([localize('message.tokens'), parts]);
  }
  return details;
}

/**
 * The counts that servers report: those of session events are in `summary`, those of phase events in `stats`. A reported duration
 * takes precedence over the measured one.
 */
function countsOf({ startTime, endTime, summary, stats }: Readonly<Record<string, unknown>>) {
  const counted = isRecord(summary) ? summary : {};
  const iterations = isRecord(stats) ? stats['iterations'] : undefined;
  const measured = numberOf(endTime) - numberOf(startTime);
  return {
    duration: numberOf(counted['duration_ms']) || (startTime === undefined ? 0 : measured),
    steps: numberOf(iterations),
    toolCalls: numberOf(counted['tool_calls']),
  };
}

const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
