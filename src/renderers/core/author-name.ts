import type { AgentDescriptor, BaseAgent } from '../../model/agent.ts';
import type { Localize } from '../../locales/localize.ts';
import type { ChatMessage } from '../../model/message.ts';
import { isReservedName } from '../../model/reserved-names.ts';
import { isSameId } from '../../model/same-id.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import type { RenderContext, ViewSettings } from './renderer.ts';

type Agent = BaseAgent | AgentDescriptor;
type Sender = { readonly [Field in 'name' | 'agentId']?: ChatMessage[Field] | undefined };

const endpointOf = (agent: Agent): string | undefined => ('endpoint' in agent ? agent.endpoint : undefined);

/**
 * The agent of the page's list that sent a message. The name in the response takes precedence, because a server may send
 * messages of several agents. The name of an agent with another endpoint is not accepted.
 */
export function agentOf({ name, agentId }: Sender, agents: readonly Agent[]): Agent | undefined {
  const own = agents.find(({ id }) => isSameId(id, agentId));
  if (name === undefined) return own;
  const named = agents.find((one) => one.name === name || one.id === name);
  return named && own && endpointOf(named) !== endpointOf(own) ? undefined : named;
}

/**
 * The display name of a speaker from the response. A name that equals that of the user, the widget or another agent of the
 * page is marked as an agent’s: “You (agent)”.
 *
 * @param others - names of the user and of other agents
 */
export function authorName(name: string, localize: Localize, others: readonly (string | undefined)[] = []): string {
  // Of several lines, another one could look like a message of the user in an announcement, which has no lines.
  const displayName = withoutInvisible(name)
    .trim()
    .split(/[\n\r\u2028\u2029]/, 1)
    .join('');
  const reserved = [localize('user'), localize('system'), localize('message.system'), ...others];
  return isReservedName(
    displayName,
    reserved.filter((other) => other !== undefined),
  )
    ? localize('speaker.agent', { name: displayName })
    : displayName;
}

/** The name of the author of a message. Names of agents that the page configured are trusted. */
export function senderName(
  { name, agentId }: Sender,
  { agents = [], agentName, userName, localize }: Pick<ViewSettings, 'agents' | 'agentName' | 'userName' | 'localize'>,
): string {
  const agent = agentOf({ name, agentId }, agents);
  if (agent || name === undefined) return withoutInvisible(agent?.name ?? agentName);
  return authorName(name, localize, [userName, ...agents.map((one) => one.name)]);
}

/** The author of the message that a renderer shows. */
export const messageAuthor = ({ message, settings }: Pick<RenderContext, 'message' | 'settings'>): string =>
  senderName(message, settings);
