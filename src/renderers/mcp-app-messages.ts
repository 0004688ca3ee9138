/**
 * What an MCP App says to its host, JSON-RPC 2.0 in messages of its window. Source: SEP-1865 (MCP Apps), "Communication
 * Protocol". Tools and resources of the server are not within reach of this chat: a request for them is refused.
 */
import { z } from '../model/schema.ts';

const MAX_TEXT = 4000;
const MAX_URL = 2048;
export const PROTOCOL_VERSION = '2026-01-26';

const id = z.union([z.string().check(z.maxLength(100)), z.number()]);
export type RequestId = z.infer<typeof id>;

const words = z.object({ type: z.literal('text'), text: z.string() });
const request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.exactOptional(id),
  method: z.string().check(z.maxLength(100)),
  params: z.exactOptional(z.unknown()),
});
const messageParams = z.object({ role: z.literal('user'), content: z.union([words, z.array(words)]) });
const linkParams = z.object({ url: z.string().check(z.maxLength(MAX_URL)) });

/** What the reader is asked. */
export type Wish =
  | { readonly kind: 'message'; readonly id: RequestId; readonly text: string }
  | { readonly kind: 'link'; readonly id: RequestId; readonly url: string };

export type Heard =
  | { readonly kind: 'answer'; readonly message: object }
  | { readonly kind: 'initialize'; readonly id: RequestId }
  | { readonly kind: 'initialized' }
  | Wish;

export const answer = (id: RequestId, result: object): object => ({ jsonrpc: '2.0', id, result });
export const notify = (method: string, params: object): object => ({ jsonrpc: '2.0', method, params });
export const refuse = (id: RequestId, message: string, code = -32_000): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** A message as far as it is believed; undefined for one that wants nothing, or is none. */
export function hear(data: unknown): Heard | undefined {
  const { data: message } = request.safeParse(data);
  if (message?.method === 'ui/notifications/initialized') return { kind: 'initialized' };
  // Sizes are measured from outside, logs have no reader here.
  if (message?.id === undefined) return undefined;
  const { id, method, params } = message;
  const invalid = { kind: 'answer', message: refuse(id, 'The parameters can’t be read.', -32_602) } as const;
  switch (method) {
    case 'ui/initialize':
      return { kind: 'initialize', id };
    case 'ping':
      return { kind: 'answer', message: answer(id, {}) };
    case 'ui/request-display-mode':
      return { kind: 'answer', message: answer(id, { mode: 'inline' }) };
    case 'ui/message': {
      const { data: given } = messageParams.safeParse(params);
      const text =
        given &&
        [given.content]
          .flat()
          .map((item) => item.text)
          .join('\n')
          .trim();
      return text && text.length <= MAX_TEXT ? { kind: 'message', id, text } : invalid;
    }
    case 'ui/open-link': {
      const { data: given } = linkParams.safeParse(params);
      return given ? { kind: 'link', id, url: given.url } : invalid;
    }
    default:
      return { kind: 'answer', message: refuse(id, `This chat does not do ${method}.`, -32_601) };
  }
}
