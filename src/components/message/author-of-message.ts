import type { ChatMessage } from '../../model/message.ts';
import { agentOf, senderName } from '../../renderers/core/author-name.ts';
import type { ChatView } from '../shared/contexts.ts';
import { hueOf } from './author-hue.ts';
import { authorOfAgent, type Author } from './author.ts';

/** The author of a message. */
export function authorOf(
  message: ChatMessage,
  { agents, settings, participants }: Pick<ChatView, 'agents' | 'settings' | 'participants'>,
): Author {
  const agent = agentOf(message, agents);
  if (agent) return authorOfAgent(agent, agents, settings.imageHosts);
  const displayName = senderName(message, settings);
  return {
    name: displayName,
    picture: message.name === undefined ? participants.assistant?.avatar : undefined,
    hue: hueOf(displayName),
  };
}
