/** Answers for a server that identifies several questions by one id. */
import { isSameId } from '../../model/same-id.ts';
import type { Answer } from './adapter.ts';

export const isRefusal = ({ decision, payload }: Answer): boolean =>
  decision === 'denied' || decision === 'dismissed' || payload === false;

/**
 * Turns each yes into a no if its question shares its id with a refused one: the server can't tell the two apart, and
 * may use the first answer.
 */
export const denySharedIds = (answers: readonly Answer[]): readonly Answer[] =>
  answers.map((answer) => {
    const isRefused = answers.some(
      (other) => isRefusal(other) && isSameId(other.extra?.['requestId'], answer.extra?.['requestId']),
    );
    if (!isRefused || isRefusal(answer)) return answer;
    const { payload: _value, arguments: _changed, ...rest } = answer;
    return { ...rest, decision: 'denied' };
  });
