/**
 * Builds the requests to an ADK server: a session first, then the new message or the answers. Source: as in
 * `server-urls.ts`.
 */
import { ChatError } from '../../errors.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { Answer, RequestOptions, Turn, WireRequest } from '../core/adapter.ts';
import { pathSegment } from '../shared/request-urls.ts';
import { sentTextMessages } from '../shared/sent-history.ts';
import { isInline, sentFiles } from '../shared/files/sent-files.ts';
import { newestMetadata } from '../shared/last-metadata.ts';
import { pendingCallResults } from '../shared/pending-calls.ts';
import { denySharedIds } from '../core/deny-shared-ids.ts';
import { shownPayload } from './input-requests.ts';
import { parseAdkEndpoint, sessionsPath, type AdkServerUrls, type VertexUrls } from './server-urls.ts';

type Json = Readonly<Record<string, unknown>>;

/** The session of a request, and the tools of the page. */
export interface AdkSession {
  readonly sessionId: string;
  readonly userId: string;
  /** Name of the app; undefined on Vertex AI, where the URL identifies the agent. */
  readonly appName: string | undefined;
  /** Whether this request has created the session. */
  readonly isNewSession: boolean;
  readonly tools: readonly string[];
}

type Options = RequestOptions & { readonly providerState?: AdkSession | undefined };

export async function adkRequest(turn: Turn, options: Options): Promise<WireRequest<AdkSession>> {
  const { url, headers: ownHeaders = {} } = options;
  const headers = { accept: 'text/event-stream, application/json', ...ownHeaders };
  const server = parseAdkEndpoint(url);
  const message = { role: 'user', parts: partsOf(turn) };
  if (server.kind === 'vertex') {
    const adkSession = await sessionOf(turn, options, { server, appName: undefined });
    const input = { user_id: adkSession.userId, session_id: adkSession.sessionId, message };
    const body = { class_method: 'async_stream_query', input };
    return { url: server.runUrl, init: { method: 'POST', headers, body }, providerState: adkSession };
  }
  const adkSession = await sessionOf(turn, options, { server, appName: await appOf(server, options) });
  const { appName, userId, sessionId } = adkSession;
  const state = stateOf(options);
  const body = {
    appName,
    userId,
    sessionId,
    newMessage: message,
    streaming: true,
    ...(Object.keys(state).length > 0 && { stateDelta: state }),
  };
  return { url: server.runUrl, init: { method: 'POST', headers, body }, providerState: adkSession };
}

/** The app set by the page; without one, the server's only app. */
async function appOf(server: AdkServerUrls, { body, headers = {}, ask }: RequestOptions): Promise<string> {
  const named = textIn(body, 'appName') ?? textIn(body, 'app_name') ?? server.app;
  if (named !== undefined) return named;
  const { json } = await ask({ url: server.urlOf('list-apps'), init: { method: 'GET', headers } });
  const apps = Array.isArray(json) ? (json as unknown[]).filter((app) => typeof app === 'string') : [];
  const [app] = apps;
  if (app !== undefined && apps.length === 1) return app;
  const list =
    apps.length === 0 ? 'names no app' : `has ${String(apps.length)} apps: ${apps.slice(0, SHOWN_APPS).join(', ')}`;
  throw new ChatError('protocol', `The ADK server ${list}. Set "appName" in "body" to the one to use.`, {
    reason: 'unexpected',
  });
}
const SHOWN_APPS = 10;

interface SessionLocation {
  readonly server: VertexUrls | AdkServerUrls;
  readonly appName: string | undefined;
}

/**
 * Returns the session that the page sets, otherwise finds or creates that of the conversation. Another app or user, a branch of
 * the conversation or a lost session needs a new one.
 */
