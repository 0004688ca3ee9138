import { parseAgentManifest, type ManifestAgent } from '../../agents/manifest.ts';
import { ChatError } from '../../errors.ts';
import type { AgentDescriptor } from '../../model/agent.ts';
import { isReservedName } from '../../model/reserved-names.ts';
import { withoutQuery } from '../../model/without-query.ts';
import { imageLoading, refuseMedia } from '../../safety/media-policy.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { sendSideRequest } from '../request/side-request.ts';
import { defaultLimits } from '../limits.ts';
import { MAX_TIMER_MS } from '../timeout.ts';
import { pageBase } from '../page-base.ts';
import { markDiscovered } from './discovered-agents.ts';
import { pageAddress, serverOrigin, type PageAddress } from '../request/page-address.ts';
import type { ChatSettings } from '../chat-settings.ts';

export { stillNamed } from './discovered-agents.ts';

/** The settings of the chat, and the hosts whose images load without a press. */
export interface DiscoverySettings extends ChatSettings {
  readonly imageHosts?: string | undefined;
}

/**
 * Reads the agents of a manifest or an agent card. The request is made like a turn, with the page's headers and hooks.
 * An agent on a server that the page has not set is rejected: requests to it would carry the page's headers.
 *
 * @param url - set by the page
 * @throws ChatError if the document can't be read, or contains no usable agent.
 */
export async function discoverAgents(
  url: PageAddress,
  settings: DiscoverySettings,
): Promise<readonly AgentDescriptor[]> {
  const limits = { ...defaultLimits, ...settings.limits };
  const context = { url: url.href, protocol: undefined, conversation: [], threadId: settings.threadId ?? '' };
  const { json } = await sendSideRequest(
    { url: url.href, init: { method: 'GET', headers: { accept: 'application/json' } } },
    { settings, context, endpoint: url, limits, signal: AbortSignal.timeout(Math.min(limits.idle, MAX_TIMER_MS)) },
  );
  // Without an id of its own, an agent could answer for another one, or for the page's endpoint.
  const found = parseAgentManifest(json, url.href).filter(
    ({ id }, index, all) =>
      id !== '' && id.length <= limits.nameLength && all.findIndex((other) => other.id === id) === index,
  );
  const servers = trustedServers(url, settings);
  const usable = found.filter(({ id, address }) => servers.has(serverOrigin(address)) && !isOtherAddress(id, address));
  const refused = found.filter((agent) => !usable.includes(agent));
  for (const { address } of refused) settings.report?.({ sink: 'agent', url: address.href, reason: 'foreign-server' });
  const [first] = refused;
  if (first && usable.length === 0) {
    throw new ChatError(
      'protocol',
      `${withoutQuery(url.href)} names agents on another server: ${first.address.href}. Add them to "agents" yourself if the page trusts them.`,
      { reason: 'foreign-agent', values: { url: first.address.href } },
    );
  }
  const agents = usable.map((agent) => toDescriptor(agent, settings));
  markDiscovered(agents, settings.endpoint);
  return agents;
}

/** An id that is the address of another server would pass for the endpoint there, whose address is the author id of its messages. */
const isOtherAddress = (id: string, address: URL): boolean =>
  URL.canParse(id) && new URL(id).host !== '' && new URL(id).origin !== serverOrigin(address);

/** The servers of the manifest, of the endpoint, and of the agents that the page lists. */
function trustedServers(manifest: PageAddress, { endpoint, agents = [] }: ChatSettings): ReadonlySet<string> {
  const listed = agents.flatMap((agent) => ('endpoint' in agent && !agent.discovered ? [agent.endpoint] : []));
  const addresses = [...(endpoint ? [endpoint] : []), ...listed].filter((address) => URL.canParse(address, pageBase()));
  return new Set([manifest, ...addresses.map((address) => pageAddress(address))].map(serverOrigin));
}

/** What is kept of an agent's own text (UTF-16 code units): a list of a thousand agents shows and compares all of it. */
const MAX_NAME = 200;
const MAX_DESCRIPTION = 2000;

/** A name that looks like the user's or the widget's is marked as an agent's, as in a stream. */
const nameOf = (ownName: string): string => {
  const name = withoutInvisible(ownName.slice(0, MAX_NAME));
  return isReservedName(name) ? `${name} (agent)` : name;
};

function toDescriptor(
  { address, avatar, ...fields }: ManifestAgent,
  { report, imageHosts = '' }: DiscoverySettings,
): AgentDescriptor {
  const refusal = avatar === undefined ? undefined : refuseMedia({ kind: 'image', url: avatar });
  const needsPress = avatar !== undefined && !imageLoading(avatar, imageHosts).now;
  const reason = refusal ?? (needsPress ? 'host' : undefined);
  if (reason !== undefined) report?.({ sink: 'image', ...(avatar !== undefined && { url: avatar }), reason });
  return {
    ...fields,
    name: nameOf(fields.name),
    ...(fields.description !== undefined && { description: fields.description.slice(0, MAX_DESCRIPTION) }),
    endpoint: address.href,
    ...(avatar !== undefined && refusal === undefined && { avatar }),
    discovered: true,
  };
}
