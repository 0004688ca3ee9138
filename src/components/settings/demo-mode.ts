import type { Suggestion } from '../../model/blocks.ts';
import type { ChatSettings } from '../../runtime/chat-settings.ts';

/** Endpoint of demo conversations, so that they are stored apart from those with the real agent. */
export const DEMO_ENDPOINT = 'demo';

/** Settings for `demo`: no request leaves the page, and no request callback of the page is called. */
export const demoSettings = ({ limits, redact, show, threadId, transformEvent }: ChatSettings): ChatSettings => ({
  limits,
  redact,
  show,
  threadId,
  transformEvent,
  endpoint: DEMO_ENDPOINT,
  protocol: 'deepchat-events',
  fetch: async (...request) => (await loadDemoAgent()).runDemoAgent(...request),
});

/** The suggestions of the demo; empty if its chunk fails to load. */
export const demoStarters = (): Promise<readonly Suggestion[]> =>
  loadDemoAgent().then(
    ({ demoStarters: starters }) => starters,
    () => [],
  );

const loadDemoAgent = () => import('../../runtime/tools/run-demo-agent.ts');
