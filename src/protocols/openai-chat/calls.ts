/** The tool calls of OpenAI chat completions, which each dialect streams in its own way. */
import { createStreamEvent } from '../../model/events/core-events.ts';
import { parseJson } from '../../model/json.ts';
import { recordOf, z } from '../../model/schema.ts';
import type { AdapterEvent, DecodeContext } from '../core/adapter.ts';
import { lenient, lenientNumber, lenientString } from '../shared/lenient.ts';

export const toolChunk = z.object({
  index: lenientNumber,
  id: lenientString,
  function: lenient(
    z.object({ name: lenientString, arguments: lenient(z.union([z.string(), recordOf(z.unknown())])) }),
  ),
  custom: lenient(z.object({ name: lenientString, input: lenientString })),
  extra_content: z.exactOptional(z.unknown()),
});
type ToolChunk = z.infer<typeof toolChunk>;

/** The number of calls, the last ones, that a chunk may continue: one event may have thousands of calls. */
const MAX_SEARCHED = 1024;

/**
 * Joins the chunks of tool calls. Chunks with the same `index` belong together. Without an index, a new id starts a
 * call and anything else continues the last one. A known id or name is never replaced by an empty one. A call is
 * emitted once its name is known. Some servers send another id or index with each chunk, or split the name: a chunk
 * without a name never starts a call.
 * Source: `docs/protocols/openai-chat.md`.
 */
export function makeChatCalls({ newId, eventId }: Pick<DecodeContext, 'newId' | 'eventId'>) {
  interface Call {
    /** The indexes of its chunks. */
    readonly indexes: Set<number>;
    id: string;
    name: string;
    /** The arguments so far. */
    args: string;
    /** Arguments that arrived before the name. */
    pendingArgs: string;
    isEmitted: boolean;
    /** Data of the provider that must be sent back with the call. */
    extra?: unknown;
  }
  const calls: Call[] = [];
  const ids = new Set<string>();

  const find = ({ index, id, ...chunk }: ToolChunk): Call | undefined => {
    const recent = calls.slice(-MAX_SEARCHED);
    if (typeof index !== 'number') return id ? recent.find((call) => call.id === id) : recent.at(-1);
    const name = toolName(chunk);
    const match = recent.findLast(
      (call) => call.indexes.has(index) && (!id || !name || !call.id || !call.isEmitted || call.id === id),
    );
    if (match || !id) return match;
    const sameId = recent.findLast((call) => call.id === id);
    const isIncomplete = sameId !== undefined && sameId.args !== '' && parseJson(sameId.args) === undefined;
    return !name || (isIncomplete && name === sameId.name) ? sameId : undefined;
  };
  const open = ({ id }: ToolChunk): Call => {
    const call: Call = { indexes: new Set(), id: id ?? '', name: '', args: '', pendingArgs: '', isEmitted: false };
    calls.push(call);
    return call;
  };
  const emitStart = (call: Call): AdapterEvent[] => {
    if (call.id === '' || ids.has(call.id)) call.id = newId();
    ids.add(call.id);
    call.isEmitted = true;
    return [createStreamEvent.toolCallStart(call.id, call.name)];
  };

  return {
    any: () => calls.some((call) => call.isEmitted),
    ids: () => calls.filter((call) => call.isEmitted).map((call) => call.id),
    extras: () =>
      Object.fromEntries(
        calls.flatMap((call) => (call.isEmitted && call.extra !== undefined ? [[call.id, call.extra]] : [])),
      ),
    take(chunk: ToolChunk): AdapterEvent[] {
      const call = find(chunk) ?? open(chunk);
      if (typeof chunk.index === 'number') call.indexes.add(chunk.index);
      const name = toolName(chunk);
      const continuesName = call.isEmitted && name !== '' && name !== call.name && call.args === '';
      if (continuesName) call.name = name.startsWith(call.name) ? name : call.name + name;
      if (!call.isEmitted) {
        call.id ||= chunk.id ?? '';
        call.name ||= name;
      }
      if (chunk.extra_content !== undefined) call.extra = chunk.extra_content;
      const argsChunk = chunk.function?.arguments ?? chunk.custom?.input ?? '';
      const text = typeof argsChunk === 'string' ? argsChunk : JSON.stringify(argsChunk);
      if (!call.name) {
        call.pendingArgs += text;
        return [];
      }
      const events = call.isEmitted ? [] : emitStart(call);
      if (continuesName) {
        const renamed = { tool_call: 'update', tool_call_id: call.id, tool_call_name: call.name } as const;
        events.push({ type: 'response', data: { eventId, ...renamed } });
      }
      const args = call.pendingArgs + text;
      call.pendingArgs = '';
      call.args += args;
      return args ? [...events, createStreamEvent.toolCallChunk(call.id, args)] : events;
    },
    end(): AdapterEvent[] {
      return calls.filter((call) => call.isEmitted).map((call) => createStreamEvent.toolCallEnd(call.id));
    },
  };
}

const toolName = ({ function: call, custom }: Pick<ToolChunk, 'function' | 'custom'>): string =>
  call?.name ?? custom?.name ?? '';
