/** The error in a frame of a custom JSON stream. */
import { isRecord } from '../../model/json.ts';
import { errorMessage } from '../shared/error-message.ts';
import { envelopes, frameKind } from './frame-kind.ts';
import { textLeaves } from './text-paths.ts';

export const UNKNOWN_ERROR = 'The agent reported an error.';

/** The error message of a frame; undefined when it is not an error. */
export function errorOf(json: unknown, event: string | undefined): string | undefined {
  const kind = frameKind(json, event);
  if (kind === 'tool') return undefined;
  const { error, detail, status, status_code: code } = isRecord(json) ? json : {};
  const failed = [status, code].some((value) => typeof value === 'number' && value >= 400);
  const isError = kind === 'error' || isRecord(error) || (typeof error === 'string' && error !== '');
  if (!isError && !(failed && detail !== undefined)) return undefined;
  return errorMessage(json) ?? textLeaves(json).find(({ value }) => value.trim() !== '')?.value ?? UNKNOWN_ERROR;
}

/** Whether the reply continues after the error, by its flag. */
export const isRecoverable = (json: unknown): boolean =>
  envelopes(json).some(({ recoverable }) => recoverable === true);
