import { parseUrl } from '../parse-url.ts';

/** A space-separated list of hosts: `cdn.example.com *.example.org self *`. Source: `docs/security.md`. */
export type HostList = string;

/** Whether the host of a web address is in the list. `self` matches the page's own origin, `*` any host. */
export function isListed(url: URL, hosts: HostList, origin: string): boolean {
  // The address of a file, say, has the origin `null`, which is also that of a page that is a file.
  if (!isWeb(url)) return false;
  return hosts.split(/\s+/).some((entry) => {
    if (entry === '*') return true;
    if (entry === 'self') return url.origin === origin;
    const isWildcard = entry.startsWith('*.');
    const listed = parseUrl(`${url.protocol}//${isWildcard ? entry.slice(2) : entry}`);
    return (
      !!listed &&
      // An address with a path or a user name is no host.
      !/[/?#@\\]/.test(entry) &&
      // Without a port, any port of the host is meant.
      (!/:\d+$/.test(entry) || listed.port === url.port) &&
      (isWildcard ? url.hostname.endsWith(`.${listed.hostname}`) : url.hostname === listed.hostname)
    );
  });
}

export const isWeb = (url: URL | undefined): boolean => url?.protocol === 'https:' || url?.protocol === 'http:';
