/** The steps of an assistant's run: calls of functions, which are the page's, and of the tools that OpenAI runs. */
import type { LLMAgentEventData } from '../../model/agent-events.ts';
import { z } from '../../model/schema.ts';
import { maybe, maybeText } from '../shared/maybe.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const call = z.object({
  index: maybe(z.number()),
  id: maybeText,
  type: maybeText,
  function: maybe(z.object({ name: maybeText, arguments: maybeText, output: maybeText })),
  code_interpreter: maybe(
    z.object({
      input: maybeText,
      outputs: maybe(
        z.array(z.object({ type: maybeText, logs: maybeText, image: maybe(z.object({ file_id: maybeText })) })),
      ),
    }),
  ),
  file_search: maybe(z.looseObject({ results: maybe(z.array(z.unknown())) })),
});
type WireCall = z.infer<typeof call>;
export const stepDetails = maybe(z.object({ tool_calls: maybe(z.array(call)) }));

interface Known {
  readonly id: string;
  readonly remote: boolean;
  params: string;
  ended: boolean;
}

/** @param fileUrl where a file of the answer is */
export function gatherSteps(newId: () => string, fileUrl: (id: string) => string) {
  const calls = new Map<string, Known>();

  const nameOf = ({ type, function: named }: WireCall): string => named?.name || type || '';
  const paramsOf = ({ function: named, code_interpreter }: WireCall): string =>
    named?.arguments ?? code_interpreter?.input ?? '';
  const idOf = ({ id, remote }: Known): Data => ({ tool_call_id: id, ...(remote && { tool_call_remote: true }) });
  const logsOf = ({ code_interpreter }: WireCall): string =>
    code_interpreter?.outputs?.map(({ logs }) => logs ?? '').join('') ?? '';
  const picturesOf = ({ code_interpreter }: WireCall): readonly Data[] =>
    (code_interpreter?.outputs ?? []).flatMap(({ image }) =>
      image?.file_id ? [{ media: { kind: 'image', url: fileUrl(image.file_id) } }] : [],
    );
  const start = (key: string, wire: WireCall): readonly Data[] => {
    const known = { id: wire.id || newId(), remote: wire.type !== 'function', params: paramsOf(wire), ended: false };
    calls.set(key, known);
    const params = known.params ? { tool_call_params: known.params } : {};
    return [{ tool_call: 'start', ...idOf(known), tool_call_name: nameOf(wire), ...params }];
  };
  const complete = (known: Known, params: string): readonly Data[] => {
    if (!params || params === known.params) return [];
    known.params = params;
    return [{ tool_call: 'update', ...idOf(known), tool_call_params_complete: params }];
  };
  const keyOf = (step: string, index: number | null | undefined, place: number): string =>
    `${step}:${String(index ?? place)}`;

  return {
    /** A piece of a step. */
    delta(step: string, pieces: readonly WireCall[]): readonly Data[] {
      return pieces.flatMap((piece, place) => {
        const known = calls.get(keyOf(step, piece.index, place));
        if (!known) return start(keyOf(step, piece.index, place), piece);
        known.params += paramsOf(piece);
        const params = paramsOf(piece);
        return params ? [{ tool_call: 'update', ...idOf(known), tool_call_params: params }] : [];
      });
    },
    /** A step that has ended, with everything in it. */
    ended(step: string, whole: readonly WireCall[], failure?: string): readonly Data[] {
      return whole.flatMap((wire, place) => {
        const key = keyOf(step, undefined, place);
        const started = calls.has(key) ? [] : start(key, wire);
        const known = calls.get(key);
        // The page has run a function itself, and knows its result.
        if (!known?.remote || known.ended) return [];
        known.ended = true;
        const results = wire.file_search?.results;
        const result = failure ?? (results?.length ? JSON.stringify(results) : logsOf(wire));
        return [
          ...started,
          ...complete(known, paramsOf(wire)),
          { tool_call: failure === undefined ? 'end' : 'error', ...idOf(known), tool_call_response: result },
          ...picturesOf(wire),
        ];
      });
    },
    /** The calls that the run waits for. */
    required(whole: readonly WireCall[]): { readonly ids: readonly string[]; readonly events: readonly Data[] } {
      const events = whole.flatMap((wire): readonly Data[] => {
        const known = [...calls.values()].find(({ id }) => id === wire.id);
        return known
          ? complete(known, paramsOf(wire))
          : start(`required:${wire.id ?? ''}`, { ...wire, type: 'function' });
      });
      return { ids: whole.flatMap(({ id }) => id ?? []), events };
    },
  };
}
