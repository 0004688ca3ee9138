import type { LLMAgentEvent } from '../model/agent-events.ts';

/** Facts of a question that the page or the reader makes. What a stream says by these names is not taken for theirs. */
const OURS = new Set(['byPage', 'forAgent', 'question', 'decided', 'note', 'answer', 'edited', 'always', 'approval']);

/** An event from the wire without what only the widget may say. Nearly all have nothing of it, and stay the same object. */
export function notFromWire(event: LLMAgentEvent): LLMAgentEvent {
  const request = event.type === 'response' ? event.data.request : undefined;
  if (event.type !== 'response' || !request?.extra) return event;
  const entries = Object.entries(request.extra);
  const theirs = entries.filter(([name]) => !OURS.has(name));
  if (theirs.length === entries.length) return event;
  return { ...event, data: { ...event.data, request: { ...request, extra: Object.fromEntries(theirs) } } };
}
