/**
 * Looks for the agent of an address that is not an endpoint, after its first request was refused: reads the document at
 * this address, or those of a server's root.
 */
import { candidatesIn, documentsOf, onlyCandidate, type Candidate } from '../../protocols/discovery.ts';
import type { ExchangeOptions } from './send-adapter-request.ts';
import type { FoundEndpoint } from './found-endpoint.ts';
import { pageAddressOnServer } from './page-address.ts';
import { sendSideRequest } from './side-request.ts';

/** Longest wait for a document in milliseconds. */
const DOCUMENT_MS = 5000;

export interface Discovery {
  readonly candidates: readonly Candidate[];
  /** The only candidate, if it is on the server of the endpoint. */
  readonly found: FoundEndpoint | undefined;
}

export async function discoverEndpoint(options: ExchangeOptions): Promise<Discovery> {
  const { url } = options;
  const documents = documentsOf(new URL(url.href));
  const named = (await Promise.all(documents.map((document) => readCandidates(document, options)))).flat();
  const byUrl = new Map(named.map((candidate) => [candidate.url, candidate]));
  const candidates = [...byUrl.values()].filter((candidate) => candidate.url !== url.href || candidate.protocol);
  const only = onlyCandidate(candidates);
  const address = only && pageAddressOnServer(url, only.url);
  return { candidates, found: address && { url: address, protocol: only.protocol } };
}

async function readCandidates(
  document: URL,
  { settings, limits, turn, url, signal, trace }: ExchangeOptions,
): Promise<readonly Candidate[]> {
  const context = { url: url.href, protocol: undefined, conversation: turn.messages, threadId: turn.threadId };
  try {
    const { json } = await sendSideRequest(
      { url: document.href, init: { method: 'GET', headers: { accept: 'application/json' } } },
      {
        settings,
        context,
        endpoint: url,
        limits,
        signal: AbortSignal.any([signal, AbortSignal.timeout(DOCUMENT_MS)]),
        trace,
      },
    );
    return json === undefined ? [] : candidatesIn(json, document);
  } catch {
    // The server has no such document, or the turn was stopped, which the caller checks.
    return [];
  }
}
