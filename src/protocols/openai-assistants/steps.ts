/** The steps of an assistant's run: function calls, which the page runs, and calls of OpenAI's own tools. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { z } from '../../model/schema.ts';
import { lenient, lenientString } from '../shared/lenient.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

const call = z.object({
  index: lenient(z.number()),
  id: lenientString,
  type: lenientString,
  function: lenient(z.object({ name: lenientString, arguments: lenientString, output: lenientString })),
  code_interpreter: lenient(
    z.object({
      input: lenientString,
      outputs: lenient(
        z.array(
          z.object({ type: lenientString, logs: lenientString, image: lenient(z.object({ file_id: lenientString })) }),
        ),
      ),
    }),
  ),
  file_search: lenient(z.looseObject({ results: lenient(z.array(z.unknown())) })),
});
type WireCall = z.infer<typeof call>;
export const stepDetails = lenient(z.object({ tool_calls: lenient(z.array(call)) }));

interface CallState {
  readonly id: string;
  readonly remote: boolean;
  params: string;
  ended: boolean;
}

/** @param fileUrl - returns the URL of a file in the answer */
export function makeStepState(newId: () => string, fileUrl: (id: string) => string) {
  const calls = new Map<string, CallState>();

  const nameOf = ({ type, function: functionCall }: WireCall): string => functionCall?.name || type || '';
  const paramsOf = ({ function: functionCall, code_interpreter }: WireCall): string =>
    functionCall?.arguments ?? code_interpreter?.input ?? '';
  const callFields = ({ id, remote }: CallState): Data => ({
    tool_call_id: id,
    ...(remote && { tool_call_remote: true }),
  });
  const logsOf = ({ code_interpreter }: WireCall): string =>
    code_interpreter?.outputs?.map(({ logs }) => logs ?? '').join('') ?? '';
  const imagesOf = ({ code_interpreter }: WireCall): readonly Data[] =>
    (code_interpreter?.outputs ?? []).flatMap(({ image }) =>
      image?.file_id ? [{ media: { kind: 'image', url: fileUrl(image.file_id) } }] : [],
    );
  const start = (key: string, wire: WireCall): readonly Data[] => {
    const state = { id: wire.id || newId(), remote: wire.type !== 'function', params: paramsOf(wire), ended: false };
    calls.set(key, state);
    const params = state.params ? { tool_call_params: state.params } : {};
    return [{ tool_call: 'start', ...callFields(state), tool_call_name: nameOf(wire), ...params }];
  };
  /** Emits the complete arguments of a call, unless they are known. */
  const completeParams = (state: CallState, params: string): readonly Data[] => {
    if (!params || params === state.params) return [];
    state.params = params;
    return [{ tool_call: 'update', ...callFields(state), tool_call_params_complete: params }];
  };
  const callKey = (step: string, index: number | null | undefined, position: number): string =>
    `${step}:${String(index ?? position)}`;

  return {
    /** Handles a delta of a step. */
    delta(step: string, deltas: readonly WireCall[]): readonly Data[] {
      return deltas.flatMap((delta, position) => {
        const state = calls.get(callKey(step, delta.index, position));
        if (!state) return start(callKey(step, delta.index, position), delta);
        state.params += paramsOf(delta);
        const params = paramsOf(delta);
        return params ? [{ tool_call: 'update', ...callFields(state), tool_call_params: params }] : [];
      });
    },
    /** Handles a complete step. */
    ended(step: string, wireCalls: readonly WireCall[], failure?: string): readonly Data[] {
      return wireCalls.flatMap((wire, position) => {
        const key = callKey(step, undefined, position);
        const startEvents = calls.has(key) ? [] : start(key, wire);
        const state = calls.get(key);
        // The page ran the function itself and has its result.
        if (!state?.remote || state.ended) return [];
        state.ended = true;
        const results = wire.file_search?.results;
        const result = failure ?? (results?.length ? JSON.stringify(results) : logsOf(wire));
        return [
          ...startEvents,
          ...completeParams(state, paramsOf(wire)),
          { tool_call: failure === undefined ? 'end' : 'error', ...callFields(state), tool_call_response: result },
          ...imagesOf(wire),
        ];
      });
    },
    /** Handles the calls that the run waits for. */
    required(wireCalls: readonly WireCall[]): { readonly ids: readonly string[]; readonly events: readonly Data[] } {
      const events = wireCalls.flatMap((wire): readonly Data[] => {
        const state = [...calls.values()].find(({ id }) => id === wire.id);
        return state
          ? completeParams(state, paramsOf(wire))
          : start(`required:${wire.id ?? ''}`, { ...wire, type: 'function' });
      });
      return { ids: wireCalls.flatMap(({ id }) => id ?? []), events };
    },
  };
}
