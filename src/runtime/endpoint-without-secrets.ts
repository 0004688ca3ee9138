import { maskSecrets } from '../safety/secrets.ts';
import { pageBase } from './page-base.ts';

const SECRET_NAMES = /key|token|secret|auth|sig|pass|session|code/i;

/** The endpoint without query parameters that may be credentials. Identifies the endpoint in storage and in approvals. */
export function endpointWithoutSecrets(endpoint: string | undefined): string {
  if (endpoint === undefined || endpoint === '') return '';
  const url = URL.parse(endpoint, pageBase());
  if (!url) return '';
  for (const name of new Set(url.searchParams.keys())) {
    if (SECRET_NAMES.test(name)) url.searchParams.delete(name);
  }
  url.searchParams.sort();
  return maskSecrets(`${url.origin}${url.pathname}${url.search}`);
}
