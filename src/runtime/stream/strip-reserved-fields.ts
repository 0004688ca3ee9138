import { BLOCKS_BEFORE } from '../../conversation/continue-run.ts';
import { RESERVED_EXTRA } from '../../formats/reserved-fields.ts';
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';

/**
 * Reserved metadata keys of a message, set only by the widget or the user: for example that it is hidden, who stopped a reply, or
 * where its last round begins.
 */
const RESERVED_METADATA = new Set([
  ...['hidden', 'answered', 'content', 'agentMayContinue', 'stoppedBy', 'spokenBy', 'unreadable'],
  BLOCKS_BEFORE,
]);

/** Removes the reserved fields from a server event. Most events have none and stay the same object. */
export function stripReservedFields(event: LLMAgentEvent): LLMAgentEvent {
  if (event.type !== 'response') return event;
  const { request, metadata } = event.data;
  const extra = request?.extra && omitFields(request.extra, (name) => RESERVED_EXTRA.has(name));
  const cleanMetadata =
    metadata &&
    omitFields(metadata, (name, value) => RESERVED_METADATA.has(name) || (name === 'feedback' && isRating(value)));
  if (extra === request?.extra && cleanMetadata === metadata) return event;
  return {
    ...event,
    data: {
      ...event.data,
      ...(request && extra && { request: { ...request, extra } }),
      ...(cleanMetadata && { metadata: cleanMetadata }),
    },
  };
}

/** A user's rating. Some servers send metadata of another form under that name. */
const isRating = (value: unknown): boolean => isRecord(value) && (value['value'] === 'up' || value['value'] === 'down');

/** Omits fields. Returns the same object if none is omitted. */
function omitFields<Fields extends object>(
  fields: Fields,
  isOmitted: (name: string, value: unknown) => boolean,
): Fields {
  const entries = Object.entries(fields);
  const rest = entries.filter(([name, value]) => !isOmitted(name, value));
  return rest.length === entries.length ? fields : (Object.fromEntries(rest) as Fields);
}
