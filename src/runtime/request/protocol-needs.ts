/**
 * What each protocol needs from the page, for the developer whose first request fails. Each has a page of its name in
 * `docs/protocols/`.
 */
const NEEDS: Readonly<Record<string, string>> = {
  'openai-chat': 'Set "model". The endpoint ends in /v1/chat/completions; a server of yours adds the key.',
  'openai-responses': 'Set "model". The endpoint ends in /v1/responses; a server of yours adds the key.',
  'openai-assistants':
    'Set "assistant_id" in "body". The endpoint ends in /v1/threads/runs; a server of yours adds the key.',
  anthropic:
    'Set "model", and "max_tokens" in "body". The endpoint ends in /v1/messages; a server of yours adds x-api-key and anthropic-version.',
  gemini:
    'The endpoint names the model: …/models/<model>:streamGenerateContent?alt=sse; a server of yours adds the key.',
  'gemini-interactions':
    'Set "model" or "agent" in "body". The endpoint ends in /v1beta/interactions; a server of yours adds the key.',
  ollama: 'Set "model" to an installed model. The endpoint ends in /api/chat; OLLAMA_ORIGINS must allow this page.',
  cohere: 'Set "model". The endpoint ends in /v2/chat; a server of yours adds the key.',
  'ai-sdk': 'The route accepts {id, messages} with the parts of UI messages, and returns toUIMessageStreamResponse().',
  'ai-sdk-v4': 'The route accepts {id, messages} and returns toDataStreamResponse().',
  'assistant-transport': 'The route accepts {commands, state} and returns an assistant-stream response.',
  'ag-ui': 'The endpoint accepts a RunAgentInput (threadId, runId, messages, tools, context, state, forwardedProps).',
  a2a: 'The endpoint is the address of the agent card, or the one that accepts message/stream.',
  adk: 'The endpoint is the address of the API server, or …/apps/<name>; otherwise set "appName" in "body".',
  langgraph:
    'The endpoint is the address of the server; set "assistant_id" in "body" if its graph is not named "agent".',
  agentscope:
    'The endpoint is the route of the agent. AgentScope 2 needs "agent_id" in "body" and the header X-User-ID.',
  'agentscope-msg': 'The route accepts {messages} as Msg objects and streams Msg objects.',
  agno: 'The endpoint is …/agents/<id>/runs, …/teams/<id>/runs or …/workflows/<id>/runs.',
  mastra: 'The endpoint is …/api/agents/<id>/stream.',
  eve: 'The endpoint is …/eve/v1/session, with the authorization of your server.',
  chatkit: 'The endpoint is the route of ChatKitServer.process().',
  agentcore: 'The endpoint is a route of yours that calls InvokeAgentRuntime; AWS needs a signature.',
  'cloudflare-agents': 'The endpoint is wss://…/agents/<class>/<name>.',
  dify: 'The endpoint ends in /v1/chat-messages or /v1/workflows/run; a server of yours adds the app’s key. Set "inputs" in "body" if the app has required ones.',
  flowise: 'The endpoint ends in /api/v1/prediction/<flow id>; the flow must allow this domain.',
  n8n: 'The endpoint is the address of an active Chat Trigger or webhook, which must allow this page as an origin.',
  langflow: 'The endpoint ends in /api/v1/run/<flow id>; a server of yours adds x-api-key.',
  coze: 'Set "bot_id" in "body" ("workflow_id" for a workflow). A server of yours adds the token.',
  rasa: 'The endpoint ends in /webhooks/rest/webhook; start Rasa with --enable-api --cors.',
  'deepchat-events': 'The route accepts {messages} and streams the events of its document.',
  'message-field': 'Set "model". The route accepts {models, project_id, …} and streams message_field events.',
  'agent-phase':
    'The route accepts {chatId, messages, options}; set the headers user-id and device-id if your server needs them.',
  'agent-session': 'The route accepts {messages, session_id} and streams session events.',
  text: 'The route accepts {messages} and streams plain text.',
  json: 'The route accepts {message, messages} and returns one JSON document.',
  'json-stream': 'The route accepts {message, messages} and streams JSON objects with one growing text.',
};

/** The pages that have another name than their protocol. */
const PAGES: Readonly<Record<string, string>> = { text: 'text-and-json', json: 'text-and-json' };

/** What to set for a protocol, and its page. Undefined for a protocol of the page. */
export const needsOf = (protocol: string): string | undefined =>
  Object.hasOwn(NEEDS, protocol)
    ? `${NEEDS[protocol] ?? ''} See docs/protocols/${PAGES[protocol] ?? protocol}.md.`
    : undefined;
