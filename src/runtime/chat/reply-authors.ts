import type { ChatMessage } from '../../model/message.ts';
import { isAgentSystemMessage } from '../../model/spoken-by.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { endpointWithoutSecrets } from '../endpoint-without-secrets.ts';
import { withoutSecrets } from '../masking/without-secrets.ts';

/** The agents of the replies in a conversation. */
export interface ReplyAuthors {
  /**
   * By message id: the key of an agent (`agentKeyOf()`). Contains each reply since the page was loaded with the key of its author,
   * and the user message that it answers with the same key.
   */
  readonly keysByMessage: Map<string, string>;
  /** Id of the agent that counts as author of a message without an agent id. */
  readonly defaultAgentId: string | undefined;
}

/** The agent that a request is sent to, and the authors in the conversation. */
export interface Recipient {
  readonly authors: ReplyAuthors;
  /** Id of the agent, as returned by `agentIdOf()`. */
  readonly agentId: string | undefined;
  readonly endpoint: string | undefined;
}

/** Returns a key that identifies the agent by its endpoint and id, not by the name in its stream. */
export const agentKeyOf = ({ endpoint, agentId }: Pick<Recipient, 'endpoint' | 'agentId'>): string =>
  [...new Set([endpointWithoutSecrets(endpoint), agentId])].filter(Boolean).join(' ');

/**
 * Returns the id of the agent that replies. An event listener of the page may send a single message to another endpoint than the
 * conversation's. The URL of that endpoint is then the id, so that the reply still belongs to another agent after a reload. The URL
 * is only compared, never requested.
 */
export function agentIdOf(agentId: string | undefined, { endpoint, storedEndpoint }: ChatSettings): string | undefined {
  const address = endpointWithoutSecrets(endpoint);
  const isOtherEndpoint = storedEndpoint && address && address !== endpointWithoutSecrets(storedEndpoint);
  return agentId ?? (isOtherEndpoint ? address : undefined);
}

/** Whether this agent, at this endpoint, has written the message. */
export function isByRecipient({ id, agentId }: ChatMessage, recipient: Recipient): boolean {
  const { keysByMessage, defaultAgentId } = recipient.authors;
  const known = keysByMessage.get(id);
  if (known !== undefined) return known === agentKeyOf(recipient);
  // The URL of the endpoint may stand in for a missing id, see `agentIdOf`.
  return (agentId ?? defaultAgentId) === recipient.agentId || agentId === endpointWithoutSecrets(recipient.endpoint);
}

/**
 * Returns the message without the metadata that its server has added, or that the user has sent to that server, such as the values
 * of a form. The visible content stays: the blocks, and `metadata.content`, from which they were made.
 */
function withoutServerData(message: ChatMessage): ChatMessage {
  if (message.role === 'system' && !isAgentSystemMessage(message)) return message;
  const { spokenBy, content, hidden } = message.metadata ?? {};
  return { ...message, metadata: message.role === 'user' ? { content, hidden } : { spokenBy } };
}

/** Removes the data that only the server of another agent needs, such as the id of its session. */
export const withoutOthersServerData = (message: ChatMessage, recipient: Recipient): ChatMessage =>
  isByRecipient(message, recipient) ? message : withoutServerData(message);

/**
 * Returns the messages to send to this agent. Other data of a user message than its content, such as the values of a form, is sent only
 * to the agent that has answered it. Passwords are sent only with the requests of their own turn.
 *
 * @param turnId - the user message that is being answered
 */
export function messagesFor(
  messages: readonly ChatMessage[],
  recipient: Recipient,
  turnId?: string,
): readonly ChatMessage[] {
  // The messages are visited from the last to the first, so this is the reply to the user message that is visited next.
  let reply: ChatMessage | undefined;
  const forRecipient = (message: ChatMessage): ChatMessage => {
    const { id, role, agentId } = message;
    if (role === 'assistant') reply = message;
    if (role !== 'user') return withoutOthersServerData(message, recipient);
    const isAnswered = recipient.authors.keysByMessage.has(id);
    const isCurrent = id === turnId;
    // The user may ask any agent to answer a message again. The data of a button or form is still for the agent that has shown it.
    if (isCurrent && !(isAnswered && agentId !== undefined)) return message;
    if (!isByRecipient(isAnswered || agentId ? message : (reply ?? message), recipient))
      return withoutServerData(message);
    return isCurrent ? message : withoutSecrets(message);
  };
  return messages.toReversed().map(forRecipient).reverse();
}
