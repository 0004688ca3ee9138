/**
 * Explains a failed first request to the developer, in one console message: the request, the response, and what to set.
 * With automatic detection that request is a guess, and the server's error shows what it expects.
 */
import { ChatError } from '../../errors.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import { maskSecrets } from '../../safety/mask-secrets.ts';
import { sentSecrets } from '../../safety/sent-secrets.ts';
import type { ExchangeOptions } from './send-adapter-request.ts';
import { discoverEndpoint, type Discovery } from './discover-endpoint.ts';
import type { FoundEndpoint } from './found-endpoint.ts';
import { needsOf } from './protocol-needs.ts';

/** Statuses of servers that do not understand a body. */
const FORMAT_ERRORS = new Set([400, 404, 405, 415, 422]);
/** Statuses of addresses that are not an endpoint. */
const NO_ENDPOINT = new Set([404, 405]);
/** Statuses of servers that have checked a body, and refused it before any work. */
const INVALID_BODY = new Set([400, 422]);

const MAX_CANDIDATES = 8;

/** Field names in error messages and the protocols that use them. Source: the request sections in `docs/protocols/`. */
const FIELD_SIGNALS: readonly (readonly [sign: RegExp, ...protocols: string[]])[] = [
  [/newMessage|new_message|app_?name|^Session not found/i, 'adk'],
  [/assistant_id|thread_id/, 'langgraph', 'openai-assistants'],
  [/threadId|runId|forwardedProps/, 'ag-ui'],
  [/jsonrpc|"?method"? is|invalid request.{0,200}rpc/i, 'a2a'],
  [/chatInput|sessionId/, 'n8n'],
  [/input_value|output_type/, 'langflow'],
  [/\bquestion\b/, 'flowise'],
  [/\bquery\b|response_mode|"?inputs"?/, 'dify'],
  [/bot_id|additional_messages/, 'coze'],
  [/max_tokens|anthropic/i, 'anthropic'],
  [/\bcontents\b|generateContent/, 'gemini'],
  [/previous_response|max_output_tokens/, 'openai-responses'],
  [/agent_id/, 'agentscope'],
  [/session_id/, 'agentscope', 'agent-session'],
  [/\binput\b/, 'openai-responses', 'agentscope', 'langgraph'],
  [/chatId/, 'agent-phase'],
  [/\bparts\b|UIMessage/, 'ai-sdk'],
  [/\bsender\b/, 'rasa'],
  [/\bmodel\b/, 'openai-chat', 'ollama'],
  [/\bmessages?\b/, 'openai-chat', 'ai-sdk', 'ag-ui'],
];
/**
 * Patterns of error messages that name fields of only one protocol, such as `body.project_id: Field required`. Servers of these
 * protocols never accept the common form of the first request, so it is sent again in theirs. For other protocols the console
 * only names candidates (`FIELD_SIGNALS`).
 */
