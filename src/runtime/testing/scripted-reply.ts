/** Encodes the replies of a test in the format of a protocol. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { Ending } from './encoders/encoder.ts';
import { encoders, type ScriptedProtocol } from './encoders/encoders.ts';

/** A tool call. Without `result` and `error` it is left to the page, whose own tool runs it. */
export interface ScriptedTool {
  readonly name: string;
  readonly arguments?: object;
  readonly result?: unknown;
  readonly error?: string;
  /** Default: `call-1`, `call-2` and so on. */
  readonly id?: string;
}

/** One step of a reply. A string is text, streamed word by word. */
export type ScriptedStep =
  | string
  | { readonly reasoning: string }
  | { readonly tool: ScriptedTool }
  | { readonly error: string }
  /** The data of an agent event, such as a permission or a chart. Only in `deepchat-events`. */
  | { readonly event: Omit<LLMAgentEventData, 'eventId'> };

/** The agent's reply to one request. */
export type ScriptedReply = string | readonly ScriptedStep[];

export interface EncodedReply {
  readonly headers: Readonly<Record<string, string>>;
  /** The chunks that a server would send one by one. */
  readonly chunks: readonly string[];
}

/**
 * Encodes the reply to request number `index`. Its tool calls get unique ids.
 *
 * @throws TypeError if the protocol has no form for a step. If the step were left out, a test could pass for the wrong
 * reason.
 */
export function encodeReply(reply: ScriptedReply, protocol: ScriptedProtocol, index: number): EncodedReply {
  const { [protocol]: spec } = encoders;
  const encoder = spec.open(`reply-${String(index + 1)}`);
  const steps = typeof reply === 'string' ? [reply] : reply;
  let calls = 0;
  const chunks = steps.flatMap((step): readonly string[] => {
    if (typeof step === 'string') return encoder.text(step);
    if ('reasoning' in step) return encoder.reasoning?.(step.reasoning) ?? unsupported(protocol, 'reasoning');
    if ('event' in step) return encoder.event?.(step.event) ?? unsupported(protocol, 'an agent event');
    if ('error' in step) return encoder.error?.(step.error) ?? unsupported(protocol, 'an error');
    const {
      name,
      arguments: given = {},
      result,
      error,
      id = `call-${String(index + 1)}-${String(++calls)}`,
    } = step.tool;
    const call = { id, name, arguments: given };
    if (error !== undefined) return encoder.failure?.(call, error) ?? unsupported(protocol, 'the error of a tool');
    return isOpen(step.tool)
      ? (encoder.call?.(call) ?? unsupported(protocol, 'a tool of the page'))
      : (encoder.result?.(call, result) ?? unsupported(protocol, 'the result of a tool'));
  });
  return {
    headers: spec.headers,
    chunks: [...(encoder.start ?? []), ...chunks, ...(encoder.end?.(endingOf(steps)) ?? [])],
  };
}

function endingOf(steps: readonly ScriptedStep[]): Ending {
  const has = (test: (step: Exclude<ScriptedStep, string>) => boolean): boolean =>
    steps.some((step) => typeof step === 'object' && test(step));
  if (has((step) => 'error' in step)) return 'error';
  return has((step) => 'tool' in step && isOpen(step.tool)) ? 'calls' : 'complete';
}

const isOpen = ({ result, error }: ScriptedTool): boolean => result === undefined && error === undefined;

function unsupported(protocol: ScriptedProtocol, what: string): never {
  throw new TypeError(`A reply in "${protocol}" can't have ${what}.`);
}
