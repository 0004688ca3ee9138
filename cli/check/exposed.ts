/** Whether a page of another origin sees the response headers that the widget reads. */
import type { IncomingHttpHeaders } from 'node:http';
import { protocols } from '../../src/protocols/registry.ts';
import { detectProtocol } from '../../src/runtime/stream/detect-protocol.ts';
import { oneLine } from '../mask.ts';
import { toHeaders } from '../request.ts';
import type { Reply } from '../turn/ask.ts';
import { ok, warning, type Finding } from './finding.ts';

/** Headers that say when, and whether, a refused request may be sent again. */
const RETRY_HEADERS = ['retry-after', 'retry-after-ms', 'x-should-retry'];
/** Headers by which protocols are detected. */
const PROTOCOL_HEADERS = [
  'content-location',
  'mcp-session-id',
  'x-vercel-ai-data-stream',
  'x-vercel-ai-ui-message-stream',
];

const line = (names: readonly string[]): string => `Access-Control-Expose-Headers: ${names.join(', ')}`;

/** The headers of this answer, of these, that a page of another origin can't see. */
function hiddenOf(headers: IncomingHttpHeaders, names: readonly string[]): readonly string[] {
  const exposed = new Set(
    (headers['access-control-expose-headers'] ?? '').split(',').map((name) => name.trim().toLowerCase()),
  );
  return names.filter((name) => headers[name] !== undefined && !exposed.has(name) && !exposed.has('*'));
}

/** For a refusal. */
export function exposedRetry({ headers }: Pick<Reply, 'headers'>): readonly Finding[] {
  const hidden = hiddenOf(headers, RETRY_HEADERS);
  return hidden.length === 0
    ? []
    : [warning('cors-exposed', `Pages of another origin can't see ${hidden.join(', ')}.`, `Missing: ${line(hidden)}`)];
}

/** For a reply: whether its protocol is recognised without the headers that a page of another origin can't see. */
export async function exposedOf(reply: Reply): Promise<readonly Finding[]> {
  const retry = exposedRetry(reply);
  if (retry.length > 0 || reply.framing === 'messages' || !reply.framing) return retry;
  const hidden = hiddenOf(reply.headers, PROTOCOL_HEADERS);
  if (hidden.length === 0) return [ok('exposed', 'The reply has no header that a page of another origin has to see.')];
  const visible = toHeaders(reply.headers);
  for (const name of hidden) visible.delete(name);
  const { framing, frames, request } = reply;
  const batches = (async function* () {
    await Promise.resolve();
    yield frames;
  })();
  const signals = { url: request.url, headers: visible, quiet: true };
  const found = await detectProtocol({ framing, batches }, signals, protocols.list()).catch(() => undefined);
  if (found?.entry.id === reply.adapter?.id)
    return [ok('exposed', `${oneLine(hidden.join(', '))} need not be exposed: the reply is recognised without.`)];
  const text = `Pages of another origin can't see ${hidden.join(', ')}, and don't recognise the protocol without.`;
  return [warning('cors-exposed', text, `Missing: ${line(hidden)}. Or name the protocol in the page.`)];
}
