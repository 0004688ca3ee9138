/**
 * The messages between an MCP App and its host: JSON-RPC 2.0 over `postMessage`. Source: SEP-1865 (MCP Apps),
 * "Communication Protocol". Tools and resources of the server are reached through the page or the agent, if either has
 * a connection (`app-connection.ts`).
 */
import { recordOf, shortText, z } from '../../model/schema.ts';

const MAX_TEXT = 4000;
const MAX_URL = 2048;
export const PROTOCOL_VERSION = '2026-01-26';

const id = z.union([shortText(100), z.number()]);
export type RequestId = z.infer<typeof id>;

const textContent = z.object({ type: z.literal('text'), text: z.string() });
const request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.exactOptional(id),
  method: shortText(100),
  params: z.exactOptional(z.unknown()),
});
const messageParams = z.object({ role: z.literal('user'), content: z.union([textContent, z.array(textContent)]) });
const linkParams = z.object({ url: shortText(MAX_URL) });

const toolParams = z.object({
  name: shortText(200),
  arguments: z.exactOptional(recordOf(z.unknown())),
});
const readParams = z.object({ uri: shortText(MAX_URL) });
const modeParams = z.object({ mode: z.string() });
const contextParams = z.object({
  content: z.exactOptional(z.array(z.unknown())),
  structuredContent: z.exactOptional(recordOf(z.unknown())),
});

/** A request of the app that needs the user's approval. */
export type AppRequest =
  | { readonly kind: 'tool'; readonly id: RequestId; readonly params: z.infer<typeof toolParams> }
  | { readonly kind: 'fullscreen'; readonly id: RequestId }
  | { readonly kind: 'message'; readonly id: RequestId; readonly text: string }
  | { readonly kind: 'link'; readonly id: RequestId; readonly url: string };

export type AppMessage =
  /** The host sends this message to the app, and does nothing else. */
  | { readonly kind: 'answer'; readonly message: object }
  | { readonly kind: 'initialize'; readonly id: RequestId }
  | { readonly kind: 'initialized' }
  | { readonly kind: 'read'; readonly id: RequestId; readonly params: z.infer<typeof readParams> }
  | { readonly kind: 'inline'; readonly id: RequestId }
  | { readonly kind: 'context'; readonly id: RequestId; readonly params: z.infer<typeof contextParams> }
  | AppRequest;

export const rpcResult = (id: RequestId, result: object): object => ({ jsonrpc: '2.0', id, result });
export const rpcNotification = (method: string, params: object): object => ({ jsonrpc: '2.0', method, params });
export const appRpcError = (id: RequestId, message: string, code = -32_000): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

export const unsupported = (id: RequestId, method: string): object =>
  appRpcError(id, `This chat does not do ${method}.`, -32_601);

/** Parses a message of an app, which is plain JSON (`sandboxed-frame.ts`). Undefined if it is invalid, or a notification that the host does not need. */
export function parseAppMessage(data: unknown): AppMessage | undefined {
  const { data: message } = request.safeParse(data);
  if (message?.method === 'ui/notifications/initialized') return { kind: 'initialized' };
  // Other notifications report a size, which the host measures itself, or logs, which it does not show.
  if (message?.id === undefined) return undefined;
  const { id, method, params } = message;
  const invalid = { kind: 'answer', message: appRpcError(id, 'The parameters can’t be read.', -32_602) } as const;
  switch (method) {
    case 'ui/initialize':
      return { kind: 'initialize', id };
    case 'ping':
      return { kind: 'answer', message: rpcResult(id, {}) };
    case 'ui/request-display-mode': {
      const { data: parsed } = modeParams.safeParse(params);
      return parsed ? { kind: parsed.mode === 'fullscreen' ? 'fullscreen' : 'inline', id } : invalid;
    }
    case 'tools/call': {
      const { data: parsed } = toolParams.safeParse(params);
      return parsed ? { kind: 'tool', id, params: parsed } : invalid;
    }
    case 'resources/read': {
      const { data: parsed } = readParams.safeParse(params);
      return parsed ? { kind: 'read', id, params: parsed } : invalid;
    }
    case 'ui/update-model-context': {
      const { data: parsed } = contextParams.safeParse(params);
      return parsed ? { kind: 'context', id, params: parsed } : invalid;
    }
    case 'ui/message': {
      const { data: parsed } = messageParams.safeParse(params);
      const text =
        parsed &&
        [parsed.content]
          .flat()
          .map((item) => item.text)
          .join('\n')
          .trim();
      return text && text.length <= MAX_TEXT ? { kind: 'message', id, text } : invalid;
    }
    case 'ui/open-link': {
      const { data: parsed } = linkParams.safeParse(params);
      return parsed ? { kind: 'link', id, url: parsed.url } : invalid;
    }
    default:
      return { kind: 'answer', message: unsupported(id, method) };
  }
}
