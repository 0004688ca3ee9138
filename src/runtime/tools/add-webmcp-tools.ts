import type { ModelContextHosts } from '../../agents/webmcp-tools.ts';
import type { ChatSettings } from '../chat-settings.ts';

/**
 * Adds the tools that the page has registered with the browser. If a tool of the property `tools` has the same name, it
 * takes precedence.
 */
export async function addWebMcpTools(settings: ChatSettings): Promise<ChatSettings> {
  const { pageTools: allowed, tools: own = [] } = settings;
  if (!allowed) return settings;
  const { listWebMcpTools } = await import('../../agents/webmcp-tools.ts');
  const found = await listWebMcpTools(allowed, { document, navigator } as ModelContextHosts);
  return { ...settings, tools: [...own, ...found.filter(({ name }) => !own.some((tool) => tool.name === name))] };
}
