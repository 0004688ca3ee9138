/** The visible parts of a message: reasoning, text, calls and suggestions. */
import type { Suggestion } from '../../model/blocks.ts';
import { isRecord, parseJson } from '../../model/json.ts';
import type { Part } from '../shared/snapshot.ts';
import { THINK_TOOL, type KnownMessage } from './reply-schema.ts';

export function partsOf(message: KnownMessage): readonly Part[] {
  const parts: Part[] = [];
  /** Successive thoughts are paragraphs of one part. */
  const addThought = (text: string): void => {
    const last = parts.at(-1);
    if (last?.kind === 'reasoning') parts[parts.length - 1] = { ...last, text: `${last.text}\n\n${text}` };
    else parts.push({ kind: 'reasoning', text });
  };
  const reasoning = thinkingText(message.thinking_blocks) || message.reasoning_content;
  if (reasoning) addThought(reasoning);
  if (message.content && message.thinking) addThought(message.content);
  else if (message.content) parts.push({ kind: 'text', text: message.content });
  for (const call of message.tool_calls) {
    if (!call?.function.name) continue;
    const { name, arguments: params } = call.function;
    const thought = name === THINK_TOOL ? thoughtIn(params) : '';
    if (thought) addThought(thought);
    else if (name !== THINK_TOOL) parts.push({ kind: 'tool', id: call.id, name, params });
  }
  return parts;
}

/**
 * The text of `thinking_blocks`: a string, or a list of strings or of `{thinking | text | content}`. If each of them
 * is a `{thinking}`, each is a paragraph; otherwise they are pieces of one text.
 */
function thinkingText(blocks: unknown): string {
  if (typeof blocks === 'string') return blocks;
  if (!Array.isArray(blocks)) return '';
  const list = blocks as readonly unknown[];
  const texts = list.map((block) => {
    const text = isRecord(block) ? (block['thinking'] ?? block['text'] ?? block['content']) : block;
    return typeof text === 'string' ? text : '';
  });
  const areParagraphs = list.every((block) => isRecord(block) && typeof block['thinking'] === 'string');
  return areParagraphs ? texts.filter(Boolean).join('\n\n') : texts.join('');
}

/** The texts in the arguments of a `think` call, which may be incomplete or no JSON. Their names are not fixed, so every text counts. */
function thoughtIn(params: string): string {
  if (!/^\s*[{["]/.test(params)) return params;
  const parsedParams = parseJson(params);
  if (parsedParams !== undefined) return textsIn(parsedParams).join('\n\n');
  const texts = [...params.matchAll(TEXT_ARGUMENT)].map(([, raw = '']) => unescapePartial(raw));
  return texts.filter(Boolean).join('\n\n');
}
/** A field whose value is a string, which may be incomplete. */
const TEXT_ARGUMENT = /"(?:[^"\\]|\\.)*"\s*:\s*"((?:[^"\\]|\\.)*)/gs;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Unescapes the content of a JSON string that may end within an escape. */
function unescapePartial(raw: string): string {
  try {
    return JSON.parse(`"${raw.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"`) as string;
  } catch {
    return raw;
  }
}

/** Reads the suggestions. The format of these fields is undocumented: a list, or a state that contains one. */
export function suggestionsOf({ recommend_actions, session_state }: KnownMessage): readonly Suggestion[] {
  const state = isRecord(session_state) ? session_state : {};
  const lists = [recommend_actions, state['recommend_actions'], state['suggestions']];
  return lists.map(toSuggestions).find(({ length }) => length > 0) ?? [];
}

function toSuggestions(actions: unknown): readonly Suggestion[] {
  if (!Array.isArray(actions)) return [];
  return (actions as unknown[]).flatMap((action) => {
    if (typeof action === 'string') return [{ label: action, prompt: action }];
    if (!isRecord(action)) return [];
    const label = action['label'] ?? action['title'];
    const prompt = action['text'] ?? label;
    return typeof label === 'string' && typeof prompt === 'string' ? [{ label, prompt }] : [];
  });
}
