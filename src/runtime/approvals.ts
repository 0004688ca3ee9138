/**
 * Permanent tool approvals ("Always allow"), in memory. `runtime/answers/turn-answers.ts` adds one and looks it up;
 * `storage/conversation-manager.ts` stores and restores the list. See `docs/decisions/permissions.md`.
 */
import type { BlockOf } from '../model/blocks.ts';
import { isRecord } from '../model/json.ts';

/** A tool of one agent that runs without asking, whatever its arguments, with the access that was shown. */
export interface Approval {
  /** The agent as configured by the page, not the name that it sends; with `model` and fields of `body`, which may choose an agent. */
  readonly agent: string;
  /** The tool's server; empty if it has none. */
  readonly server: string;
  readonly tool: string;
  /** The tool or agent runs in the page. An approval of a server's tool with the same name does not cover it. */
  readonly page?: true;
  /**
   * What the question said about a tool or agent of the page. Another page of the site, or another widget, may have another
   * function with that name.
   */
  readonly description?: string;
  readonly question?: string;
  /** The only access that it covers, for a server's tool. Without it, the user has allowed to read and write. */
  readonly access?: string;
  /** When it was approved, in milliseconds since the epoch. */
  readonly since: number;
}
export type ApprovalScope = Omit<Approval, 'since'>;

/** Identifies an approval. A JSON list, because the names may contain any separator. */
export const approvalId = ({
  agent,
  server,
  tool,
  page,
  access,
  description = '',
  question = '',
}: ApprovalScope): string =>
  JSON.stringify([
    agent,
    server,
    tool,
    ...(page ? ['page', description, question] : access === undefined ? [] : ['access', access]),
  ]);

export class Approvals {
  readonly #approvals = new Map<string, Approval>();
  readonly #listeners = new Set<(list: readonly Approval[]) => void>();

  /**
   * Calls the listener after each change that the user made.
   * @returns a function that ends the subscription
   */
  subscribe(listener: (list: readonly Approval[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds stored approvals before those that the user has given since. */
  restore(stored: readonly Approval[]): void {
    this.replace([...stored, ...this.list]);
  }

  /** Replaces all approvals, because the user has changed them elsewhere. Listeners are not called. */
  replace(list: readonly Approval[]): void {
    this.#approvals.clear();
    for (const approval of list) this.#approvals.set(approvalId(approval), approval);
  }

  /** Drops all approvals because the user changed. Listeners are not called: nothing was revoked. */
  dropAll(): void {
    this.#approvals.clear();
  }

  /** All approvals, the oldest first. */
  get list(): readonly Approval[] {
    return [...this.#approvals.values()];
  }

  /** Adds an approval. One without a tool name is ignored, because it would cover all tools. */
  allow(approval: Approval): void {
    if (approval.tool === '' || this.covers(approval)) return;
    this.#approvals.set(approvalId(approval), approval);
    this.#notify();
  }

  /** Whether the user has approved this permanently. An approval without `access` includes every access. */
  covers({ access, ...scope }: ApprovalScope): boolean {
    return [scope, ...(access === undefined ? [] : [{ ...scope, access }])].some((one) =>
      this.#approvals.has(approvalId(one)),
    );
  }

  /** @returns whether an approval with this id existed */
  revoke(id: string): boolean {
    const revoked = this.#approvals.delete(id);
    if (revoked) this.#notify();
    return revoked;
  }

  clear(): void {
    if (this.#approvals.size === 0) return;
    this.#approvals.clear();
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener(this.list);
  }
}

/**
 * The tool that a permission request is about. For an agent, `server` holds the permissions that the question shows: a
 * restored question may contain something else in a field that nobody sees.
 */
export const approvalScopeOf = ({ tool_call, content, extra }: BlockOf<'action'>, agent: string): ApprovalScope => ({
  agent,
  server:
    extra?.['forAgent'] === true
      ? permissionsIn(tool_call?.params ?? '')
      : (tool_call?.server_name ?? text(extra?.['serverName'])),
  tool: tool_call?.name ?? text(extra?.['toolName']),
  ...(extra?.['byPage'] === true ? { page: true, ...shownBy(content, extra['question']) } : accessIn(extra)),
});

const shownBy = (description = '', question: unknown): Pick<ApprovalScope, 'description' | 'question'> => ({
  ...(description && { description }),
  ...(text(question) && { question: text(question) }),
});

/** The access that a question about a server's tool shows. An unknown one is not shown. */
const accessIn = (extra: BlockOf<'action'>['extra']): Pick<ApprovalScope, 'access'> => {
  const access = text(extra?.['permissionType']);
  return ['', 'all'].includes(access) ? {} : { access };
};

/** The permissions that the question about an agent shows, as one string. */
export function permissionsIn(params: string): string {
  try {
    const permissions: unknown = JSON.parse(params);
    return isRecord(permissions) ? [...new Set(Object.values(permissions).map(text))].join(', ') : '';
  } catch {
    return '';
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
