/**
 * Detection of each protocol by its URL, the headers of the response and the first frames. Each protocol has one small
 * function without its adapter: a page loads only these before an endpoint has answered. Each function checks for
 * features that only its protocol has, so their order does not matter. Source: the detection section of each page in
 * `docs/protocols/`.
 */
import type { Certainty, DetectionInput } from './core/adapter.ts';
import { detectAgentscope, detectAgentscopeMsg } from './detectors/agentscope.ts';
import { detectCoze, detectDify, detectFlowise, detectLangflow, detectN8n, detectRasa } from './detectors/products.ts';
import {
  detectAgentCore,
  detectAgno,
  detectChatKit,
  detectCloudflareAgents,
  detectEve,
  detectMastra,
} from './detectors/frameworks.ts';
import { detectJson, detectText } from './detectors/generic.ts';
import {
  detectAgentPhase,
  detectAgentSession,
  detectDeepchatEvents,
  detectMessageField,
} from './detectors/source-documents.ts';
import {
  detectAnthropic,
  detectCohere,
  detectGemini,
  detectGeminiInteractions,
  detectOllama,
  detectOpenAiChat,
  detectOpenAiResponses,
} from './detectors/model-providers.ts';
import {
  detectA2a,
  detectAdk,
  detectAgUi,
  detectAiSdk,
  detectAiSdkV4,
  detectAssistantTransport,
  detectLanggraph,
  detectOpenAiAssistants,
} from './detectors/agent-protocols.ts';

/**
 * The detection functions of the built-in protocols, by id. (Custom JSON streams are detected in their own adapter.)
 */
export const detectors: Readonly<Record<string, (input: DetectionInput) => Certainty>> = {
  'openai-chat': detectOpenAiChat,
  'openai-responses': detectOpenAiResponses,
  'agent-session': detectAgentSession,
  'agent-phase': detectAgentPhase,
  'deepchat-events': detectDeepchatEvents,
  'message-field': detectMessageField,
  'agentscope-msg': detectAgentscopeMsg,
  'ag-ui': detectAgUi,
  gemini: detectGemini,
  'gemini-interactions': detectGeminiInteractions,
  ollama: detectOllama,
  dify: detectDify,
  langflow: detectLangflow,
  flowise: detectFlowise,
  n8n: detectN8n,
  coze: detectCoze,
  'openai-assistants': detectOpenAiAssistants,
  rasa: detectRasa,
  'ai-sdk': detectAiSdk,
  'ai-sdk-v4': detectAiSdkV4,
  'assistant-transport': detectAssistantTransport,
  anthropic: detectAnthropic,
  cohere: detectCohere,
  a2a: detectA2a,
  adk: detectAdk,
  agentscope: detectAgentscope,
  langgraph: detectLanggraph,
  chatkit: detectChatKit,
  agentcore: detectAgentCore,
  mastra: detectMastra,
  agno: detectAgno,
  'cloudflare-agents': detectCloudflareAgents,
  eve: detectEve,
  text: detectText,
  json: detectJson,
};
