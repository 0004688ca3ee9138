/**
 * Detects by URL and model which variant of the chat completions API a server expects. For other variants, pages use the setting
 * `body`.
 * Source: `docs/protocols/openai-chat.md`.
 */
import type { OpenAiMessage, OpenAiPart } from '../../formats/openai-message.ts';

interface Dialect {
  /** Whether to request usage with `stream_options`: the server supports the field, and reports no usage without it. */
  readonly requestsUsage: boolean;
  /** Converts messages in OpenAI's format to those that the server accepts. */
  adapt(messages: readonly OpenAiMessage[]): readonly object[];
  /** How documents may be sent: only with their bytes (`inline`), or also by URL. */
  readonly files: 'inline' | 'by-url';
  /** The earlier reasoning to send: that of the unfinished turn, or `always` the field, even empty. */
  readonly reasoning: 'unfinished-turn' | 'always';
}

/** OpenAI's reasoning models use the role `developer` instead of `system`. */
const REASONING_MODEL = /^(?:o\d|gpt-5(?![\w.]*-chat))/;
/** These servers report usage without a request for it. Mistral rejects unknown fields. */
const ALWAYS_REPORTS_USAGE = /(?:^|\.)(?:mistral|perplexity)\.ai$/;
/** Earlier versions of Azure's API reject `stream_options`. */
const FIRST_USAGE_VERSION = '2024-09';

/** For these models, the API returns 400 unless every assistant message has `reasoning_content`. */
const NEEDS_ALL_REASONING = /deepseek-v4/i;

const MISTRAL = /(?:^|\.)mistral\.ai$/;

export function detectDialect(url: string, model: unknown): Dialect {
  const { hostname, searchParams } = new URL(url);
  const version = searchParams.get('api-version') ?? '';
  const isOldVersion = /^\d{4}-/.test(version) && version < FIRST_USAGE_VERSION;
  const isReasoningModel = typeof model === 'string' && REASONING_MODEL.test(model);
  return {
    requestsUsage: !isOldVersion && !ALWAYS_REPORTS_USAGE.test(hostname),
    reasoning: typeof model === 'string' && NEEDS_ALL_REASONING.test(model) ? 'always' : 'unfinished-turn',
    files: MISTRAL.test(hostname) ? 'by-url' : 'inline',
    adapt: MISTRAL.test(hostname) ? forMistral : isReasoningModel ? withDeveloperRole : (messages) => messages,
  };
}

const withDeveloperRole = (messages: readonly OpenAiMessage[]): readonly object[] =>
  messages.map((message) => (message.role === 'system' ? { ...message, role: 'developer' } : message));

/** Mistral rejects unknown fields, needs ids of nine letters and digits, and has another part type for documents. */
function forMistral(messages: readonly OpenAiMessage[]): readonly object[] {
  const toShortId = makeIdShortener();
  return messages.map((message, index) => {
    const { role, content } = message;
    switch (role) {
      case 'tool':
        return { role, tool_call_id: toShortId(message.tool_call_id), content };
      case 'assistant': {
        const calls = message.tool_calls?.map(({ id, type, function: functionCall }) => ({
          id: toShortId(id),
          type,
          function: functionCall,
        }));
        // Mistral rejects an assistant message at the end, unless `prefix` asks the model to continue it.
        const isPrefix = index === messages.length - 1 && !calls;
        return { role, content, ...(calls && { tool_calls: calls }), ...(isPrefix && { prefix: true }) };
      }
      default:
        return { role, content: typeof content === 'string' ? content : content?.map(toMistralPart) };
    }
  });
}

function toMistralPart(part: OpenAiPart): object {
  switch (part.type) {
    case 'file': {
      const { file_data: document_url, filename } = part.file;
      return { type: 'document_url', document_url, ...(filename && { document_name: filename }) };
    }
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio.data };
    default:
      return part;
  }
}

/** Maps each id to nine letters and digits; different ids never map to the same value. */
function makeIdShortener(): (id: string) => string {
  const shortIdById = new Map<string, string>();
  const taken = new Set<string>();
  return (id) => {
    const existing = shortIdById.get(id);
    if (existing !== undefined) return existing;
    let short = id
      .replace(/[^a-zA-Z0-9]/g, '')
      .slice(-9)
      .padStart(9, '0');
    for (let count = 0; taken.has(short); count++) short = String(count).padStart(9, '0');
    shortIdById.set(id, short);
    taken.add(short);
    return short;
  };
}
