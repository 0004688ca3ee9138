import type { Suggestion } from '../model/blocks.ts';
import type { ChatSettings } from '../runtime/settings.ts';

/** A conversation with the script is kept apart from those with the agent that will stand in its place. */
export const DEMO = 'demo';

/** With `demo` nothing leaves the page: neither a request nor a question to the page's functions about one. */
export const demoSettings = ({ limits, redact, show, threadId, transformEvent }: ChatSettings): ChatSettings => ({
  limits,
  redact,
  show,
  threadId,
  transformEvent,
  endpoint: DEMO,
  protocol: 'deepchat-events',
  fetch: async (...request) => (await load()).playDemo(...request),
});

/** What can be asked; nothing where the script's chunk is missing. */
export const demoStarters = (): Promise<readonly Suggestion[]> =>
  load().then(
    ({ demoStarters: starters }) => starters,
    () => [],
  );

const load = () => import('../runtime/play-demo.ts');
