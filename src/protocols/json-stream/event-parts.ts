/** Content of a custom JSON stream other than its text. Source: `docs/protocols/json-stream.md`. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { z } from '../../model/schema.ts';
import { isToolFailure, toolFailureFields } from '../../model/tool-failure.ts';
import type { UsageStats } from '../../model/usage.ts';
import { isRecord } from '../../model/json.ts';
import { asText } from '../shared/as-text.ts';
import { envelopes, typeNames } from './frame-kind.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;
type Json = Readonly<Record<string, unknown>>;

const SOURCES = /^(?:sources|citations|references|documents|(?:source|top)_documents|sourceDocuments)$/;
/** Types of frames that contain search results. */
const SEARCH = /^(?:search|retrieval|web_search|rag)[-_ ]?results?$/i;
const RESULT_LIST = /^(?:results|search_results|searchResults)$/;
const SUGGESTIONS =
  /^(?:suggestions|follow_?ups?|followUps|follow_up_questions|followUpQuestions|related_?(?:questions|queries)|relatedQ(?:uestions|ueries))$/;
const SESSION = /^(?:session|conversation|thread|chat)(?:_id|Id)$/;

/** The first of these fields that is a non-empty string. */
const firstText = (json: Json, ...names: readonly string[]): string | undefined =>
  names.map((name) => json[name]).find((value): value is string => typeof value === 'string' && value !== '');

const allFields = (json: unknown): readonly (readonly [string, unknown])[] => envelopes(json).flatMap(Object.entries);

export function* extractSources(
  json: unknown,
  event: string | undefined,
): Generator<NonNullable<LLMAgentEventData['citation']>> {
  const types = typeNames(json, event);
  const isSourceEvent = types.some((type) => SOURCES.test(type));
  const isSearch = types.some((type) => SEARCH.test(type));
  for (const [name, list] of allFields(json)) {
    if (!(isSourceEvent || SOURCES.test(name) || (isSearch && RESULT_LIST.test(name))) || !Array.isArray(list))
      continue;
    for (const item of list as readonly unknown[]) {
      const source = typeof item === 'string' && /^https?:/.test(item) ? { url: item } : item;
      if (!isRecord(source)) continue;
      const fields: Json = { ...(isRecord(source['metadata']) && source['metadata']), ...source };
      const url = firstText(fields, 'url', 'uri', 'link', 'href', 'source_url');
      const title = firstText(fields, 'title', 'name', 'filename', 'file_name', 'semantic_identifier', 'source');
      const quote = firstText(fields, 'snippet', 'quote', 'excerpt', 'page_content', 'pageContent');
      const id = url ?? title;
      if (id !== undefined) yield { id, ...(url && { url }), ...(title && { title }), ...(quote && { quote }) };
    }
  }
}

export const extractSuggestions = (json: unknown): NonNullable<LLMAgentEventData['suggestions']> =>
  allFields(json)
    .filter(([name]) => SUGGESTIONS.test(name))
    .flatMap(([, list]) => (Array.isArray(list) ? (list as readonly unknown[]) : []))
    .flatMap((item) => {
      const label = isRecord(item) ? firstText(item, 'label', 'text', 'title', 'question', 'prompt') : item;
      const prompt = isRecord(item) ? firstText(item, 'prompt', 'value', 'text', 'question', 'label') : item;
      return typeof label === 'string' && typeof prompt === 'string' && label !== '' ? [{ label, prompt }] : [];
    });

/** Ids of the conversation, which are sent back under their own names. */
export const extractSession = (json: unknown): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    allFields(json).filter(
      (field): field is [string, string | number] =>
        SESSION.test(field[0]) && (typeof field[1] === 'number' || (typeof field[1] === 'string' && field[1] !== '')),
    ),
  );

export function extractUsage(json: unknown): UsageStats | undefined {
  const usage = allFields(json).find(([name, value]) => name === 'usage' && isRecord(value))?.[1];
  if (!isRecord(usage)) return undefined;
  const count = (...names: readonly string[]): number =>
    names.map((name) => usage[name]).find((value): value is number => typeof value === 'number') ?? 0;
  const prompt_tokens = count('prompt_tokens', 'promptTokens', 'input_tokens', 'inputTokens');
  const completion_tokens = count('completion_tokens', 'completionTokens', 'output_tokens', 'outputTokens');
  const total_tokens = count('total_tokens', 'totalTokens') || prompt_tokens + completion_tokens;
  return total_tokens > 0 ? { prompt_tokens, completion_tokens, total_tokens } : undefined;
}

const failureFlags = z.object(toolFailureFields);

function resultFields(part: Json, result: unknown): Data {
  const text = asText(result);
  const failed = isToolFailure(failureFlags.parse(part), text);
  return { tool_call_response: text, ...(failed && { tool_call: 'error' }) };
}

/** The tool calls of a reply. The server runs them; the widget only displays them. */
export function makeJsonCalls(newId: () => string) {
  /** Names of the calls without a result by id, the oldest first. */
  const open = new Map<string, string>();
  const end = (id: string, more: Data = {}): Data => {
    open.delete(id);
    return { tool_call: 'end', tool_call_id: id, tool_call_remote: true, ...more };
  };
  return {
    take(json: Json): readonly Data[] {
      const inner = envelopes(json).findLast(
        (part) => toolName(part) !== undefined || RESULTS.some((key) => key in part),
      );
      const nested = inner && CALLS.map((key) => inner[key]).find(isRecord);
      const part: Json = { ...json, ...inner, ...nested };
      const name = toolName(part);
      const idInFrame = firstText(part, 'tool_call_id', 'toolCallId', 'call_id', 'callId', 'tool_id', 'run_id', 'id');
      const result = RESULTS.map((key) => part[key]).find((value) => value !== undefined && value !== null);
      const openId = [...open].find(([id, openName]) =>
        idInFrame === undefined ? openName === name : id === idInFrame,
      )?.[0];
      const { error } = part;
      const failure = typeof error === 'string' ? error : isRecord(error) ? firstText(error, 'message') : undefined;
      if (openId !== undefined) {
        if (failure) return [{ ...end(openId), tool_call: 'error', tool_call_response: failure }];
        return result === undefined ? [] : [end(openId, resultFields(part, result))];
      }
      if (name === undefined) return [];
      const id = idInFrame ?? newId();
      const input = INPUTS.map((key) => part[key]).find((value) => value !== undefined && value !== null);
      open.set(id, name);
      const start: Data = {
        tool_call: 'start',
        tool_call_id: id,
        tool_call_name: name,
        tool_call_remote: true,
        ...(input !== undefined && { tool_call_params: asText(input) }),
      };
      return result === undefined ? [start] : [start, end(id, resultFields(part, result))];
    },
    /** Ends the calls without a result when the reply is complete. */
    rest: (): readonly Data[] => [...open.keys()].map((id) => end(id)),
  };
}

const RESULTS = ['result', 'output', 'tool_output', 'toolOutput', 'tool_return', 'response', 'observation'];
const INPUTS = ['args', 'arguments', 'input', 'tool_input', 'toolInput', 'params', 'parameters'];

/** Fields that may contain a call as an object. */
const CALLS = ['function', 'tool', 'tool_call', 'toolCall'];

function toolName(part: Json): string | undefined {
  const inner = CALLS.map((key) => part[key]).find(isRecord);
  return (
    firstText(part, 'tool_name', 'toolName', 'tool', 'function_name', 'name') ??
    (inner && firstText(inner, 'name', 'tool'))
  );
}
