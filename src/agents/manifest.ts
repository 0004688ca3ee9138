/**
 * Reads the agents that a JSON document describes: a list of agents, the A2A card of one agent, or the apps of an ADK server.
 * Source: `docs/protocols/a2a.md`.
 */
import { ChatError } from '../errors.ts';
import type { AgentDescriptor } from '../model/agent.ts';
import { z } from '../model/schema.ts';
import { withoutQuery } from '../model/without-query.ts';
import { parseUrl } from '../parse-url.ts';

/** An optional string. A value of another type counts as missing, so that it does not invalidate the agent. */
const optionalString = z.catch(z.optional(z.string()), undefined);

/** An agent in a list. */
const listEntry = z.looseObject({
  id: z.string(),
  name: optionalString,
  description: optionalString,
  endpoint: optionalString,
  url: optionalString,
  protocol: optionalString,
  avatar: optionalString,
  icon: optionalString,
});
/** Source: A2A specification, `AgentCard`. */
const agentCard = z.looseObject({
  name: z.string(),
  description: optionalString,
  url: optionalString,
  supportedInterfaces: z.catch(z.optional(z.array(z.unknown())), undefined),
  iconUrl: optionalString,
});

const adkApp = z.object({ name: z.string(), description: optionalString });
interface AdkApp {
  readonly name: string;
  readonly description?: string | undefined;
}

/** Maximum number of agents that are read from a document, because the agent picker gets an entry for each. */
const MAX_AGENTS = 1000;

/** An agent from a document. The document, not the host page, sets its address: callers must check it before they send anything there. */
export interface ManifestAgent extends Omit<AgentDescriptor, 'endpoint' | 'discovered'> {
  readonly address: URL;
}

/**
 * Returns the agents of a document: `{agents: […]}`, a list, an A2A card, or the response of `/list-apps`. Invalid entries and entries
 * without an address are skipped. Entries after the first `MAX_AGENTS` are ignored.
 *
 * @param url - the URL of the document. The addresses in the document are relative to it
 * @throws ChatError of kind `protocol` when the document is neither a list nor a card
 */
export function parseAgentManifest(document: unknown, url: string): readonly ManifestAgent[] {
  const apps = adkApps(document, url);
  if (apps) return apps;
  const list = Array.isArray(document) ? (document as unknown[]) : agentList(document);
  if (list) return list.slice(0, MAX_AGENTS).flatMap((entry) => agentsFromEntry(entry, url));
  const parsedCard = agentCard.safeParse(document);
  if (parsedCard.success && (parsedCard.data.url !== undefined || parsedCard.data.supportedInterfaces)) {
    const { name, description, iconUrl } = parsedCard.data;
    return [
      {
        id: name,
        name,
        // The address of the card itself: the adapter selects the interface that it supports.
        address: new URL(url),
        protocol: 'a2a',
        ...(description !== undefined && { description }),
        ...avatarField(iconUrl, url),
      },
    ];
  }
  throw new ChatError('protocol', `${withoutQuery(url)} is neither a list of agents nor an agent's card.`, {
    reason: 'no-agents',
  });
}

/** Names that would change the path of the URL, in a browser or on a server that decodes it twice. An app name is a folder name. */
const UNSAFE_APP_NAME = /^\.?$|\.\.|[/\\%]/;

/**
 * Returns the apps of a server of Google's Agent Development Kit (ADK), which lists either names or objects. Undefined if the document
 * is no such list. Source: `google/adk-python`, `cli/api_server.py`, `/list-apps`.
 */
function adkApps(document: unknown, url: string): readonly ManifestAgent[] | undefined {
  if (!/\/list-apps\/?$/.test(new URL(url).pathname)) return undefined;
  const parsed = z.union([z.array(z.string()), z.object({ apps: z.array(adkApp) })]).safeParse(document);
  if (!parsed.success) return undefined;
  const apps: readonly AdkApp[] = Array.isArray(parsed.data) ? parsed.data.map((name) => ({ name })) : parsed.data.apps;
  return apps
    .slice(0, MAX_AGENTS)
    .filter(({ name }) => !UNSAFE_APP_NAME.test(name))
    .map(({ name, description }) => ({
      id: name,
      name,
      address: new URL(`apps/${encodeURIComponent(name)}`, url),
      protocol: 'adk',
      ...(description !== undefined && { description }),
    }));
}

/** The list in `{agents: […]}`. */
function agentList(document: unknown): readonly unknown[] | undefined {
  const result = z.looseObject({ agents: z.array(z.unknown()) }).safeParse(document);
  return result.success ? result.data.agents : undefined;
}

/** Returns the agent of a list entry, or an empty list if the entry is invalid or has no address. */
function agentsFromEntry(entry: unknown, url: string): readonly ManifestAgent[] {
  const result = listEntry.safeParse(entry);
  if (!result.success) return [];
  const { id, name, description, endpoint, url: address = endpoint, protocol, avatar, icon = avatar } = result.data;
  if (address === undefined || !URL.canParse(address, url)) return [];
  return [
    {
      id,
      name: name ?? id,
      address: new URL(address, url),
      ...(description !== undefined && { description }),
      ...(protocol !== undefined && { protocol }),
      ...avatarField(icon, url),
    },
  ];
}

function avatarField(icon: string | undefined, url: string): Pick<ManifestAgent, 'avatar'> {
  const address = icon === undefined ? undefined : parseUrl(icon, url);
  return address ? { avatar: address.href } : {};
}
