/**
 * What an agent of the page needs before it is used the first time. Source: DeepChat strong-typed events, section 8
 * (`required_permissions`); the contract, `agents`.
 */
import type { BaseAgent } from '../model/agent.ts';
import type { Beginning, TurnJob } from './turn.ts';

/**
 * Asks for what the agent's capabilities need, unless it was allowed for good. The answer is for exactly these permissions: an
 * agent that wants more asks again.
 *
 * @returns what the reader has answered; undefined where nothing had to be asked
 */
export async function mayUse(
  agent: BaseAgent,
  job: TurnJob,
  eventId: string,
  begin: Beginning,
): Promise<boolean | undefined> {
  const needs = agent.capabilities.flatMap(({ type, required_permissions: permissions = [] }) =>
    permissions.length > 0 ? [[type, permissions.join(', ')] as const] : [],
  );
  const server = [...new Set(needs.map(([, permissions]) => permissions))].join(', ');
  const scope = { server, tool: agent.name };
  const id = `permissions ${agent.id}`;
  if (begin === 'send') {
    if (needs.length === 0 || job.allows(scope)) return undefined;
    job.dispatch([
      {
        type: 'response',
        data: {
          eventId,
          tool_call: 'permission-required',
          tool_call_id: id,
          tool_call_params: JSON.stringify(Object.fromEntries(needs)),
          permission_request: {
            toolName: scope.tool,
            serverName: server,
            permissionType: 'all',
            description: agent.description,
          },
          request: { id: '', extra: { byPage: true, forAgent: true } },
        },
      },
    ]);
  } else if (!isAsked(job, id)) return undefined;
  const answer = (await job.answers()).find(({ toolCallId }) => toolCallId === id);
  return answer?.decision === 'granted';
}

/** A reply that was restored waits for this. */
const isAsked = (job: TurnJob, id: string): boolean =>
  job
    .run()
    .messages.some(({ blocks }) =>
      blocks.some((block) => block.type === 'action' && block.status === 'pending' && block.tool_call?.id === id),
    );
