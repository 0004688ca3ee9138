/**
 * The embedded agent server: every protocol, scripted answers, simulated faults. It needs no network, key or framework.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PROTOCOLS, faultNames, isOneOf, scenarioNames, type ProtocolName } from '../choices.ts';
import { answerWithFault, withFault } from './faults.ts';
import { recall, remember } from './memory.ts';
import type { Protocol } from './play.ts';
import { a2a } from './protocols/a2a.ts';
import { agUi } from './protocols/ag-ui.ts';
import { adk } from './protocols/adk.ts';
import { agno } from './protocols/agno.ts';
import { agentCore } from './protocols/agentcore.ts';
import { agentPhase } from './protocols/agent-phase.ts';
import { agentSession } from './protocols/agent-session.ts';
import { agentscopeMsg } from './protocols/agentscope-msg.ts';
import { agentscope } from './protocols/agentscope.ts';
import { aiSdkV4 } from './protocols/ai-sdk-v4.ts';
import { aiSdk } from './protocols/ai-sdk.ts';
import { anthropic } from './protocols/anthropic.ts';
import { assistantTransport } from './protocols/assistant-transport.ts';
import { chatKit } from './protocols/chatkit.ts';
import { cloudflareAgents } from './protocols/cloudflare-agents.ts';
import { cohere } from './protocols/cohere.ts';
import { coze } from './protocols/coze.ts';
import { deepchatCore } from './protocols/deepchat-core.ts';
import { deepchatEvents } from './protocols/deepchat-events.ts';
import { dify } from './protocols/dify.ts';
import { eve } from './protocols/eve.ts';
import { flowise } from './protocols/flowise.ts';
import { geminiInteractions } from './protocols/gemini-interactions.ts';
import { gemini } from './protocols/gemini.ts';
import { json } from './protocols/json.ts';
import { langflow } from './protocols/langflow.ts';
import { langgraph } from './protocols/langgraph.ts';
import { mastra } from './protocols/mastra.ts';
import { messageField } from './protocols/message-field.ts';
import { n8n } from './protocols/n8n.ts';
import { ollama } from './protocols/ollama.ts';
import { openAiAssistants } from './protocols/openai-assistants.ts';
import { openAiChat } from './protocols/openai-chat.ts';
import { openAiResponses } from './protocols/openai-responses.ts';
import { text } from './protocols/text.ts';
import { readBody } from './read-body.ts';
import { scriptFor } from './scenarios.ts';
import { speedOf } from './speed.ts';
import { conversationOf, readTurn } from './turn.ts';
import { openWire } from './wire.ts';

const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  'agent-session': agentSession,
  'agent-phase': agentPhase,
  'message-field': messageField,
  'deepchat-events': deepchatEvents,
  'deepchat-core': deepchatCore,
  'agentscope-msg': agentscopeMsg,
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
  'gemini-interactions': geminiInteractions,
  ollama,
  cohere,
  'ai-sdk': aiSdk,
  'ai-sdk-v4': aiSdkV4,
  'assistant-transport': assistantTransport,
  'ag-ui': agUi,
  langgraph,
  a2a,
  agentscope,
  mastra,
  agno,
  agentcore: agentCore,
  chatkit: chatKit,
  adk,
  eve,
  'cloudflare-agents': cloudflareAgents,
  'openai-assistants': openAiAssistants,
  dify,
  flowise,
  n8n,
  langflow,
  coze,
  text,
  json,
};

/** `/agent/<protocol>` and the paths that clients append to it. */
const PATH = /^\/agent(?:\/([\w-]*)(\/.*)?)?$/;
/** The endpoint that stops a run; the run has already ended with its connection. */
const STOP = /\/(?:stop|cancel)$/;

/**
 * Handles requests under `/agent/`. Resolves with false for all others, which it leaves untouched. It never rejects, so
 * a plain server can use it: `createServer((request, response) => void handleAgentRequest(request, response))`.
 */
export async function handleAgentRequest(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  // Not `new URL()`, which throws for `//`.
  const [path = '', query] = (request.url ?? '').split('?', 2);
  const [matched, name, behind = ''] = PATH.exec(path) ?? [];
  if (matched === undefined) return false;
  try {
    allowOtherOrigins(request, response);
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else if (!name) refuse(response, 200, 'Choose a protocol: POST /agent/<protocol>.');
    else if (!isOneOf(PROTOCOLS, name)) refuse(response, 404, `There is no protocol "${name}".`);
    else await answer(protocols[name], { path: behind, query: new URLSearchParams(query) }, request, response);
  } catch (error) {
    // An error of this server must be visible, but not end the process.
    if (response.headersSent) response.destroy();
    else refuse(response, 500, error instanceof Error ? error.message : String(error));
  }
  return true;
}

interface Address {
  /** The path after the protocol's name. */
  readonly path: string;
  readonly query: URLSearchParams;
}

async function answer(
  protocol: Protocol,
  { path, query }: Address,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '' } = request;
  const fault = query.get('fault');
  const known = isOneOf(faultNames, fault) ? fault : undefined;
  if (answerWithFault(known, request, response)) return;
  const sentBefore = protocol.bodyOf?.({ method, path, query });
  const read = sentBefore ?? (await readBody(request));
  const body = typeof read === 'string' ? {} : read;
  const aside = STOP.test(path) ? { status: 200, json: {} } : protocol.beside?.({ method, path, body });
  if (aside) {
    response.writeHead(aside.status, { 'content-type': 'application/json' });
    response.end(aside.json && JSON.stringify(aside.json));
    return;
  }
  if (method !== 'POST' && !sentBefore) {
    refuse(response.setHeader('allow', 'POST, OPTIONS'), 405, 'Use POST.');
    return;
  }
  if (typeof read === 'string') {
    refuse(response, 400, read);
    return;
  }
  const conversation = conversationOf(body, { path, query }) ?? randomUUID();
  const turn = readTurn(body, {
    answer: protocol.answerOf?.(body, path),
    before: protocol.keepsHistory && recall(conversation),
  });
  if (!turn) {
    refuse(response, 400, 'There is no message of the user in "messages".');
    return;
  }
  if (protocol.keepsHistory) remember(conversation, turn);
  const speed = speedOf(query.get('speed'));
  const whole = protocol === openAiChat && body['stream'] === false;
  response.writeHead(200, {
    'content-type': whole ? 'application/json' : contentType(protocol, query),
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    ...protocol.headers,
  });
  response.flushHeaders();
  const wire = withFault(openWire({ response, speed }), known, { response, broken: protocol.broken });
  await protocol.answer({
    ...scriptFor(query.get('scenario'), turn),
    turn,
    wire,
    speed,
    query,
    sources: new Map(),
    conversation,
    id: (call) => `${call}_${String(turn.count)}`,
  });
}

const contentType = (protocol: Protocol, query: URLSearchParams): string =>
  query.get('framing') === 'lines' ? 'application/x-ndjson' : protocol.contentType;

/** Pages of other origins may send requests with any headers. */
function allowOtherOrigins({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', headers.origin ?? '*');
  if (headers.origin !== undefined) response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-allow-methods', 'GET, POST, OPTIONS');
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? 'content-type');
  response.setHeader('access-control-expose-headers', 'retry-after');
  response.setHeader('access-control-max-age', '600');
  response.setHeader('vary', 'origin, access-control-request-headers');
}

/** The error, and the available options. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  const choices = { protocols: PROTOCOLS, scenarios: scenarioNames, faults: faultNames };
  response.end(JSON.stringify({ ...(status >= 400 ? { error: { message } } : { message }), ...choices }));
}
