/** Finds agents when the URL is not an endpoint: requests the documents of its server, with GET. */
import { candidatesIn, documentsOf, isDocument, type Candidate } from '../src/protocols/discovery.ts';
import { oneLine, shellArgument, shellComment } from './mask.ts';
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
  // Another server gets the headers only if the user names it.
  if (others.length === 0 && isOn(url, first)) {
    print(`${url.href} is no endpoint. Found ${first.url}, by ${oneLine(first.by)}.`);
    return first;
  }
  const lines = found.map((one) => {
    const words = ['agent-chat-element', ...(command === 'open' ? [] : [command]), shellArgument(one.url)];
    if (one.protocol !== undefined) words.push('--protocol', one.protocol);
    return `  ${words.join(' ')}    ${shellComment(`${isOn(url, one) ? '' : 'on another server: '}${one.by}`)}`;
  });
  throw new UsageError(`${url.href} is no endpoint. What was found there:`, { lines });
}

const isOn = ({ origin }: URL, { url }: Candidate): boolean => new URL(url).origin === origin;

/** The addresses that the command can use, of a length that a user can read. */
const isUsable = ({ url }: Candidate): boolean => /^(?:http|ws)s?:/.test(url) && url.length <= 2000;

async function findCandidates(url: URL, headers: Readonly<Record<string, string>>): Promise<readonly Candidate[]> {
  const found = await Promise.all(
    documentsOf(url).map(async (document) => {
      const json = await readDocument(document, headers);
      return json === undefined ? [] : candidatesIn(json, document);
    }),
  );
  return [
    ...new Map(
      found
        .flat()
        .filter(isUsable)
        .map((candidate) => [candidate.url, candidate]),
    ).values(),
  ];
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
