/** Endpoints whose agent was found at another address of their server (`discover-endpoint.ts`). */
import type { ChatSettings } from '../chat-settings.ts';
import type { PageAddress } from './page-address.ts';

export interface FoundEndpoint {
  readonly url: PageAddress;
  /** Its protocol, if the document that named it says so. */
  readonly protocol: string | undefined;
}

/** By the endpoint that the page has set; for the life of the page. */
const found = new Map<string, FoundEndpoint>();

const isAuto = ({ protocol = 'auto' }: ChatSettings): boolean => protocol === 'auto';

export const foundEndpoint = (settings: ChatSettings): FoundEndpoint | undefined =>
  isAuto(settings) ? found.get(settings.endpoint ?? '') : undefined;

export function rememberEndpoint({ endpoint = '' }: ChatSettings, address: FoundEndpoint): void {
  found.set(endpoint, address);
}

/** Thrown when the request was refused, and has to be sent to the address that was found. */
export class EndpointFound extends Error {}
