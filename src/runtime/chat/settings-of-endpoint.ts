import type { ChatSettings } from '../chat-settings.ts';
import { resolveSetting } from '../request/send-request.ts';

/** The settings of a turn. */
export interface TurnSettings {
  readonly settings: ChatSettings;
  /** The page's current tools: it may add or withdraw some while the turn runs. */
  tools(): Pick<ChatSettings, 'tools' | 'pageTools'>;
}

/**
 * Settings whose request fields are the current ones at each request: a key may be renewed, or withdrawn, while a question
 * waits. Once the page has another endpoint, its fields are for that one, and this endpoint gets those of `before`.
 *
 * @param before - the page's settings when the message was sent, or the question restored
 * @param latest - returns the page's current settings
 */
export function settingsOfEndpoint(
  settings: ChatSettings,
  before: ChatSettings,
  latest: () => ChatSettings,
): TurnSettings {
  const { endpoint, protocol, agent } = settings;
  const isNamedIn = ({ endpoint: own, agents = [] }: ChatSettings): boolean =>
    [own, ...agents.map((one) => 'endpoint' in one && one.endpoint)].includes(endpoint);
  const first = latest();
  const known = !isNamedIn(first) && isNamedIn(before) ? before : first;
  const now = (): ChatSettings => {
    const next = latest();
    return isNamedIn(next) ? next : known;
  };
  return {
    settings: {
      ...settings,
      ...(known === before && { ...before, endpoint, protocol, agent }),
      headers: (context) => resolveSetting(now().headers, context),
      body: (context) => resolveSetting(now().body, context),
      context: (context: Parameters<typeof resolveSetting>[1]) => resolveSetting(now().context, context),
      transformRequest: async (request) => (await now().transformRequest?.(request)) ?? request,
    },
    tools: () => {
      const { tools, pageTools } = now();
      return { tools, pageTools };
    },
  };
}
