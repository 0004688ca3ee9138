/**
 * What the reader has allowed for good, and by which names. It is kept in memory; whoever keeps it longer
 * hands in what was kept and is told of each change. See `docs/decisions/permissions.md`.
 */
import type { BlockOf } from '../model/blocks.ts';

/** A tool of one agent that need not ask any more, whatever its arguments. */
export interface Approval {
  /** The agent as the page knows it, never as it calls itself. */
  readonly agent: string;
  /** The tool's server; empty where it has none. */
  readonly server: string;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}
type Scope = Omit<Approval, 'since'>;

/** What tells two apart. A list, since any of the three may hold any sign. */
export const approvalId = ({ agent, server, tool }: Scope): string => JSON.stringify([agent, server, tool]);

export class Approvals {
  readonly #kept = new Map<string, Approval>();
  readonly #changed: (list: readonly Approval[]) => void;

  constructor(kept: readonly Approval[] = [], changed: (list: readonly Approval[]) => void = () => undefined) {
    for (const approval of kept) this.#kept.set(approvalId(approval), approval);
    this.#changed = changed;
  }

  /** The oldest first. */
  get list(): readonly Approval[] {
    return [...this.#kept.values()];
  }

  /** A tool without a name is none: it would stand for all of them. */
  allow(approval: Approval): void {
    if (approval.tool === '' || this.covers(approval)) return;
    this.#kept.set(approvalId(approval), approval);
    this.#changed(this.list);
  }

  covers(scope: Scope): boolean {
    return this.#kept.has(approvalId(scope));
  }

  /** @returns whether there was one of that id */
  revoke(id: string): boolean {
    const revoked = this.#kept.delete(id);
    if (revoked) this.#changed(this.list);
    return revoked;
  }

  clear(): void {
    if (this.#kept.size === 0) return;
    this.#kept.clear();
    this.#changed([]);
  }
}

/** The tool that a permission is asked for, as it is remembered. */
export const scopeOf = ({ tool_call, extra }: BlockOf<'action'>, agent: string): Scope => ({
  agent,
  server: tool_call?.server_name ?? text(extra?.['serverName']),
  tool: tool_call?.name ?? text(extra?.['toolName']),
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
