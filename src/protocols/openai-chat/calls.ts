/** The tool calls of OpenAI's chat completions, of which every dialect sends the pieces in its own way. */
import { createStreamEvent, type LLMCoreStreamEvent } from '../../model/core-events.ts';
import { z } from '../../model/schema.ts';
import { maybe, maybeNumber, maybeText } from '../shared/maybe.ts';

export const toolPiece = z.object({
  index: maybeNumber,
  id: maybeText,
  function: maybe(
    z.object({ name: maybeText, arguments: maybe(z.union([z.string(), z.record(z.string(), z.unknown())])) }),
  ),
  custom: maybe(z.object({ name: maybeText, input: maybeText })),
  extra_content: z.exactOptional(z.unknown()),
});
type ToolPiece = z.infer<typeof toolPiece>;

/**
 * Joins the pieces of tool calls. They belong together by `index`; without one a new id opens a call and anything else goes on
 * with the last. A known id or name is never overwritten by an empty one, and a call is told once its name is known.
 * Source: `openai-chat.md`, "Tool call merging".
 */
export function gatherCalls(newId: () => string) {
  interface Call {
    readonly key: number | string;
    id: string;
    name: string;
    /** Pieces that came before the name. */
    waiting: string;
    told: boolean;
    extra?: unknown;
  }
  const calls: Call[] = [];
  const ids = new Set<string>();

  const find = ({ index, id }: ToolPiece): Call | undefined => {
    if (typeof index === 'number')
      return calls.findLast((call) => call.key === index && (!id || !call.id || !call.told || call.id === id));
    return id ? calls.find((call) => call.id === id) : calls.at(-1);
  };
  const open = ({ index, id }: ToolPiece): Call => {
    const call: Call = { key: index ?? `#${String(calls.length)}`, id: id ?? '', name: '', waiting: '', told: false };
    calls.push(call);
    return call;
  };
  const tell = (call: Call): LLMCoreStreamEvent[] => {
    if (call.id === '' || ids.has(call.id)) call.id = newId();
    ids.add(call.id);
    call.told = true;
    return [createStreamEvent.toolCallStart(call.id, call.name)];
  };

  return {
    any: () => calls.some((call) => call.told),
    ids: () => calls.filter((call) => call.told).map((call) => call.id),
    extras: () =>
      Object.fromEntries(
        calls.flatMap((call) => (call.told && call.extra !== undefined ? [[call.id, call.extra]] : [])),
      ),
    take(piece: ToolPiece): LLMCoreStreamEvent[] {
      const call = find(piece) ?? open(piece);
      if (!call.told) {
        call.id ||= piece.id ?? '';
        call.name ||= piece.function?.name ?? piece.custom?.name ?? '';
      }
      if (piece.extra_content !== undefined) call.extra = piece.extra_content;
      const given = piece.function?.arguments ?? piece.custom?.input ?? '';
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      if (!call.name) {
        call.waiting += text;
        return [];
      }
      const events = call.told ? [] : tell(call);
      const args = call.waiting + text;
      call.waiting = '';
      return args ? [...events, createStreamEvent.toolCallChunk(call.id, args)] : events;
    },
    end(): LLMCoreStreamEvent[] {
      return calls.filter((call) => call.told).map((call) => createStreamEvent.toolCallEnd(call.id));
    },
  };
}
