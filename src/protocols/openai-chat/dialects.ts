/**
 * What a server of chat completions takes, as far as its address and its model tell. Everything else is the page's `body`.
 * Source: `openai-chat.md`, "Request"; `other-providers.md`, "Mistral".
 */
import type { OpenAiMessage, OpenAiPart } from '../../model/openai-messages.ts';

interface Dialect {
  /** It counts tokens only when asked to, and knows that question. */
  readonly usage: boolean;
  adapt(messages: readonly OpenAiMessage[]): readonly object[];
}

/** OpenAI's thinking models have a developer where others have a system. */
const THINKS = /^(?:o\d|gpt-5(?![\w.]*-chat))/;
/** They count without being asked. Mistral refuses a field that it does not know. */
const COUNTS_ANYWAY = /(?:^|\.)(?:mistral|perplexity)\.ai$/;
/** Azure's older versions refuse the question. */
const OLD_VERSION = '2024-09';

export function dialectOf(url: string, model: unknown): Dialect {
  const { hostname, searchParams } = new URL(url);
  const version = searchParams.get('api-version') ?? '';
  const old = /^\d{4}-/.test(version) && version < OLD_VERSION;
  const thinks = typeof model === 'string' && THINKS.test(model);
  return {
    usage: !old && !COUNTS_ANYWAY.test(hostname),
    adapt: /(?:^|\.)mistral\.ai$/.test(hostname) ? forMistral : thinks ? withDeveloper : (messages) => messages,
  };
}

const withDeveloper = (messages: readonly OpenAiMessage[]): readonly object[] =>
  messages.map((message) => (message.role === 'system' ? { ...message, role: 'developer' } : message));

/** Mistral takes no field that it does not know, ids of nine letters and digits, and documents as another kind of part. */
function forMistral(messages: readonly OpenAiMessage[]): readonly object[] {
  const idOf = shortIds();
  return messages.map((message, index) => {
    const { role, content } = message;
    switch (role) {
      case 'tool':
        return { role, tool_call_id: idOf(message.tool_call_id), content };
      case 'assistant': {
        const calls = message.tool_calls?.map(({ id, type, function: named }) => ({
          id: idOf(id),
          type,
          function: named,
        }));
        // The last word is the reader's, unless the model is to go on with its own.
        const goesOn = index === messages.length - 1 && !calls;
        return { role, content, ...(calls && { tool_calls: calls }), ...(goesOn && { prefix: true }) };
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

/** Each id as nine letters and digits, two of them never the same. */
function shortIds(): (id: string) => string {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  return (id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    let short = id
      .replace(/[^a-zA-Z0-9]/g, '')
      .slice(-9)
      .padStart(9, '0');
    for (let count = 0; taken.has(short); count++) short = String(count).padStart(9, '0');
    known.set(id, short);
    taken.add(short);
    return short;
  };
}
