/**
 * Permissions that a page agent needs before its first use. Source: DeepChat strong-typed events, section 8
 * (`required_permissions`).
 */
import type { BaseAgent } from '../../model/agent.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { canonicalArguments } from '../../model/canonical-arguments.ts';
import { permissionsIn } from '../approvals.ts';
import type { TurnContext } from '../turn-context.ts';

/**
 * Asks for the permissions that the agent's capabilities need, unless they were approved permanently. The answer
 * applies to exactly these permissions; an agent that needs more asks again. A restored question is not asked again if it
 * shows the same permissions, but an answer in a restored conversation grants nothing: what can change the stored conversation could
 * have added it.
 */
export async function requestAgentPermission(agent: BaseAgent, job: TurnContext, eventId: string): Promise<boolean> {
  const needs = needsOf(agent);
  const params = JSON.stringify(needs);
  const { name, description } = agent;
  // For an agent, the scope has its permissions instead of a server.
  const scope = { server: permissionsIn(params), tool: name, page: true, description } as const;
  if (Object.keys(needs).length === 0 || job.allows(scope)) return true;
  if (!isPermissionPending(agent, job)) {
    job.dispatch([
      {
        type: 'response',
        data: {
          eventId,
          tool_call: 'permission-required',
          // An id of its own, by which `questionFor()` finds the question.
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
  const question = questionFor(agent, job);
  const answer = (await job.pageAnswers()).find(({ blockId }) => blockId === question?.id);
  return answer?.decision === 'granted';
}

/** Whether a restored reply waits for the answer to the question that would be asked now. */
export const isPermissionPending = (agent: BaseAgent, job: TurnContext): boolean =>
  questionFor(agent, job)?.status === 'pending';

/** The permissions by type of capability, each as one text: they are shown to the user like the arguments of a call. */
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

/** Whether a call id was made by `callIdOf()` for this agent. An event id contains no space, but the id of an agent may. */
const isAbout = (agent: BaseAgent, callId = ''): boolean => {
  const [, eventId = ''] = callId.split(' ');
  return callId === callIdOf(eventId, agent);
};

/** The newest question about this agent that shows its current permissions. */
const questionFor = (agent: BaseAgent, job: TurnContext): BlockOf<'action'> | undefined =>
  job
    .run()
    .messages.flatMap(({ blocks }) => blocks)
    .findLast(
      (block): block is BlockOf<'action'> =>
        block.type === 'action' &&
        block.action_type === 'tool_call_permission' &&
        block.extra?.['forAgent'] === true &&
        isAbout(agent, block.tool_call?.id) &&
        block.tool_call?.name === agent.name &&
        (block.content ?? '') === agent.description &&
        canonicalArguments(block.tool_call.params ?? '') === canonicalArguments(JSON.stringify(needsOf(agent))),
    );
