/**
 * For streams in which the server runs the model's tool calls itself, and the model then continues (its next round). A
 * model's events contain no results of calls, so such a server sends a `stop` with `tool_use` and continues after it, or
 * leaves that stop out.
 */
import type { StopStreamEvent } from '../../model/events/core-events.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';

export interface ModelRounds {
  /** Returns the events to emit for an event. */
  take(event: AdapterEvent): readonly AdapterEvent[];
  /** Returns the stop that was held back, at the end of the stream. */
  end(): readonly AdapterEvent[];
}

export function makeModelRounds(eventId: string, tools: DecodeContext['tools']): ModelRounds {
  /** The tools of the open calls, by call id. */
  const open = new Map<string, string>();
  /** The calls since the last content. The model has continued after all others, so they have run. */
  let newest = new Set<string>();
  /** A stop with calls that the page can't run. It ends the reply only if the stream ends with it. */
  let held: StopStreamEvent | undefined;
  /** Whether the last event ended a round with calls. */
  let isRoundOver = false;

  const endCalls = (ids: readonly string[]): readonly AdapterEvent[] => {
    for (const id of ids) open.delete(id);
    return ids.map((id) => ({
      type: 'response',
      data: { eventId, tool_call: 'end', tool_call_id: id, tool_call_remote: true },
    }));
  };
  const release = (): readonly AdapterEvent[] => {
    const stop = held;
    held = undefined;
    return stop ? [stop] : [];
  };
  const takeStop = (event: StopStreamEvent): readonly AdapterEvent[] => {
    if (event.stop_reason === 'error') return [event];
    if (event.stop_reason !== 'tool_use') return [...endCalls([...open.keys()].filter((id) => !newest.has(id))), event];
    isRoundOver = true;
    const isOfPage = (name: string): boolean => tools?.some((tool) => tool.name === name) === true;
    if ([...open.values()].every(isOfPage)) return [event];
    held = event;
    return [];
  };

  return {
    take(event) {
      if (event.type === 'usage') return [event];
      if (event.type === 'end') return [...release(), event];
      // The server has continued, so it has run the calls. After an error it is not known whether it has.
      const hasContinued = isRoundOver && event.type !== 'error' && !isFailedStop(event);
      isRoundOver = false;
      held = undefined;
      const before = hasContinued ? endCalls([...open.keys()]) : [];
      if (event.type === 'stop') return [...before, ...takeStop(event)];
      if (event.type === 'tool_call_start') {
        open.set(event.tool_call_id, event.tool_call_name);
        newest.add(event.tool_call_id);
      } else if (event.type === 'response' && (event.data.tool_call === 'end' || event.data.tool_call === 'error'))
        open.delete(event.data.tool_call_id ?? '');
      else if (newest.size > 0 && isContent(event)) newest = new Set();
      return before.length > 0 ? [...before, event] : [event];
    },
    end: release,
  };
}

const isFailedStop = (event: AdapterEvent): boolean => event.type === 'stop' && event.stop_reason === 'error';

const isContent = (event: AdapterEvent): boolean =>
  event.type === 'text' ? event.content !== '' : event.type === 'reasoning' || event.type === 'image_data';
