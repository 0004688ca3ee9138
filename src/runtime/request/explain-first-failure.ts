/**
 * Explains a failed first request with automatic detection. That request is a guess, and the server's error shows what
 * it expects. The console message contains both and suggests protocols to try.
 */
import { ChatError } from '../../errors.ts';

/** Statuses of servers that do not understand a body. */
const FORMAT_ERRORS = new Set([400, 404, 405, 415, 422]);

const MAX_BODY_LENGTH = 1000;

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
const COMMON_PROTOCOLS = ['openai-chat', 'ai-sdk', 'ag-ui', 'langgraph', 'a2a'];

/** The error, and an explanation for the developer, which is written only to the console. */
export interface FirstFailure {
  readonly error: ChatError;
  readonly report?: string;
}

/** @param guess - the protocol of the request, if the URL suggested one */
export function explainFirstFailure(error: ChatError, guess?: string): FirstFailure {
  const { status, serverMessage = '', request = '' } = error;
  if (status === undefined || !FORMAT_ERRORS.has(status)) return { error };
  const matching = FIELD_SIGNALS.flatMap(([signal, ...protocols]) => (signal.test(serverMessage) ? protocols : []));
  const candidates = matching.length > 0 ? matching : COMMON_PROTOCOLS;
  const protocols = [...new Set(guess === undefined ? candidates : [guess, ...candidates])].join(', ');
  const guessed = guess === undefined ? '' : ` (guessed from the URL: ${guess})`;
  const body = shorten(request);
  const advice = status === 404 ? 'Check the URL. If it is correct, set' : 'Set';
  const report =
    `The server answered ${String(status)} to the first request, before its protocol was known${guessed}. ` +
    `Server message: ${serverMessage || 'none'}. Request body: ${body || 'none'}. ` +
    `${advice} the attribute "protocol". Candidates: ${protocols}.`;
  return {
    report,
    error: new ChatError(error.kind, error.message, {
      reason: 'first-contact',
      status,
      values: { status },
      retryable: error.retryable,
      ...(serverMessage && { serverMessage }),
      ...(error.code !== undefined && { code: error.code }),
      cause: error,
    }),
  };
}

const shorten = (text: string): string =>
  text.length > MAX_BODY_LENGTH ? `${text.slice(0, MAX_BODY_LENGTH)} …` : text;
