/** The recorded streams of a repository, and why its other responses are skipped. */
import { readerOf } from '../expected/expect.ts';
import type { Exchange, Recording } from '../recording.ts';
import { isText } from './body.ts';
import type { StoredFile } from './clones.ts';
import { readExchanges } from './exchanges.ts';
import type { Repository } from './repositories.ts';

export interface RecordingsOf {
  readonly recordings: readonly Recording[];
  /** The number of skipped responses for each reason. */
  readonly skipped: ReadonlyMap<string, number>;
}

export function recordingsOf(repository: Repository, files: readonly StoredFile[]): RecordingsOf {
  const skipped = new Map<string, number>();
  const recordings: Recording[] = [];
  for (const { name, bytes } of files) {
    const isLines = repository.lines?.test(name) === true;
    if (!isLines && !mayStream(bytes)) continue;
    const exchanges = isLines ? linesAsExchanges(bytes) : readExchanges(name, bytes);
    for (const [index, exchange] of exchanges.entries()) {
      const recording = toRecording(repository, name, index, exchange);
      const reason = skipReason(recording);
      if (reason === undefined) recordings.push(recording);
      else skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    }
  }
  return { recordings, skipped };
}

/** Parsing is slow, and most files have complete documents only. */
const mayStream = (bytes: Uint8Array): boolean =>
  /event-?stream|ndjson|jsonl|streamGenerateContent|data:|event:|"done":/i.test(Buffer.from(bytes).toString('latin1'));

/** Some files have the replies of several requests, one after the other. */
function linesAsExchanges(bytes: Uint8Array): readonly Exchange[] {
  const lines = new TextDecoder().decode(bytes).split('\n');
  const events = lines.flatMap((line) => (line.trim() === '' ? [] : [`data: ${line}\n\n`]));
  const starts = events.flatMap((_event, index) => {
    const isFirst = index === 0 || /"type":"(?:message_stop|response\.completed)"/.test(events[index - 1] ?? '');
    return isFirst ? [index] : [];
  });
  return starts.map((start, index) => ({
    address: '',
    status: 200,
    headers: new Map(),
    body: new TextEncoder().encode(events.slice(start, starts[index + 1]).join('')),
  }));
}

/** Without parameters, which contain keys, and encrypted, because the widget refuses other servers without TLS. */
function toRecording(repository: Repository, file: string, index: number, exchange: Exchange): Recording {
  const named = repository.addresses?.find(([pattern]) => pattern.test(file))?.[1] ?? '';
  const address = exchange.address === '' ? named : exchange.address;
  const url = URL.canParse(address, 'https://api.example') ? new URL(address, 'https://api.example') : undefined;
  const { status, headers, body } = exchange;
  return {
    repository: repository.name,
    file,
    index,
    url: new URL(`https://${url?.host ?? 'api.example'}${url?.pathname ?? ''}`),
    status,
    contentType: headers.get('content-type') ?? '',
    body,
  };
}

/** Why a response is not compared; undefined if it is. */
function skipReason({ url, status, contentType, body }: Recording): string | undefined {
  if (!readerOf(url)) return 'not the address of a chat';
  if (status < 200 || status > 299) return 'refused with a status';
  if (body.length === 0) return 'empty';
  if (!isText(body)) return 'binary: an event stream of AWS, or an incomplete compressed body';
  return isStream(contentType, body) ? undefined : 'a complete document instead of a stream';
}

function isStream(contentType: string, body: Uint8Array): boolean {
  const start = new TextDecoder().decode(body.subarray(0, 2000));
  if (/^\s*(?:data|event|id|retry|error)?:/.test(start)) return true;
  return /ndjson|jsonl/.test(contentType) || /^\{.*\}\r?\n\{/.test(start) || /^\[\s*\{/.test(start);
}
