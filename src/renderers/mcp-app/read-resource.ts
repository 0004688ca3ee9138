/** Reads the HTML resource of an MCP server from a `ui` block. Source: SEP-1865 (MCP Apps), "UI Resource Format". */
import { isRecord } from '../../model/json.ts';
import { ensure, recordOf, z } from '../../model/schema.ts';

const optional = z.optional;
const string = z.catch(optional(z.string()), undefined);

const reference = z.object({
  kind: z.literal('mcp-app'),
  uri: z.string().check(ensure((uri) => uri.startsWith('ui://'))),
  name: string,
  /** The server that has the resource, as the agent identifies it. */
  server: optional(z.object({ id: string, hash: string })),
  /** Set if the agent passes the requests of the app on to the app's server. */
  via: z.catch(optional(z.literal('agent')), undefined),
  /** The arguments and the result of the tool call; both are sent to the app. */
  arguments: optional(recordOf(z.unknown())),
  result: optional(z.unknown()),
});
/** An app of which the agent sent only the address. Its HTML has to be read from the server. */
export type McpAppReference = z.infer<typeof reference>;

const app = z.object({
  ...reference.shape,
  mimeType: z.string().check(ensure((type) => /^text\/html(?:\+mcp|;\s*profile=mcp-app)?$/.test(type))),
  text: z.string(),
});
export type McpApp = z.infer<typeof app>;

/** An app whose HTML is in the block may have any author, so it has no connection through the agent. */
export function toApp(ui: unknown): McpApp | undefined {
  const { data } = app.safeParse(ui);
  return data && { ...data, via: undefined };
}

export const toAppReference = (ui: unknown): McpAppReference | undefined =>
  isRecord(ui) && ui['text'] === undefined ? reference.safeParse(ui).data : undefined;

/** Adds the answer of `resources/read` to a reference. Returns undefined if it has no HTML under the same URI. */
export function toFetchedApp(named: McpAppReference, answer: unknown): McpApp | undefined {
  const contents = isRecord(answer) && Array.isArray(answer['contents']) ? (answer['contents'] as unknown[]) : [];
  const content = contents.filter(isRecord).find(({ uri }) => uri === named.uri);
  if (!content) return undefined;
  const { mimeType, text, blob } = content;
  return toApp({ ...named, mimeType, text: text ?? decode(blob) });
}

function decode(blob: unknown): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(String(blob)), (letter) => letter.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/** Whether two apps are the same resource of the same server. A permission for one must not count for another. */
export const isSameResource = (one: McpAppReference, other: McpAppReference): boolean =>
  one.uri === other.uri && one.server?.id === other.server?.id && one.server?.hash === other.server?.hash;

/** A file name that says nothing about the app. The official example servers all have `mcp-app.html`. */
const COMMON_FILE = /^(?:app|index|main|mcp-?app|ui|view|widget)\.html?$/i;

/** The name of the app, else the last part of its URI that says something about it. */
export function appName({ name, uri }: McpAppReference): string {
  if (name) return name;
  const parts = uri
    .replace('ui://', '')
    .split(/[/?#]+/)
    .filter(Boolean);
  return parts.findLast((part) => !COMMON_FILE.test(part)) ?? parts.at(-1) ?? uri;
}
