import { agentsOf } from '../agents/manifest.ts';
import { ChatError } from '../errors.ts';
import type { AgentDescriptor } from '../model/agent.ts';
import { defaultLimits } from './limits.ts';
import { parseJson } from '../model/json.ts';
import { sendRequest } from './send-request.ts';
import type { ChatSettings } from './settings.ts';
import { within } from './within.ts';

/**
 * Reads the agents of a manifest or of an agent's card, asked for as a turn is, with the page's headers and hooks.
 *
 * @throws ChatError when it can't be read, or tells of no agents.
 */
export async function discoverAgents(url: URL, settings: ChatSettings): Promise<readonly AgentDescriptor[]> {
  const limits = { ...defaultLimits, ...settings.limits };
  const context = { url: url.href, protocol: undefined, conversation: [], threadId: settings.threadId ?? '' };
  const answered = await sendRequest({
    settings: { ...settings, body: undefined },
    context,
    limits,
    signal: AbortSignal.timeout(limits.idle),
    build: () => Promise.resolve({ url: url.href, init: { method: 'GET', headers: { accept: 'application/json' } } }),
  });
  if (!answered || 'socket' in answered) {
    throw new ChatError('protocol', `${url.href} is the address of a socket.`, { reason: 'no-agents' });
  }
  return agentsOf(parseJson(await within(answered.response.text(), limits.idle, true)), url.href);
}
