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
