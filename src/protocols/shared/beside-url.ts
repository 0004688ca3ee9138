/**
 * The address of something that a server has beside its endpoint: `path` in place of the endpoint's last segments. The query
 * stays, since a proxy may want it.
 *
 * @example
 * besideUrl('https://a.example/v1/chat', 'files/upload') // https://a.example/v1/files/upload
 */
export function besideUrl(endpoint: string, path: string, segments = 1): string {
  const url = new URL(endpoint);
  const kept = url.pathname.replace(/\/+$/, '').split('/').slice(0, -segments);
  url.pathname = [...(kept.length > 0 ? kept : ['']), path].join('/');
  return url.href;
}

/** An address with more in its query; what is undefined is left out. */
export function withQuery(address: string, query: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** An id as one segment of a path. */
export const segment = (id: string): string => encodeURIComponent(id);
