/** A space-separated list of hosts: `cdn.example.com *.example.org self *`. Source: `docs/security.md`. */
export type HostList = string;

/** Whether a URL's host is in the list. `self` matches the page's own origin, `*` any host. */
export function isListed(url: URL, hosts: HostList, origin: string): boolean {
  return hosts.split(/\s+/).some((entry) => {
    if (entry === '') return false;
    if (entry === '*') return true;
    if (entry === 'self') return url.origin === origin;
    const host = entry.toLowerCase();
    return host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.host === host || url.hostname === host;
  });
}
