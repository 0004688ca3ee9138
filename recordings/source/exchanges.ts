/** Finds recorded responses in the files of test tools: VCR in several languages, Nock, HAR, httpmock, httprr. */
import { parseAllDocuments, type ScalarTag } from 'yaml';
import type { Exchange } from '../recording.ts';
import { at, fieldsOf, firstText, isFields, parseJson, textOf } from '../json.ts';
import { decompress, readBody, readHeaders } from './body.ts';
import { readHttprr } from './httprr.ts';

/** Ruby marks binary text with a tag of its own. */
const rubyBinary: ScalarTag = { tag: '!binary', resolve: (text) => Buffer.from(text, 'base64') };
const YAML_OPTIONS = {
  uniqueKeys: false,
  strict: false,
  logLevel: 'silent',
  version: '1.1',
  customTags: (tags: readonly unknown[]) => [...(tags as ScalarTag[]), rubyBinary],
} as const;

/** The responses in a file, in order. */
export function readExchanges(file: string, bytes: Uint8Array): readonly Exchange[] {
  const text = new TextDecoder().decode(bytes);
  if (text.startsWith('httprr trace')) return readHttprr(bytes);
  if (/\.(?:json|har)$/.test(file) && /^\s*[[{]/.test(text)) return [...findExchanges(parseJson(text))];
  if (/\.ya?ml$/.test(file)) return readYaml(text);
  return file.endsWith('.txtar') ? readTxtar(text) : [alone(bytes)];
}

/** A body without its request. */
const alone = (body: Uint8Array): Exchange => ({ address: '', status: 200, headers: new Map(), body });

/** Go's text archives: a line with a name before each file. The names say which of them is streamed. */
const readTxtar = (text: string): readonly Exchange[] =>
  [...text.matchAll(/^-- streaming.* --\n((?:(?!-- .+ --$).*\n?)*)/gm)].map(([, body = '']) =>
    alone(new TextEncoder().encode(body)),
  );

/** A file of httpmock has a document for each response. */
const readYaml = (text: string): readonly Exchange[] => {
  const documents: unknown[] = [];
  for (const document of parseAllDocuments(text, YAML_OPTIONS)) documents.push(document.toJS({ maxAliasCount: -1 }));
  return documents.flatMap((document) => [...findExchanges(document)]);
};

function* findExchanges(value: unknown): Generator<Exchange> {
  const exchange = toExchange(value);
  if (exchange) yield exchange;
  else if (Array.isArray(value)) for (const item of value) yield* findExchanges(item);
  else if (isFields(value) && !(value instanceof Uint8Array))
    for (const item of Object.values(value)) yield* findExchanges(item);
}

function toExchange(value: unknown): Exchange | undefined {
  if (!isFields(value)) return undefined;
  const { request, response, when, then, scope, path, status, headers, rawHeaders, body } = value;
  if (isFields(request) && isFields(response)) return fromPair(request, response);
  if (isFields(when) && isFields(then)) {
    return exchangeOf(textOf(at(when, 'path')), then, binaryOr(then, at(then, 'body')));
  }
  if (typeof scope === 'string' && typeof path === 'string') {
    return exchangeOf(scope + path, { status, headers: rawHeaders }, response);
  }
  const isAlone = typeof status === 'number' && isFields(headers) && typeof body === 'string';
  return isAlone ? exchangeOf('', value, body) : undefined;
}

/** `body_base64`: httpmock's form of bytes. */
const binaryOr = (stored: unknown, body: unknown): unknown => {
  const base64 = at(stored, 'body_base64');
  return typeof base64 === 'string' ? { base64_string: base64 } : body;
};

function fromPair(request: unknown, response: unknown): Exchange {
  const { body, content, parsed_body, base64_body } = fieldsOf(response);
  const address = firstText(at(request, 'uri'), at(request, 'url'));
  const stored = typeof base64_body === 'string' ? { base64_string: base64_body } : (body ?? content ?? parsed_body);
  return exchangeOf(address, response, stored);
}

function exchangeOf(address: string, response: unknown, stored: unknown): Exchange {
  const { status, status_code, header, headers } = fieldsOf(response);
  const all = readHeaders(headers ?? header);
  const code = [at(status, 'code'), status_code, status].find((one) => typeof one === 'number');
  const body = decompress(readBody(stored), all.get('content-encoding') ?? '');
  return { address, status: code ?? 200, headers: all, body };
}
