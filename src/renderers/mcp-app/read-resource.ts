/** Reads the HTML resource of an MCP server from a `ui` block. Source: SEP-1865 (MCP Apps), "UI Resource Format". */
import { ensure, z } from '../../model/schema.ts';

const optional = z.exactOptional;

const app = z.object({
  kind: z.literal('mcp-app'),
  uri: z.string().check(ensure((uri) => uri.startsWith('ui://'))),
  mimeType: z.string().check(ensure((type) => /^text\/html(?:\+mcp|;\s*profile=mcp-app)?$/.test(type))),
  text: z.string(),
  name: optional(z.string()),
  /** The arguments and the result of the tool call; both are sent to the app. */
  arguments: optional(z.record(z.string(), z.unknown())),
  result: optional(z.unknown()),
});
export type McpApp = z.infer<typeof app>;

export const toApp = (ui: unknown): McpApp | undefined => app.safeParse(ui).data;

/** The name of the app, else the last part of its URI. */
export const appName = ({ name, uri }: McpApp): string => name ?? uri.split(/[/?#]+/).findLast(Boolean) ?? uri;