const RESENT_FOR: readonly (readonly [protocol: string, ...signs: RegExp[]])[] = [
  [
    'message-field',
    /\bproject_id\b/,
    /\b(?:models|run_with_another_model|request_web_knowledge|speed_mode|use_(?:webpage_capture_screen|browser_use(?:_test_mode)?|python_workspace|terminal_use)|dataframe_enhanced|enable_jupyter|custom_tools|writingContent)\b/,
  ],
  ['agentscope-msg', /\bMsgRole\b|\bMsg\["|\bagentscope\.core\.message\b/],
  ['agentscope-msg', /\bmessages\b/, /\bUSER\b/, /\bASSISTANT\b/, /\bTOOL\b/],
  ['deepchat-events', /\bmessages\b.{0,9}\bmetadata\b/, /\bmessages\b.{0,9}\btimestamp\b/],
];
const COMMON_PROTOCOLS = ['openai-chat', 'ai-sdk', 'ag-ui', 'langgraph', 'a2a'];

/** The error, or the address to use instead. */
interface FirstFailure {
  readonly error: ChatError;
  readonly found?: FoundEndpoint | undefined;
}

interface FirstFailureOptions extends ExchangeOptions {
  /** The page has not named a protocol: that of the request, if any, was guessed from the URL. */
  readonly isAuto: boolean;
  /** The address was already found in a document. */
  readonly isFound: boolean;
}

export async function explainFirstFailure(error: ChatError, options: FirstFailureOptions): Promise<FirstFailure> {
  const { isAuto, isFound, adapter, url, signal } = options;
  const status = error.status ?? 0;
  const isUnknownFormat = isAuto && FORMAT_ERRORS.has(status);
  const shown = isUnknownFormat ? firstContact(error, status) : error;
  if (isAuto && !isFound && !adapter && NO_ENDPOINT.has(status) && url.protocol.startsWith('http')) {
    const discovery = await discoverEndpoint(options);
    if (discovery.candidates.length > 0 && !signal.aborted) {
      report(explainDiscovery(discovery, url, status));
      return { error: shown, found: discovery.found };
    }
  }
  if (isAuto && !isFound && !adapter && INVALID_BODY.has(status)) {
    const protocol = protocolNamedIn(error);
    if (protocol !== undefined) {
      report(
        `The server answered ${String(status)} to the first request to ${addressOf(url)}, and its message names the fields of ` +
          `"${protocol}", in which the request is sent again. Set protocol="${protocol}" to save the first one.`,
      );
      return { error: shown, found: { url, protocol } };
    }
  }
  const { [isUnknownFormat ? 'format' : error.kind]: explain } = EXPLANATIONS;
  const explanation = explain?.(error, options);
  if (explanation !== undefined) report(explanation);
  return { error: shown };
}

const protocolNamedIn = ({ serverMessage = '' }: ChatError): string | undefined =>
  RESENT_FOR.find(([, ...signs]) => signs.every((sign) => sign.test(serverMessage)))?.[0];

/** The same message is written once. A server may repeat a key in the addresses that it names. */
const reported = new Set<string>();
function report(text: string): void {
  const message = maskSecrets(text, sentSecrets());
  if (reported.has(message)) return;
  reported.add(message);
  console.warn(`<agent-chat>: ${message}`);
}

/** The user learns that the set-up is wrong; everything else is for the developer. */
const firstContact = (error: ChatError, status: number): ChatError =>
  new ChatError(error.kind, error.message, {
    reason: 'first-contact',
    status,
    values: { status },
    retryable: error.retryable,
    ...(error.serverMessage && { serverMessage: error.serverMessage }),
    ...(error.code !== undefined && { code: error.code }),
    cause: error,
  });

function explainDiscovery({ candidates, found }: Discovery, url: URL, status: number): string {
  const refused = `${addressOf(url)} is not an endpoint: it answered ${String(status)} to POST.`;
  const names = candidates.slice(0, MAX_CANDIDATES).map(({ url: address, protocol, by }) => {
    const attributes = `endpoint="${address}"${protocol === undefined ? '' : ` protocol="${protocol}"`}`;
    return `${attributes} (${by})`;
  });
  return found
    ? `${refused} Its server names one agent, which is used instead. Set ${names.join('')} to save this request.`
    : `${refused} Set one of: ${names.join('; ')}.`;
}

type Explain = (error: ChatError, options: FirstFailureOptions) => string | undefined;

/** By the kind of the error; `format`: the server did not understand a guess. */
const EXPLANATIONS: Readonly<Partial<Record<string, Explain>>> = {
  format: explainFormat,
  http: explainRefusal,
  auth: (error, options) =>
    `${explainRefusal(error, options) ?? ''} Set the key or the session in "headers". A secret key belongs on a server of ` +
    'yours that forwards the request: docs/guides/keys.md.',
  network: explainNetwork,
};

function explainFormat(error: ChatError, { adapter, url }: FirstFailureOptions): string {
  const { status = 0, serverMessage = '', request = '' } = error;
  const guess = adapter?.id;
  const matching = FIELD_SIGNALS.flatMap(([signal, ...protocols]) => (signal.test(serverMessage) ? protocols : []));
  const candidates = matching.length > 0 ? matching : COMMON_PROTOCOLS;
  const protocols = [...new Set(guess === undefined ? candidates : [guess, ...candidates])];
  const guessed = guess === undefined ? '' : ` (guessed from the URL: ${guess})`;
  const advice = status === 404 ? 'Check the URL. If it is correct, set' : 'Set';
  const needs = protocols.length === 1 ? needsOf(protocols[0] ?? '') : undefined;
  return (
    `The server answered ${String(status)} to the first request to ${addressOf(url)}, before its protocol was known${guessed}. ` +
    `Server message: ${serverMessage || 'none'}. Request fields: ${fieldsOf(request)}. ` +
    `${advice} the attribute "protocol". Candidates: ${protocols.join(', ')}. ` +
    (needs ?? 'What each of them needs: docs/protocols/README.md.')
  );
}

/** Undefined for a failure that the developer's settings can't mend, such as an overload. */
function explainRefusal(error: ChatError, { adapter, url }: FirstFailureOptions): string | undefined {
  const { status = 0, serverMessage = '', request = '' } = error;
  if (!FORMAT_ERRORS.has(status) && error.kind !== 'auth') return undefined;
  const protocol = adapter?.id;
  const named = protocol === undefined ? '' : `, in the protocol "${protocol}"`;
  const needs = protocol === undefined ? undefined : needsOf(protocol);
  return (
    `The server answered ${String(status)} to the first request to ${addressOf(url)}${named}. ` +
    `Server message: ${serverMessage || 'none'}. Request fields: ${fieldsOf(request)}.` +
    (needs === undefined ? '' : ` ${needs}`)
  );
}

/** A browser does not report why a request to another origin failed. */
function explainNetwork({ reason, values }: ChatError, { url }: FirstFailureOptions): string | undefined {
  if (reason !== 'unreachable-cors') return undefined;
  return (
    `The first request to ${addressOf(url)} failed. If the server runs, it must answer OPTIONS with status 204 and ` +
    `"Access-Control-Allow-Origin: ${location.origin}", "Access-Control-Allow-Methods: POST", ` +
    `"Access-Control-Allow-Headers: ${String(values['headers'] ?? 'content-type')}", and POST with the first of them, ` +
    'also when it fails: docs/guides/keys.md. A route on the server of this page needs none of them.'
  );
}

/** Without the query, which may hold a key. */
const addressOf = ({ origin, pathname }: Readonly<URL>): string => origin + pathname;

/** Only the names: the values are the user's, and this may be a page in production. */
function fieldsOf(request: string): string {
  const json = parseJson(request);
  return (isRecord(json) && Object.keys(json).join(', ')) || 'none';
}
