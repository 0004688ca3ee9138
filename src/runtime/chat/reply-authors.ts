import type { ChatMessage } from '../../model/message.ts';
import { withoutServerData } from '../../model/spoken-by.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { endpointWithoutSecrets } from '../endpoint-without-secrets.ts';

/** The agents of the replies in a conversation. */
export interface ReplyAuthors {
  /** For each reply since the page was loaded: the key of its agent (`agentKeyOf()`), by message id. */
  readonly keysByMessage: Map<string, string>;
  /** Id of the agent that counts as author of a message without an agent id. */
  readonly defaultAgentId: string | undefined;
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
 * The id of the agent that replies. If a listener has sent one message to another endpoint than the conversation's, the address
 * of that endpoint is the id, so that it is still another agent after a reload. The address is only compared, never requested.
 */
export function speakerOf(agentId: string | undefined, { endpoint, storedEndpoint }: ChatSettings): string | undefined {
  const address = endpointWithoutSecrets(endpoint);
  const isOther = storedEndpoint && address && address !== endpointWithoutSecrets(storedEndpoint);
  return agentId ?? (isOther ? address : undefined);
}

/** Whether this agent, at this endpoint, has written the message. */
export function isByRecipient({ id, agentId }: ChatMessage, recipient: Recipient): boolean {
  const { keysByMessage, defaultAgentId } = recipient.authors;
  const known = keysByMessage.get(id);
  if (known !== undefined) return known === agentKeyOf(recipient);
  // An agent without an id has its address as id, see `speakerOf`.
  return (agentId ?? defaultAgentId) === recipient.speaker || agentId === endpointWithoutSecrets(recipient.endpoint);
}

/** Removes the data that only the server of another agent needs, such as the id of its session. */
export const withoutOthersServerData = (message: ChatMessage, recipient: Recipient): ChatMessage =>
  isByRecipient(message, recipient) ? message : withoutServerData(message);
