/** Finds agents when the URL is not an endpoint: requests the documents of its server, with GET. */
import { candidatesIn, documentsOf, isDocument, type Candidate } from '../src/protocols/discovery.ts';
import { UsageError, type Options } from './options.ts';
import { readStart, send } from './request.ts';

/** The endpoint to use instead of a URL that is not one. Undefined if none was found. */
export async function chooseEndpoint(
  url: URL,
  { command, headers, protocol, mapping }: Options,
  print: (text: string) => void,
): Promise<Candidate | undefined> {
  const isNamed = protocol !== undefined || mapping !== undefined;
  if (url.protocol.startsWith('ws') || isNamed || !isDocument(url)) return undefined;
  const found = await findCandidates(url, headers);
  const [first, ...others] = found;
  if (!first) return undefined;
  if (others.length === 0) {
    print(`${url.href} is no endpoint. Found ${first.url}, by ${first.by}.`);
    return first;
  }
  const commands = found.map(
    (one) =>
      `  agent-chat-element ${command === 'open' ? '' : `${command} `}${one.url}${one.protocol === undefined ? '' : ` --protocol ${one.protocol}`}    # ${one.by}`,
  );
  throw new UsageError(`${url.href} is no endpoint. What was found there:\n${commands.join('\n')}`);
}

async function findCandidates(url: URL, headers: Readonly<Record<string, string>>): Promise<readonly Candidate[]> {
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
