import { agentsOf } from '../agents/manifest.ts';
import type { AgentDescriptor } from '../model/agent.ts';
import { askBeside } from './ask-beside.ts';
import { defaultLimits } from './limits.ts';
import type { ChatSettings } from './settings.ts';

/**
 * Reads the agents of a manifest or of an agent's card, asked for as a turn is, with the page's headers and hooks.
 *
 * @throws ChatError when it can't be read, or tells of no agents.
 */
export async function discoverAgents({ href: url }: URL, settings: ChatSettings): Promise<readonly AgentDescriptor[]> {
  const limits = { ...defaultLimits, ...settings.limits };
  const context = { url, protocol: undefined, conversation: [], threadId: settings.threadId ?? '' };
  const { json } = await askBeside(
    { url, init: { method: 'GET', headers: { accept: 'application/json' } } },
    { settings, context, limits, signal: AbortSignal.timeout(limits.idle) },
  );
  return agentsOf(json, url);
}
