import { pageTools, type ModelContextHost } from '../agents/page-tools.ts';
import type { ChatSettings } from './settings.ts';

/** The settings with the tools that the page has registered with the browser by now; its own of a name come first. */
export async function withPageTools(settings: ChatSettings): Promise<ChatSettings> {
  const { pageTools: allowed, tools: own = [] } = settings;
  if (!allowed) return settings;
  const found = await pageTools(allowed, navigator as ModelContextHost);
  return { ...settings, tools: [...own, ...found.filter(({ name }) => !own.some((tool) => tool.name === name))] };
}
