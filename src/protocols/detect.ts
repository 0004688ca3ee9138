/**
 * How each protocol is told by its first frames. One function a protocol and no adapter: that is all a page loads before an
 * endpoint has answered. Each looks for what only its own protocol has, so that their order does not matter.
 * Source: `protocols/other.md`, "One decision table"; the detection sections of the protocols' pages.
 */
import type { Certainty, Signs } from './adapter.ts';
import { detectAgentscope, detectAgentscopeMsg } from './detect/agentscope.ts';
import { detectCoze, detectDify, detectFlowise, detectLangflow, detectN8n, detectRasa } from './detect/builders.ts';
import { detectJson, detectText } from './detect/generic.ts';
import { detectAgentPhase, detectAgentSession, detectDeepchatEvents, detectMessageField } from './detect/own.ts';
import {
  detectAnthropic,
  detectCohere,
  detectGemini,
  detectOllama,
  detectOpenAiChat,
  detectOpenAiResponses,
} from './detect/providers.ts';
import {
  detectA2a,
  detectAgUi,
  detectAiSdk,
  detectAiSdkV4,
  detectAssistantTransport,
  detectLanggraph,
  detectOpenAiAssistants,
} from './detect/servers.ts';

/** The built-in protocols' own signs, by id. */
export const detectors: Readonly<Record<string, (signs: Signs) => Certainty>> = {
  'openai-chat': detectOpenAiChat,
  'openai-responses': detectOpenAiResponses,
  'agent-session': detectAgentSession,
  'agent-phase': detectAgentPhase,
  'deepchat-events': detectDeepchatEvents,
  'message-field': detectMessageField,
  'agentscope-msg': detectAgentscopeMsg,
  'ag-ui': detectAgUi,
  gemini: detectGemini,
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
  agentscope: detectAgentscope,
  langgraph: detectLanggraph,
  text: detectText,
  json: detectJson,
};
