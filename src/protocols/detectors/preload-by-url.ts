/** Words in a URL, and the protocol that such a server usually uses. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/ag-?ui|copilot/, 'ag-ui'],
  [/responses/, 'openai-responses'],
  [/openai|completions|openrouter|litellm|vllm/, 'openai-chat'],
  [/anthropic|claude/, 'anthropic'],
  [/gemini|generativelanguage/, 'gemini'],
  [/ollama|:11434/, 'ollama'],
  [/a2a/, 'a2a'],
  [/agentscope/, 'agentscope'],
  [/chatkit/, 'chatkit'],
  [/coze/, 'coze'],
  [/dify/, 'dify'],
  [/flowise|\/prediction\//, 'flowise'],
  [/langflow/, 'langflow'],
  [/langgraph|\/runs\/stream/, 'langgraph'],
  [/mastra/, 'mastra'],
  [/n8n/, 'n8n'],
  [/run_sse/, 'adk'],
  // The default of the AI SDK's `useChat()`.
  [/\/api\/chat$/, 'ai-sdk'],
];

/**
 * The protocol that the words in a URL suggest. It only decides which adapter is loaded early, while the user types, so a wrong guess
 * costs a few kilobytes. The detectors decide the format of the first request (`guessByUrl()` in `runtime/stream/detect-protocol.ts`)
 * and the protocol of the reply.
 */
export const protocolToPreload = ({ host, pathname }: URL): string | undefined =>
  patterns.find(([pattern]) => pattern.test(`${host}${pathname}`.toLowerCase()))?.[1];
