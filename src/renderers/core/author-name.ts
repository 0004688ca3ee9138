import type { Localize } from '../../locales/localize.ts';
import { isReservedName } from '../../model/reserved-names.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import type { RenderContext } from './renderer.ts';

/**
 * The display name of a speaker from the response. A name that equals the user’s or the widget’s is marked as an
 * agent’s: “You (agent)”.
 */
export function authorName(name: string, localize: Localize, user?: string): string {
  const displayName = withoutInvisible(name);
  const others = [
    localize('user'),
    localize('system'),
    localize('message.system'),
    ...(user === undefined ? [] : [user]),
  ];
  return isReservedName(displayName, others) ? localize('speaker.agent', { name: displayName }) : displayName;
}

/** The author of the message that a renderer shows. Names of agents that the page configured are trusted. */
export const messageAuthor = ({ message, settings }: Pick<RenderContext, 'message' | 'settings'>): string =>
  message.name === undefined ? withoutInvisible(settings.agentName) : authorName(message.name, settings.localize);
