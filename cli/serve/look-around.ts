/** Finds agents when the URL is not an endpoint: requests the documents of its server, with GET. */
import { candidatesIn, documentsOf, type Candidate } from '../../src/protocols/discovery.ts';
import { readStart, send } from '../request.ts';

export async function lookAround(url: URL, headers: Readonly<Record<string, string>>): Promise<readonly Candidate[]> {
  const found = await Promise.all(
    documentsOf(url).map(async (document) => {
      const json = await readDocument(document, headers);
      return json === undefined ? [] : candidatesIn(json, document);
    }),
  );
  return [...new Map(found.flat().map((candidate) => [candidate.url, candidate])).values()];
}
/** Maximum length of a discovery document. */
const LONGEST = 4_000_000;

async function readDocument(url: URL, headers: Readonly<Record<string, string>>): Promise<unknown> {
  try {
    const { status, body } = await send(url, {
      headers: { accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(5000),
    });
    const text = await readStart(body, LONGEST);
    body.destroy();
    return status === 200 ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    // The server has no such document.
    return undefined;
  }
}
