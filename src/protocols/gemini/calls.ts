/**
 * Gemini's function calls, complete or streamed. A streamed call starts with its name. Each part sets a value at a
 * path of the arguments or continues a string there. Source: `docs/protocols/gemini.md`.
 */
import { createStreamEvent } from '../../model/events/core-events.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';
import { setAtPath, parseFieldPath } from '../shared/field-path.ts';
import type { PartStore } from './contents.ts';
import type { FunctionCall, PartialArg } from './reply-schema.ts';
import { parseJson } from '../../model/json.ts';

/** A streamed call whose arguments are not complete yet. */
interface OpenCall {
  readonly id: string;
  /** The id that Gemini sent, usually none. */
  readonly wireId: string | null | undefined;
  readonly name: string;
  readonly args: Record<string, unknown>;
  /** The path of the string that the next part continues. `isAtEnd`: the emitted JSON ends in it, so the rest can be appended. */
  stringInProgress?: { readonly path: string; readonly isAtEnd: boolean };
  /** Stores the complete call for later requests. */
  store(functionCall: Readonly<Record<string, unknown>>): void;
}

/** Called with the reason why a part of the arguments is ignored. */
type ReportRefusal = (reason: string) => void;

/** The calls of one reply. */
export class GeminiCalls {
  readonly #context: Pick<DecodeContext, 'eventId' | 'newId'>;
  readonly #partStore: PartStore;
  readonly #ids = new Set<string>();
  #open: OpenCall | undefined;

  constructor(context: Pick<DecodeContext, 'eventId' | 'newId'>, partStore: PartStore) {
    this.#context = context;
    this.#partStore = partStore;
  }

  get hasCalls(): boolean {
    return this.#ids.size > 0;
  }

  /**
   * Decodes a call, or a part of the open one.
   *
   * @param raw - the part as received, with fields that the schema does not have
   */
  take(
    call: FunctionCall,
    raw: Readonly<Record<string, unknown>>,
    reportRefusal: ReportRefusal,
  ): readonly AdapterEvent[] {
    const { name, partialArgs, willContinue } = call;
    const isComplete = !partialArgs && !willContinue;
    const events: AdapterEvent[] = [];
    if (name) {
      events.push(...this.close());
      const id = this.#chooseId(call);
      events.push(createStreamEvent.toolCallStart(id, name));
      if (isComplete) {
        this.#partStore.take(raw, { call: id });
        return [...events, createStreamEvent.toolCallEnd(id, paramsOf(call))];
      }
      this.#begin(id, name, call, raw);
    }
    const open = this.#open;
    if (!open) return events;
    for (const partial of partialArgs ?? [])
      if (partial) events.push(...this.#applyPartial(open, partial, reportRefusal));
    const continues = willContinue === true || partialArgs?.some((partial) => partial?.willContinue);
    return continues ? events : [...events, ...this.close()];
  }

  /** Closes the open call, also at the end of the stream: the closing part may be missing. */
  close(): readonly AdapterEvent[] {
    if (!this.#open) return [];
    const { id, wireId, name, args, store } = this.#open;
    this.#open = undefined;
    const params = JSON.stringify(args);
    store({ ...(wireId && { id: wireId }), name, args: parseJson(params) });
    return [createStreamEvent.toolCallEnd(id, params)];
  }

  #begin(id: string, name: string, { id: wireId, args }: FunctionCall, raw: Readonly<Record<string, unknown>>): void {
    const initialArgs = typeof args === 'object' && args !== null ? args : {};
    this.#open = {
      id,
      wireId,
      name,
      args: Object.assign(Object.create(null) as object, initialArgs),
      store: this.#partStore.reserve(raw, id),
    };
  }

  #applyPartial(call: OpenCall, partial: PartialArg, reportRefusal: ReportRefusal): readonly AdapterEvent[] {
    const { jsonPath: path, willContinue } = partial;
    const value = valueOf(partial);
    const previous = call.stringInProgress;
    const continues = previous?.path === path;
    if (!willContinue && continues) delete call.stringInProgress;
    if (value === undefined || (continues && value === '')) return [];
    const steps = parseJsonPath(path);
    const refusal =
      typeof steps === 'string'
        ? steps
        : setAtPath(call.args, steps, (before) =>
            continues && typeof before === 'string' && typeof value === 'string' ? before + value : value,
          );
    if (refusal !== undefined || typeof steps === 'string') {
      reportRefusal(refusal ?? path);
      return [];
    }
    if (continues && previous.isAtEnd)
      return [createStreamEvent.toolCallChunk(call.id, JSON.stringify(value).slice(1, -1))];
    const { text, isAtEnd } = unclosedJson(call.args, steps.length, value, willContinue === true);
    if (willContinue) call.stringInProgress = { path, isAtEnd };
    const { eventId } = this.#context;
    return [
      {
        type: 'response',
        data: { eventId, tool_call: 'update', tool_call_id: call.id, tool_call_params_complete: text },
      },
    ];
  }

  /** Chooses the id of a call: Gemini usually sends none. */
  #chooseId({ id }: FunctionCall): string {
    const callId = id && !this.#ids.has(id) ? id : this.#context.newId();
    this.#ids.add(callId);
    return callId;
  }
}

const paramsOf = ({ args }: FunctionCall): string =>
  typeof args === 'string' ? args || '{}' : JSON.stringify(args ?? {});

function valueOf({ stringValue, numberValue, boolValue, nullValue, willContinue }: PartialArg): unknown {
  const value = stringValue ?? numberValue ?? boolValue;
  if (value !== null && value !== undefined) return value;
  if (nullValue !== undefined) return null;
  return willContinue ? '' : undefined;
}

/** Parses paths such as `$.list[0].x`, including names in brackets. */
const parseJsonPath = (path: string): ReturnType<typeof parseFieldPath> =>
  parseFieldPath(path.replace(/\[(['"])([^'"\].[]+)\1\]/g, '.$2').replace(/^\$\.?/, ''));

/**
 * The arguments so far as JSON. If they end with `value`, the closing brackets after it are omitted, and the closing quote of a string
 * that grows. More text can then be appended.
 *
 * @param depth - number of objects and lists around the value
 */
function unclosedJson(
  args: object,
  depth: number,
  value: unknown,
  grows: boolean,
): { readonly text: string; readonly isAtEnd: boolean } {
  const json = JSON.stringify(args);
  const open = json.slice(0, json.length - depth);
  if (!open.endsWith(JSON.stringify(value))) return { text: json, isAtEnd: false };
  return { text: grows ? open.slice(0, -1) : open, isAtEnd: true };
}
