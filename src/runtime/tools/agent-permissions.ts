/**
 * Asks the user for the permissions that a page agent needs before its first use. Source: DeepChat strong-typed events, section 8
 * (`required_permissions`).
 */
import type { BaseAgent } from '../../model/agent.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { canonicalArguments } from '../../model/canonical-arguments.ts';
import { permissionsIn } from '../approvals.ts';
import type { TurnContext } from '../turn-context.ts';

/**
 * Asks the user for the permissions that the agent's capabilities need, unless they were approved permanently. The answer applies to
 * exactly these permissions: if the agent later needs more, the user is asked again. A pending question of a restored conversation is
 * reused if it shows the same permissions. A restored answer grants nothing, because code with access to the storage could have
 * written it.
 */
export async function requestAgentPermission(
  agent: BaseAgent,
  context: TurnContext,
  eventId: string,
): Promise<boolean> {
  const needs = needsOf(agent);
  const params = JSON.stringify(needs);
  const { name, description } = agent;
  // An agent has no server. Its approval holds the permissions in that field, so it covers exactly these.
  const scope = { server: permissionsIn(params), tool: name, page: true, description } as const;
  if (Object.keys(needs).length === 0 || context.answers.allows(scope)) return true;
  if (!isPermissionPending(agent, context)) {
    context.dispatch([
      {
        type: 'response',
        data: {
          eventId,
          tool_call: 'permission-required',
          // There is no tool call. `questionFor()` finds the question by this id.
          tool_call_id: callIdOf(eventId, agent),
          tool_call_params: params,
          permission_request: {
            toolName: scope.tool,
            serverName: scope.server,
            permissionType: 'all',
            description,
          },
          request: { id: '', extra: { byPage: true, forAgent: true } },
        },
      },
    ]);
  }
  const question = questionFor(agent, context);
  const answer = (await context.answers.forPage()).find(({ blockId }) => blockId === question?.id);
  return answer?.decision === 'granted';
}

/** Whether the question that would be asked now is already pending, in a restored reply. */
export const isPermissionPending = (agent: BaseAgent, context: TurnContext): boolean =>
  questionFor(agent, context)?.status === 'pending';

/** The required permissions, joined into one string per capability type. The question shows them like the arguments of a tool call. */
const needsOf = ({ capabilities }: BaseAgent): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...new Set(capabilities.map(({ type }) => type))].flatMap((type) => {
      const all = capabilities.flatMap((capability) =>
        capability.type === type ? (capability.required_permissions ?? []) : [],
      );
      return all.length > 0 ? [[type, [...new Set(all)].join(', ')] as const] : [];
    }),
  );

const callIdOf = (eventId: string, { id }: BaseAgent): string => `permissions ${eventId} ${id}`;

/** Whether a call id was made by `callIdOf()` for this agent, with any event id. An agent id may contain spaces, an event id can't. */
const isCallIdOf = (agent: BaseAgent, callId = ''): boolean => {
  const [, eventId = ''] = callId.split(' ');
  return callId === callIdOf(eventId, agent);
};

/** The newest question about this agent that shows its current permissions. */
const questionFor = (agent: BaseAgent, context: TurnContext): BlockOf<'action'> | undefined =>
  context
    .run()
    .messages.flatMap(({ blocks }) => blocks)
    .findLast(
      (block): block is BlockOf<'action'> =>
        block.type === 'action' &&
        block.action_type === 'tool_call_permission' &&
        block.extra?.['forAgent'] === true &&
        isCallIdOf(agent, block.tool_call?.id) &&
        block.tool_call?.name === agent.name &&
        (block.content ?? '') === agent.description &&
        canonicalArguments(block.tool_call.params ?? '') === canonicalArguments(JSON.stringify(needsOf(agent))),
    );
