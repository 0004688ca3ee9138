import type { Approval } from '../approvals.ts';

/** What was stored of the tools that the reader always allows, as far as it can be read. */
export function readApprovals(value: unknown): readonly Approval[] {
  return Array.isArray(value) ? value.filter(isApproval) : [];
}

function isApproval(value: unknown): value is Approval {
  const { agent, server, tool, since } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [agent, server, tool].every((text) => typeof text === 'string') && typeof since === 'number';
}
