/** Agents described by a document: a list of agents, the card of one agent, or the apps of an ADK server. Source: `docs/protocols/a2a.md`. */
import { ChatError } from '../errors.ts';
import type { AgentDescriptor } from '../model/agent.ts';
import { z } from '../model/schema.ts';
import { withoutQuery } from '../model/without-query.ts';
import { parseUrl } from '../parse-url.ts';

const string = z.catch(z.optional(z.string()), undefined);

const listed = z.looseObject({
  id: z.string(),
  name: string,
  description: string,
  endpoint: string,
  url: string,
  protocol: string,
  avatar: string,
  icon: string,
});
const card = z.looseObject({
  name: z.string(),
  description: string,
  url: string,
  supportedInterfaces: z.catch(z.optional(z.array(z.unknown())), undefined),
  iconUrl: string,
});

const adkApp = z.object({ name: z.string(), description: string });
interface AdkApp {
  readonly name: string;
  readonly description?: string | undefined;
}

/** Number of entries that are read: the list of agents has a place for each. */
const MAX_AGENTS = 1000;

/** An agent from a document. Its address is not set by the page: it must be checked before anything is sent there. */
export interface ManifestAgent extends Omit<AgentDescriptor, 'endpoint' | 'discovered'> {
  readonly address: URL;
}

/**
 * Reads the agents of a manifest: `{agents: […]}`, a list, an A2A card, or the answer of `/list-apps`. Addresses are relative to the document; an
 * entry without an address is skipped, and so is all after the first `MAX_AGENTS` entries.
 *
 * @throws ChatError of kind `protocol` when the document is neither a list nor a card.
 */
export function parseAgentManifest(document: unknown, url: string): readonly ManifestAgent[] {
  const apps = adkApps(document, url);
  if (apps) return apps;
  const list = Array.isArray(document) ? (document as unknown[]) : listIn(document);
  if (list) return list.slice(0, MAX_AGENTS).flatMap((entry) => toDescriptor(entry, url));
  const parsedCard = card.safeParse(document);
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
        ...iconAt(iconUrl, url),
      },
    ];
  }
  throw new ChatError('protocol', `${withoutQuery(url)} is neither a list of agents nor an agent's card.`, {
    reason: 'no-agents',
  });
}

/** Names that browsers, or a server that decodes twice, would take for another path. An app is the name of a folder. */
const OTHER_PATH = /^\.?$|\.\.|[/\\%]/;

/** The apps of a server of Google's Agent Development Kit (ADK), by name or with details. Source: `google/adk-python`, `cli/api_server.py`, `/list-apps`. */
function adkApps(document: unknown, url: string): readonly ManifestAgent[] | undefined {
  if (!/\/list-apps\/?$/.test(new URL(url).pathname)) return undefined;
  const parsed = z.union([z.array(z.string()), z.object({ apps: z.array(adkApp) })]).safeParse(document);
  if (!parsed.success) return undefined;
  const apps: readonly AdkApp[] = Array.isArray(parsed.data) ? parsed.data.map((name) => ({ name })) : parsed.data.apps;
  return apps
    .slice(0, MAX_AGENTS)
    .filter(({ name }) => !OTHER_PATH.test(name))
    .map(({ name, description }) => ({
      id: name,
      name,
      address: new URL(`apps/${encodeURIComponent(name)}`, url),
      protocol: 'adk',
      ...(description !== undefined && { description }),
    }));
}

function listIn(document: unknown): readonly unknown[] | undefined {
  const result = z.looseObject({ agents: z.array(z.unknown()) }).safeParse(document);
  return result.success ? result.data.agents : undefined;
}

function toDescriptor(entry: unknown, url: string): readonly ManifestAgent[] {
  const result = listed.safeParse(entry);
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
      ...iconAt(icon, url),
    },
  ];
}

function iconAt(icon: string | undefined, url: string): Pick<ManifestAgent, 'avatar'> {
  const address = icon === undefined ? undefined : parseUrl(icon, url);
  return address ? { avatar: address.href } : {};
}
