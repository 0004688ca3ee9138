/**
 * Detection of custom JSON streams, whose only feature is a string that changes. Source:
 * `docs/protocols/json-stream.md`.
 */
import { isRecord } from '../../model/json.ts';
import type { Certainty, DetectionFrame, DetectionInput } from '../core/adapter.ts';
import { errorOf, UNKNOWN_ERROR } from './frame-error.ts';
import { endFlag, frameKind, typeNames } from './frame-kind.ts';
import { pathRank, textLeaves, textPath } from './text-paths.ts';

/** Fields and types of the protocols that have an adapter of their own. */
const NAMED = ['candidates', 'jsonrpc', 'invocationId', 'task_id', 'recipient_id'];
const NAMED_TYPE = /^(?:[A-Z]+_[A-Z_]+|text-(?:start|delta|end)|response\.\w+(?:\.\w+)*|content_block_\w+|thread\..*)$/;

/** Whether the choices are those of `openai-chat`. In those of MiniMax and of an Azure template there is a list of messages. */
const hasOpenAiChoices = ({ choices }: Readonly<Record<string, unknown>>): boolean =>
  choices !== undefined &&
  !(Array.isArray(choices) && choices.some((choice) => isRecord(choice) && Array.isArray(choice['messages'])));

const isNamed = ({ json }: DetectionFrame): boolean =>
  isRecord(json) &&
  (NAMED.some((name) => Object.hasOwn(json, name)) ||
    hasOpenAiChoices(json) ||
    (typeof json['type'] === 'string' && NAMED_TYPE.test(json['type'])));

const hasErrorMessage = ({ json, event }: DetectionFrame): boolean => {
  const message = errorOf(json, event);
  return message !== undefined && message !== UNKNOWN_ERROR;
};

/** Whether a frame contains the complete answer, by its type name. */
const isFinalAnswer = ({ json, event }: DetectionFrame): boolean =>
  typeNames(json, event).some((name) => /^final[_-]?answer$/i.test(name)) &&
  textPath([textLeaves(json)], true) !== undefined;

/**
 * Matches two frames with the same answer path, or one frame and the end, or a complete reply without other text that has an
 * error message or a final answer. It is never sure, so that the other
 * adapters take precedence.
 */
export const detectJsonStream = ({ framing, frames, ended }: DetectionInput): Certainty => {
  const contentFrames = frames.filter(({ data }) => data !== '' && data !== '[DONE]');
  if (framing === 'text' || framing === 'html' || contentFrames.some(isNamed)) return 'no';
  // A single document is not a stream, unless it came as a server-sent event.
  if (contentFrames.length < 2 && framing !== 'sse') return 'no';
  const texts = contentFrames.filter(({ json, event }) => json !== undefined && frameKind(json, event) === 'text');
  if (ended && texts.length === 0) {
    const isReply = contentFrames.some((frame) => hasErrorMessage(frame) || isFinalAnswer(frame));
    return isReply && contentFrames.every(({ json }) => isRecord(json)) ? 'maybe' : 'no';
  }
  const hasEnded =
    ended || contentFrames.some(({ json, event }) => frameKind(json, event) === 'end' || endFlag(json) !== undefined);
  const path = textPath(
    texts.map(({ json }) => textLeaves(json)),
    hasEnded,
  );
  // One frame with a string of any name could be anything, including another protocol's error.
  return path === undefined || pathRank(path) === Number.POSITIVE_INFINITY ? 'no' : 'maybe';
};
