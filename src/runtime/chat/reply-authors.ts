import type { ChatMessage } from '../../model/message.ts';
import { isAgentSystemMessage } from '../../model/spoken-by.ts';
import type { ChatSettings } from '../chat-settings.ts';
import { endpointWithoutSecrets } from '../endpoint-without-secrets.ts';
import { withoutSecrets } from '../masking/without-secrets.ts';

/** The agents of the replies in a conversation. */
export interface ReplyAuthors {
  /** For each reply since the page was loaded, and the message that it answers: the key of its agent (`agentKeyOf()`), by message id. */
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

/**
 * Returns the message without what its server has stored in it, and without the data that a user has sent to that server, such as
 * the values of a form. What the user sees stays: `content` is in the blocks too.
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
 * The messages as this agent gets them. What a message of the user carries besides its text, such as the values of a form, is for the
 * agent that has answered it. Passwords are sent once, with the requests of their own turn.
 *
 * @param turnId - the user message that is being answered
 */
export function messagesFor(
  messages: readonly ChatMessage[],
  recipient: Recipient,
  turnId?: string,
): readonly ChatMessage[] {
  let reply: ChatMessage | undefined;
  const passOn = (message: ChatMessage): ChatMessage => {
    const { id, role, agentId } = message;
    if (role === 'assistant') reply = message;
    if (role !== 'user') return withoutOthersServerData(message, recipient);
    const isAnswered = recipient.authors.keysByMessage.has(id);
    const isOwn = id === turnId;
    // Any agent may be asked for a new reply, but a press in a form belongs to the agent of that form.
    if (isOwn && !(isAnswered && agentId !== undefined)) return message;
    if (!isByRecipient(isAnswered || agentId ? message : (reply ?? message), recipient))
      return withoutServerData(message);
    return isOwn ? message : withoutSecrets(message);
  };
  return messages.toReversed().map(passOn).reverse();
}
