import type { Localize } from '../../locales/localize.ts';
import type { ViewSettings } from '../../renderers/core/renderer.ts';
import type { Participants } from './contexts.ts';

/** The page's settings for the names of the participants. */
export interface NamedByPage {
  readonly offeredAgents: ViewSettings['agents'] | undefined;
  readonly participants: Participants | undefined;
  readonly heading: string | undefined;
}

/** The names of the participants as the page has set them. */
export const participantNames = (
  { offeredAgents, participants, heading }: NamedByPage,
  localize: Localize,
): Required<Pick<ViewSettings, 'agents' | 'userName' | 'agentName'>> => ({
  agents: offeredAgents ?? [],
  userName: participants?.user?.name,
  agentName: participants?.assistant?.name ?? heading ?? localize('agent'),
});
