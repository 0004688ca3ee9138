import { ChatError } from '../../errors.ts';
import { pageBase } from '../page-base.ts';
import { parseUrl } from '../../parse-url.ts';

/** Defines which URLs may receive the page's headers, `body`, `context` and cookies. */
declare const namedByPage: unique symbol;

/**
 * An absolute URL that the host page has set: its endpoint, an agent's endpoint, the `poll` URL, or a manifest that its
 * script loads. Code that adds the page's headers requires this type, so that a URL from a stream, manifest, agent
 * card, storage or import is rejected.
 */
export type PageAddress = Readonly<URL> & { readonly [namedByPage]: true };

/**
 * Marks a URL as set by the page. Only for a setting of the page or an argument of its script; the linter allows the
 * call in few modules.
 *
 * @throws ChatError if the setting is not a valid URL. Without the address, which a browser's own error contains.
 */
export function pageAddress(setting: string, base = pageBase()): PageAddress {
  const url = parseUrl(setting, base);
  if (!url) throw new ChatError('network', 'The endpoint is not a URL.', { reason: 'bad-endpoint' });
  return url as Readonly<URL> as PageAddress;
}

/** Marks a URL as the page's if it is on the same server as one that the page has set. Otherwise returns undefined. */
export function pageAddressOnServer(named: PageAddress, address: string): PageAddress | undefined {
  // Resolve the URL in the same way as the fetch.
  const url = parseUrl(address, pageBase());
  return url && serverOrigin(url) === serverOrigin(named) ? (url as Readonly<URL> as PageAddress) : undefined;
}

/** The origin of a URL. A WebSocket URL has the origin of the corresponding HTTP URL. */
export const serverOrigin = ({ origin, protocol }: Readonly<URL>): string =>
  protocol.startsWith('ws') ? origin.replace(/^ws/, 'http') : origin;
