/** The agents that a document tells of: a list of ours, or the card of one agent. Source: the contract, `discoverAgents`; `a2a.md`. */
import { ChatError } from '../errors.ts';
import type { AgentDescriptor } from '../model/agent.ts';
import { z } from '../model/schema.ts';

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

/**
 * The agents of a manifest: `{agents: […]}`, a list, or an A2A card. Addresses are relative to the document's own; an entry
 * without an address is left out.
 *
 * @throws ChatError of kind `protocol` when the document is neither.
 */
export function agentsOf(document: unknown, url: string): readonly AgentDescriptor[] {
  const list = Array.isArray(document) ? (document as unknown[]) : listIn(document);
  if (list) return list.flatMap((entry) => descriptorOf(entry, url));
  const found = card.safeParse(document);
  if (found.success && (found.data.url !== undefined || found.data.supportedInterfaces)) {
    const { name, description, iconUrl } = found.data;
    return [
      {
        id: name,
        name,
        // The card itself: its adapter picks the interface that it can speak.
        endpoint: url,
        protocol: 'a2a',
        ...(description !== undefined && { description }),
        ...(iconUrl !== undefined && { avatar: iconUrl }),
      },
    ];
  }
  throw new ChatError('protocol', `${url} is neither a list of agents nor an agent's card.`, { reason: 'no-agents' });
}

function listIn(document: unknown): readonly unknown[] | undefined {
  const result = z.looseObject({ agents: z.array(z.unknown()) }).safeParse(document);
  return result.success ? result.data.agents : undefined;
}

function descriptorOf(entry: unknown, url: string): readonly AgentDescriptor[] {
  const result = listed.safeParse(entry);
  if (!result.success) return [];
  const { id, name, description, endpoint, url: address = endpoint, protocol, avatar, icon = avatar } = result.data;
  if (address === undefined || !URL.canParse(address, url)) return [];
  return [
    {
      id,
      name: name ?? id,
      endpoint: new URL(address, url).href,
      ...(description !== undefined && { description }),
      ...(protocol !== undefined && { protocol }),
      ...(icon !== undefined && { avatar: new URL(icon, url).href }),
    },
  ];
}
