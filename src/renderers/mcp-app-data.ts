/** A page of an MCP server's own, as it stands in a `ui` block. Source: SEP-1865 (MCP Apps), "UI Resource Format". */
import { z } from '../model/schema.ts';

const optional = z.exactOptional;

const app = z.object({
  kind: z.literal('mcp-app'),
  uri: z.string().check(z.startsWith('ui://')),
  mimeType: z.string().check(z.regex(/^text\/html(?:;\s*profile=mcp-app)?$/)),
  text: z.string(),
  name: optional(z.string()),
  /** What the tool was called with, and what it gave: the app is told both. */
  arguments: optional(z.record(z.string(), z.unknown())),
  result: optional(z.unknown()),
});
export type McpApp = z.infer<typeof app>;

export const toApp = (ui: unknown): McpApp | undefined => app.safeParse(ui).data;

/** What the app is called: its own name, else the last part of its address. */
export const nameOf = ({ name, uri }: McpApp): string => name ?? uri.split(/[/?#]+/).findLast(Boolean) ?? uri;
