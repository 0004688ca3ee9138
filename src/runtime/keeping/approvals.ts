/** Tools that the reader always allows, by agent. */
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { Approval } from './conversation-store.ts';

/** What would be remembered of a permission; undefined for what can't be: a question is another one each time. */
export function approvalFor(message: ChatMessage, block: AssistantMessageBlock, now: number): Approval | undefined {
  if (block.type !== 'action' || block.action_type !== 'tool_call_permission') return undefined;
  const text = (name: string): string => {
    const value = block.extra?.[name];
    return typeof value === 'string' ? value : '';
  };
  const tool = block.tool_call?.name ?? text('toolName');
  if (tool === '') return undefined;
  const server = block.tool_call?.server_name ?? text('serverName');
  return { agent: message.agentId ?? message.name ?? '', server, tool, since: now };
}

export const isSameApproval = (left: Approval, right: Approval): boolean =>
  left.agent === right.agent && left.server === right.server && left.tool === right.tool;

/** The permissions that are asked for and that the reader has always given. */
export function allowedBlocks(
  messages: readonly ChatMessage[],
  approvals: readonly Approval[],
): readonly AssistantMessageBlock[] {
  if (approvals.length === 0) return [];
  return messages.flatMap((message) =>
    message.blocks.filter((block) => {
      if (block.type !== 'action' || block.status !== 'pending') return false;
      const asked = approvalFor(message, block, 0);
      return asked !== undefined && approvals.some((approval) => isSameApproval(approval, asked));
    }),
  );
}

/** What was stored, as far as it can be read. */
export function readApprovals(value: unknown): readonly Approval[] {
  return Array.isArray(value) ? value.filter(isApproval) : [];
}

function isApproval(value: unknown): value is Approval {
  const { agent, server, tool, since } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return [agent, server, tool].every((text) => typeof text === 'string') && typeof since === 'number';
}