async function sessionOf(turn: Turn, options: Options, location: SessionLocation): Promise<AdkSession> {
  const { body, tools = [], providerState: previous } = options;
  const userId = textIn(body, 'userId') ?? textIn(body, 'user_id') ?? `anonymous-${turn.threadId}`;
  const { appName } = location;
  const session = { userId, appName, tools: tools.map(({ name }) => name) };
  const isSame = (app: string | undefined, user: string | undefined): boolean => app === appName && user === userId;
  if (previous?.isNewSession && isSame(previous.appName, previous.userId)) return { ...previous, ...session };
  const configured = textIn(body, 'sessionId') ?? textIn(body, 'session_id');
  if (configured !== undefined) return { ...session, sessionId: configured, isNewSession: false };
  const stored = newestMetadata(turn.messages, 'sessionId');
  const isSameOwner = isSame(newestMetadata(turn.messages, 'appName'), newestMetadata(turn.messages, 'userId'));
  if (
    stored !== undefined &&
    isSameOwner &&
    !turn.fork &&
    (await sessionExists(stored, { turn, options, location, userId }))
  ) {
    return { ...session, sessionId: stored, isNewSession: false };
  }
  return { ...session, sessionId: await makeSession(turn, options, location, userId), isNewSession: true };
}

/** Whether a session exists, checked only after a failure: servers that store sessions in memory lose them on a restart. */
async function sessionExists(
  session: string,
  { turn, options, location, userId }: { turn: Turn; options: Options; location: SessionLocation; userId: string },
): Promise<boolean> {
  const { server, appName } = location;
  const last = turn.messages.findLast(({ role, blocks }) => role === 'assistant' && blocks.length > 0);
  if (last?.status !== 'error' || server.kind === 'vertex' || appName === undefined) return true;
  const url = server.urlOf(`${sessionsPath(appName, userId)}/${pathSegment(session)}`);
  try {
    await options.ask({ url, init: { method: 'GET', headers: options.headers ?? {} } });
    return true;
  } catch (error) {
    if (error instanceof ChatError && error.status === 404) return false;
    throw error;
  }
}

async function makeSession(
  turn: Turn,
  options: Options,
  { server, appName }: SessionLocation,
  userId: string,
): Promise<string> {
  const { headers = {}, ask } = options;
  const post = (url: string, body: Json): Promise<{ readonly json: unknown }> =>
    ask({ url, init: { method: 'POST', headers, body } });
  if (server.kind === 'vertex') {
    const { json } = await post(server.query, { class_method: 'async_create_session', input: { user_id: userId } });
    return idIn(isRecord(json) ? json['output'] : undefined);
  }
  const app = appName ?? '';
  const events = earlierEvents(turn, app);
  const { json } = await post(server.urlOf(sessionsPath(app, userId)), events.length > 0 ? { events } : {});
  return idIn(json);
}

function idIn(session: unknown): string {
  const id = textIn(session, 'id');
  if (id !== undefined) return id;
  throw new ChatError('protocol', 'The ADK server did not create a session.', { reason: 'unexpected' });
}

/** The earlier messages as events: a new session does not have them yet. */
function earlierEvents(turn: Turn, app: string): readonly Json[] {
  const texts = sentTextMessages(turn).filter(({ role, content }) => role !== 'system' && content !== '');
  const earlierTexts = texts.at(-1)?.role === 'user' ? texts.slice(0, -1) : texts;
  return earlierTexts.map(({ role, content }) => ({
    author: role === 'user' ? 'user' : (newestMetadata(turn.messages, 'author') ?? app),
    content: { role: role === 'user' ? 'user' : 'model', parts: [{ text: content }] },
  }));
}

/** The page's `system` and `context` become session state, which an agent's instruction can reference in braces. */
function stateOf({ system, context }: RequestOptions): Json {
  const values = isRecord(context) ? context : context === undefined || context === null ? {} : { context };
  return { ...(system && { system }), ...values };
}

