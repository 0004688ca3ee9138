/** Answers for a server that identifies several questions by one id, or by none. */
import { isId, isSameId } from '../../model/same-id.ts';
import type { Answer } from './adapter.ts';

export const isRefusal = ({ decision, payload }: Answer): boolean =>
  decision === 'denied' || decision === 'dismissed' || payload === false;

/**
 * Turns each yes into a no if the server can't tell its question from a refused one, because they share their id or have
 * none: it may use the first answer.
 *
 * @param idOf - what the server knows the question by; the id of the request by default
 */
export const denySharedIds = (
  answers: readonly Answer[],
  idOf: (answer: Answer) => unknown = requestIdOf,
): readonly Answer[] =>
  answers.map((answer) => {
    const id = idOf(answer);
    const isRefused = answers.some(
      (other) => isRefusal(other) && (isSameId(idOf(other), id) || (!isId(idOf(other)) && !isId(id))),
    );
    if (!isRefused || isRefusal(answer)) return answer;
    const { payload: _value, arguments: _changed, ...rest } = answer;
    return { ...rest, decision: 'denied' };
  });

const requestIdOf = ({ extra }: Answer): unknown => extra?.['requestId'];
