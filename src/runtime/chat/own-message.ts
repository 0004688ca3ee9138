import type { ChatMessage } from '../../model/message.ts';
import { withoutServerData } from '../../model/spoken-by.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { endpointWithoutSecrets } from '../endpoint-without-secrets.ts';

/** The agents of the replies in a conversation. */
export interface ReplyAuthors {
  /** The agent, with its endpoint (`agentKeyOf()`), of each reply since the page was loaded, by the id of the message. */
  readonly byId: Map<string, string>;
  /** The agent of a message without an agent id. */
  readonly unnamed: string | undefined;
}

/** An agent that gets a request, in a conversation with these authors. */
export interface Recipient {
  readonly authors: ReplyAuthors;
  /** Id of the agent. */
  readonly speaker: string | undefined;
  readonly endpoint: string | undefined;
}

/** Identifies the agent by its configuration, not by the name that the stream sends. */
export const agentKeyOf = ({ endpoint, speaker }: Pick<Recipient, 'endpoint' | 'speaker'>): string =>
  [...new Set([endpointWithoutSecrets(endpoint), speaker])].filter(Boolean).join(' ');

/**
 * The id of the agent that replies. An endpoint other than that of the conversation, which a listener has set for one
 * message, has its address as id: after a reload it is still another agent. It is compared, never requested.
 */
export function speakerOf(agentId: string | undefined, { endpoint, storedEndpoint }: ChatSettings): string | undefined {
  const address = endpointWithoutSecrets(endpoint);
  const isOther = storedEndpoint && address && address !== endpointWithoutSecrets(storedEndpoint);
  return agentId ?? (isOther ? address : undefined);
}

/** Whether this agent, at this endpoint, has written the message. */
export function isOwnMessage({ id, agentId }: ChatMessage, recipient: Recipient): boolean {
  const { byId, unnamed } = recipient.authors;
  const known = byId.get(id);
  if (known !== undefined) return known === agentKeyOf(recipient);
  return (agentId ?? unnamed) === recipient.speaker || agentId === endpointWithoutSecrets(recipient.endpoint);
}

/** Removes what another agent's server has sent for itself, such as the id of its session. */
export const withoutOtherIds = (message: ChatMessage, recipient: Recipient): ChatMessage =>
  isOwnMessage(message, recipient) ? message : withoutServerData(message);
