/**
 * Gemini's function calls, whole or in pieces. A call in pieces opens with its name; each piece sets a value at a path of its
 * arguments, or goes on with a string there. Source: `gemini.md`, "Streamed arguments".
 */
import { createStreamEvent } from '../../model/core-events.ts';
import type { AdapterEvent } from '../adapter.ts';
import { changeAt, parsePath } from '../shared/field-path.ts';
import type { PartKeeper } from './contents.ts';
import type { FunctionCall, PartialArg } from './wire.ts';
import { parseJson } from '../../model/json.ts';

interface OpenCall {
  readonly id: string;
  readonly wireId: string | null | undefined;
  readonly name: string;
  readonly args: Record<string, unknown>;
  /** The path of the string that goes on, and whether it stands at the end of what has been told. */
  growing?: { readonly path: string; readonly last: boolean };
  /** Its part, whole at last. */
  keep(functionCall: Readonly<Record<string, unknown>>): void;
}

export interface CallOptions {
  readonly eventId: string;
  readonly kept: PartKeeper;
  newId(): string;
}

export function gatherCalls({ eventId, kept, newId }: CallOptions) {
  const ids = new Set<string>();
  let open: OpenCall | undefined;

  /** The id is usually absent. */
  const idOf = ({ id }: FunctionCall): string => {
    const own = id && !ids.has(id) ? id : newId();
    ids.add(own);
    return own;
  };
  const close = (): AdapterEvent[] => {
    if (!open) return [];
    const { id, wireId, name, args, keep } = open;
    open = undefined;
    const params = JSON.stringify(args);
    keep({ ...(wireId && { id: wireId }), name, args: parseJson(params) });
    return [createStreamEvent.toolCallEnd(id, params)];
  };
  const grow = (call: OpenCall, piece: PartialArg, refuse: (why: string) => void): AdapterEvent[] => {
    const { jsonPath: path, willContinue } = piece;
    const value = valueOf(piece);
    const goesOn = call.growing?.path === path;
    const at = call.growing;
    if (!willContinue && goesOn) delete call.growing;
    if (value === undefined || (goesOn && value === '')) return [];
    const steps = stepsOf(path);
    const why =
      typeof steps === 'string'
        ? steps
        : changeAt(call.args, steps, (before) =>
            goesOn && typeof before === 'string' && typeof value === 'string' ? before + value : value,
          );
    if (why !== undefined || typeof steps === 'string') {
      refuse(why ?? path);
      return [];
    }
    if (goesOn && at?.last) return [createStreamEvent.toolCallChunk(call.id, JSON.stringify(value).slice(1, -1))];
    const { text, last } = unclosed(call.args, steps.length, value, willContinue === true);
    if (willContinue) call.growing = { path, last };
    return [
      {
        type: 'response',
        data: { eventId, tool_call: 'update', tool_call_id: call.id, tool_call_params_complete: text },
      },
    ];
  };

  return {
    any: () => ids.size > 0,
    /** Nothing more will come: the closing part may be absent. */
    close,
    take(
      call: FunctionCall,
      raw: Readonly<Record<string, unknown>>,
      refuse: (why: string) => void,
    ): readonly AdapterEvent[] {
      const { name, args, partialArgs, willContinue } = call;
      const events: AdapterEvent[] = [];
      if (name) {
        events.push(...close());
        const id = idOf(call);
        events.push(createStreamEvent.toolCallStart(id, name));
        if (!partialArgs && !willContinue) {
          kept.take(raw, { call: id });
          const params = typeof args === 'string' ? args || '{}' : JSON.stringify(args ?? {});
          return [...events, createStreamEvent.toolCallEnd(id, params)];
        }
        const begun = typeof args === 'object' && args !== null ? args : {};
        open = {
          id,
          wireId: call.id,
          name,
          args: Object.assign(Object.create(null) as object, begun),
          keep: kept.takeLater(raw, id),
        };
      }
      if (!open) return events;
      for (const piece of partialArgs ?? []) if (piece) events.push(...grow(open, piece, refuse));
      const goesOn = willContinue === true || partialArgs?.some((piece) => piece?.willContinue);
      return goesOn ? events : [...events, ...close()];
    },
  };
}

function valueOf({ stringValue, numberValue, boolValue, nullValue, willContinue }: PartialArg): unknown {
  const value = stringValue ?? numberValue ?? boolValue;
  if (value !== null && value !== undefined) return value;
  if (nullValue !== undefined) return null;
  return willContinue ? '' : undefined;
}

/** `$.list[0].x`, with names in brackets too. */
const stepsOf = (path: string): ReturnType<typeof parsePath> =>
  parsePath(path.replace(/\[(['"])([^'"\].[]+)\1\]/g, '.$2').replace(/^\$\.?/, ''));

/** The arguments so far as JSON that still goes on, where what was set stands at its end; else as they are. */
function unclosed(
  args: object,
  depth: number,
  value: unknown,
  grows: boolean,
): { readonly text: string; readonly last: boolean } {
  const json = JSON.stringify(args);
  const begun = json.slice(0, json.length - depth);
  if (!begun.endsWith(JSON.stringify(value))) return { text: json, last: false };
  return { text: grows ? begun.slice(0, -1) : begun, last: true };
}
