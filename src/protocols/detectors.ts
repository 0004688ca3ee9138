/**
 * Detection of each protocol by its URL, the headers of the response and the first frames. The functions are separate from the
 * adapters, so that a page with an unknown protocol loads no adapter before its endpoint has answered. Each checks for features that
 * only its protocol has (`text` and `json` match what is left). They are called in the order of `registry.ts`. Source: the detection section of each page in
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
} from './detectors/reference-formats.ts';
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
 * The detection functions of the built-in protocols, by id. (`json-stream` is detected by its adapter, after all of these.)
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
