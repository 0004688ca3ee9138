/** Maps the controls to the widget: one description, which is both applied to the element and printed as HTML. */
import { AgentChat, type Starter } from 'agent-chat-element';
import {
  DEFAULT_CHUNK_DELAY_MS,
  IN_PAGE,
  SCENARIOS,
  WITH_TOOLS,
  addressOf,
  type ProtocolName,
  type ScenarioName,
} from './choices.ts';
import { pageTools } from './page-tools.ts';
import type { Settings } from './settings.ts';

export interface Description {
  /** Attributes that the controls set; empty ones are left out. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly css: Readonly<Record<string, string>>;
  /** Properties that only a script can set, as lines of that script. */
  readonly script: readonly string[];
}

/** A short idle limit for the demo, so that nobody waits a minute to see it. */
const IDLE_MS = 6000;

/** The server for a question. */
const serverFor = ({ protocol, scenario }: Settings, asked: ScenarioName): ProtocolName =>
  protocol !== 'auto' && protocol !== IN_PAGE ? protocol : SCENARIOS[scenario === 'auto' ? asked : scenario].best;

export function describe(settings: Settings, asked: ScenarioName): Description {
  const { protocol, recognise, mode, theme, density, accent, radius, locale, reasoning, tools, persist, debug } =
    settings;
  const inPage = protocol === IN_PAGE;
  const server = serverFor(settings, asked);
  const named = protocol === 'auto' || inPage || recognise ? '' : server.replace('deepchat-core', 'deepchat-events');
  return {
    attributes: {
      endpoint: inPage ? '' : endpointOf(settings, server),
      protocol: named,
      mode: mode === 'inline' ? '' : mode,
      'color-scheme': theme === 'auto' ? '' : theme,
      density: density === 'comfortable' ? '' : density,
      locale,
      'show-reasoning': reasoning,
      'show-tools': tools,
      persist,
      debug: debug ? 'debug' : '',
    },
    css: {
      '--agent-chat-accent': accent ?? '',
      '--agent-chat-radius': radius === undefined ? '' : `${String(radius)}px`,
    },
    script: [
      ...(inPage ? ['chat.agents = AgentChat.agents.list();'] : []),
      ...(!inPage && WITH_TOOLS.has(server) ? ['chat.tools = [getAppearance, setAccent];'] : []),
      ...(settings.fault === 'stall' ? [`chat.limits = { idle: ${String(IDLE_MS)} };`] : []),
    ],
  };
}

function endpointOf({ scenario, speed, fault }: Settings, server: ProtocolName): string {
  const query = new URLSearchParams({
    ...(scenario !== 'auto' && { scenario }),
    ...(speed !== DEFAULT_CHUNK_DELAY_MS && { speed: String(speed) }),
    ...(fault && { fault }),
  });
  return `${addressOf(server)}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** Applies a description to the element. The element is changed, not replaced, so the conversation continues. */
export function apply(chat: AgentChat, settings: Settings, { attributes, css }: Description): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value) chat.setAttribute(name, value);
    else chat.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(css)) {
    if (value) chat.style.setProperty(name, value);
    else chat.style.removeProperty(name);
  }
  const inPage = settings.protocol === IN_PAGE;
  chat.agents = inPage ? AgentChat.agents.list() : undefined;
  if (!inPage) chat.removeAttribute('agent');
  chat.tools = inPage ? undefined : pageTools;
  chat.limits = settings.fault === 'stall' ? { idle: IDLE_MS } : undefined;
  chat.suggestions = startersOf(settings);
}

const STARTERS: readonly ScenarioName[] = ['answer', 'permission', 'citations', 'rate-limit'];

function startersOf({ protocol, scenario }: Settings): readonly Starter[] {
  if (protocol === IN_PAGE) return ['Write a function that formats an amount', 'How is NWO doing?'];
  const names = scenario === 'auto' ? STARTERS : [scenario];
  return names.map((name) => {
    const { title, ask } = SCENARIOS[name];
    return { label: ask, prompt: ask, description: title };
  });
}
