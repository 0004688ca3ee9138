/** Answers to a server that knows its questions by one id only. */
import { isSameId } from '../../model/same-id.ts';
import type { Answer } from './adapter.ts';

export const isRefusal = ({ decision, payload }: Answer): boolean =>
  decision === 'denied' || decision === 'dismissed' || payload === false;

/**
 * Makes a denial of each yes whose question shares its id with a refused one: the server can't tell the two apart, and may
 * look for the first answer.
 */
export const unanimous = (answers: readonly Answer[]): readonly Answer[] =>
  answers.map((answer) => {
    const isRefused = answers.some(
      (other) => isRefusal(other) && isSameId(other.extra?.['requestId'], answer.extra?.['requestId']),
    );
    if (!isRefused || isRefusal(answer)) return answer;
    const { payload: _value, arguments: _changed, ...rest } = answer;
    return { ...rest, decision: 'denied' };
  });
