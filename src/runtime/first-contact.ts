/**
 * A first request under `auto` is a guess, and a server that refuses it has told what it wants. Whoever is setting the widget up
 * is shown both, and what to try.
 */
import { ChatError } from '../errors.ts';

/** What a server answers that does not understand a body. */
const REFUSALS = new Set([400, 404, 405, 415, 422]);

const SHOWN_LENGTH = 1000;

/** Names that a server asks for, and whose they are. Source: the request sections of the protocols' pages. */
const SIGNS: readonly (readonly [sign: RegExp, ...protocols: string[]])[] = [
  [/assistant_id|thread_id/, 'langgraph', 'openai-assistants'],
  [/threadId|runId|forwardedProps/, 'ag-ui'],
  [/jsonrpc|"?method"? is|invalid request.*rpc/i, 'a2a'],
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
const COMMON = ['openai-chat', 'ai-sdk', 'ag-ui', 'langgraph', 'a2a'];

/** The same error, saying what was sent and which values of `protocol` are worth trying; `guess` is the one of the request. */
export function firstContact(error: ChatError, guess?: string): ChatError {
  const { status, serverMessage = '', request = '' } = error;
  if (status === undefined || !REFUSALS.has(status)) return error;
  const fitting = SIGNS.flatMap(([sign, ...protocols]) => (sign.test(serverMessage) ? protocols : []));
  const worth = fitting.length > 0 ? fitting : COMMON;
  const protocols = [...new Set(guess === undefined ? worth : [guess, ...worth])].join(', ');
  const taken = guess === undefined ? '' : ` (by its address it was taken for ${guess})`;
  const body = shorten(request);
  const said = serverMessage || 'nothing';
  const advice = status === 404 ? 'Is there an agent at this address? If there is, set' : 'Set';
  return new ChatError(
    error.kind,
    `The server answered ${String(status)} to the first request, before its protocol was known${taken}. It said: ${said}. ` +
      `The body that was sent: ${body || 'none'}. ${advice} the attribute "protocol" to what it speaks; worth trying: ${protocols}.`,
    {
      reason: 'first-contact',
      status,
      values: { status, said, body, protocols },
      retryable: error.retryable,
      ...(error.code !== undefined && { code: error.code }),
      cause: error,
    },
  );
}

const shorten = (text: string): string => (text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)} …` : text);
