import type { Approval } from '../../runtime/approvals.ts';

/** The valid entries of the stored tool approvals. */
export function readApprovals(value: unknown): readonly Approval[] {
  return Array.isArray(value) ? value.filter(isApproval) : [];
}

function isApproval(value: unknown): value is Approval {
  const { agent, server, tool, since, page, access, description, question } = (value ?? {}) as Readonly<
    Record<string, unknown>
  >;
  return (
    [agent, server, tool].every((text) => typeof text === 'string') &&
    typeof since === 'number' &&
    (page === undefined || page === true) &&
    [access, description, question].every((text) => ['undefined', 'string'].includes(typeof text))
  );
}

/**
 * The approvals to store. A question of the page may repeat arguments with a key: such an approval is not stored.
 *
 * @param mask - returns a text as it may be stored
 */
export const storableApprovals = (list: readonly Approval[], mask: (text: string) => string): readonly Approval[] =>
  list.filter(({ question = '' }) => mask(question) === question);
