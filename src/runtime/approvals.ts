/**
 * What the reader has allowed for good, and by which names. It lives in memory; whoever keeps it longer puts back what was kept,
 * and is told of each change. See `docs/decisions/permissions.md`.
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
  readonly #listeners = new Set<(list: readonly Approval[]) => void>();

  /** Told of each change that the reader has made. @returns its undo */
  subscribe(listener: (list: readonly Approval[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What was kept of another time, before what the reader has allowed since. */
  restore(kept: readonly Approval[]): void {
    const since = this.list;
    this.#kept.clear();
    for (const approval of [...kept, ...since]) this.#kept.set(approvalId(approval), approval);
  }

  /** Another reader's begin. Nobody is told: nothing was taken back. */
  leave(): void {
    this.#kept.clear();
  }

  /** The oldest first. */
  get list(): readonly Approval[] {
    return [...this.#kept.values()];
  }

  /** A tool without a name is none: it would stand for all of them. */
  allow(approval: Approval): void {
    if (approval.tool === '' || this.covers(approval)) return;
    this.#kept.set(approvalId(approval), approval);
    this.#tell();
  }

  covers(scope: Scope): boolean {
    return this.#kept.has(approvalId(scope));
  }

  /** @returns whether there was one of that id */
  revoke(id: string): boolean {
    const revoked = this.#kept.delete(id);
    if (revoked) this.#tell();
    return revoked;
  }

  clear(): void {
    if (this.#kept.size === 0) return;
    this.#kept.clear();
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.list);
  }
}

/** The tool that a permission is asked for, as it is remembered. */
export const scopeOf = ({ tool_call, extra }: BlockOf<'action'>, agent: string): Scope => ({
  agent,
  server: tool_call?.server_name ?? text(extra?.['serverName']),
  tool: tool_call?.name ?? text(extra?.['toolName']),
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