function partsOf(turn: Turn): readonly Json[] {
  const answers = denySharedIds(turn.answers).filter(
    ({ extra, decision }) => extra?.['requestId'] && decision !== 'dismissed',
  );
  const results = turn.text === '' ? pendingCallResults(turn.messages) : [];
  const responses = [
    ...answers.map((answer) => answerOf(answer, cardText(turn, answer))),
    ...results.map(({ id, output, error }) =>
      response(id, callName(turn, id), error === undefined ? resultObject(output) : { error }),
    ),
  ];
  const files = sentFiles(turn).map((file) =>
    isInline(file)
      ? { inlineData: { mimeType: file.mimeType ?? 'application/octet-stream', data: file.data, ...named(file.name) } }
      : { fileData: { fileUri: file.url, ...(file.mimeType && { mimeType: file.mimeType }), ...named(file.name) } },
  );
  return [...responses, ...(turn.text ? [{ text: turn.text }] : []), ...files];
}

const named = (name: string | undefined): Json => (name === undefined ? {} : { displayName: name });

const response = (id: unknown, name: string, value: Json): Json => ({
  functionResponse: { id, name, response: value },
});

/** The result of a page tool as an object. Other values are in its field `result`, as in the results of ADK's own tools. */
function resultObject(output: string): Json {
  const value = parseJson(output);
  if (isRecord(value)) return value;
  return { result: Array.isArray(value) ? value : output };
}

/** The text of the card that the user has answered. */
const cardText = ({ messages }: Turn, { blockId }: Answer): string => {
  const card = messages.flatMap(({ blocks }) => blocks).find(({ id }) => id === blockId);
  return card?.type === 'action' ? (card.content ?? '') : '';
};

/** A request to the user is a function call of the kit, and the answer is its response. */
function answerOf({ extra, decision, payload, note }: Answer, shown: string): Json {
  const name = textIn(extra, 'adk') ?? 'adk_request_input';
  const id = extra?.['requestId'];
  // A note is text, which an agent that expects a boolean would read as a yes.
  const isPlainNo = decision === 'denied' && extra?.['needsChoice'] === true;
  const answer = payload ?? (isPlainNo ? undefined : note);
  if (name === 'adk_request_confirmation') {
    const asked = parseJson(textIn(extra, 'payload') ?? '');
    // The data of the request counts as confirmed only if the card has shown it.
    const confirmationPayload = isRecord(payload) || !shown.endsWith(shownPayload(asked)) ? payload : asked;
    // Text grants nothing; only the object that the tool expects does.
    const isGranted = decision === 'granted' || (decision === 'answered' && isRecord(payload));
    const confirmed = typeof payload === 'boolean' ? payload : isGranted;
    return response(id, name, { confirmed, ...(isRecord(confirmationPayload) && { payload: confirmationPayload }) });
  }
  if (name === 'adk_request_credential') {
    return response(id, name, withCredential(parseJson(textIn(extra, 'authConfig') ?? ''), answer));
  }
  const field = typeof answer === 'string' ? onlyField(parseJson(textIn(extra, 'schema') ?? '')) : undefined;
  if (field !== undefined) return response(id, name, { [field]: answer });
  return response(id, name, isRecord(answer) ? answer : { result: answer ?? decision === 'granted' });
}

/** The name of the field of an object schema with a single field: a text is the value of this field. */
function onlyField(schema: unknown): string | undefined {
  const properties = isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  return properties.length === 1 ? properties[0] : undefined;
}

/** Adds the redirect URL of the sign-in, which contains the authorization code. */
function withCredential(config: unknown, address: unknown): Json {
  const authConfig = isRecord(config) ? config : {};
  const exchanged = isRecord(authConfig['exchangedAuthCredential']) ? authConfig['exchangedAuthCredential'] : {};
  const oauth2 = isRecord(exchanged['oauth2']) ? exchanged['oauth2'] : {};
  const credential = { ...oauth2, authResponseUri: address };
  return { ...authConfig, exchangedAuthCredential: { ...exchanged, oauth2: credential } };
}

const callName = ({ messages }: Turn, id: string): string =>
  messages
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.type === 'tool_call' && block.tool_call.id === id ? [block.tool_call.name ?? ''] : []))
    .at(-1) ?? '';

function textIn(value: unknown, name: string): string | undefined {
  const field = isRecord(value) ? value[name] : undefined;
  return typeof field === 'string' && field !== '' ? field : undefined;
}
