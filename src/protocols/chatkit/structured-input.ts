/** ChatKit's structured input: questions with choices or free text. Source: openai/chatkit-python, `chatkit/types.py`. */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { isRecord } from '../../model/json.ts';
import type { Answer } from '../core/adapter.ts';
import type { ChatKitItem, StructuredInput } from './reply-schema.ts';

type Data = Omit<LLMAgentEventData, 'eventId'>;

/** Shows the questions as one form with a field each. */
export function structuredQuestion({ id, inputs }: ChatKitItem): Data {
  const questions = inputs ?? [];
  const properties = Object.fromEntries(questions.map((input) => [input.id, fieldOf(input)]));
  return {
    ask: {
      action_type: 'question',
      content: questions.length === 1 ? (questions[0]?.question ?? '') : '',
      schema: { type: 'object', properties },
    },
    request: { id, extra: { chatKitItem: id } },
  };
}

/** The user may also enter other text: the choices are suggestions. */
function fieldOf({ question, description, options, multiple }: StructuredInput): object {
  const titles = { title: question, ...(description && { description }) };
  const values = (options ?? []).map(({ value }) => value);
  if (values.length === 0) return { ...titles, type: 'string' };
  return multiple
    ? { ...titles, type: 'array', items: { type: 'string', enum: values } }
    : { ...titles, type: 'string', enum: values };
}

/** The parameters of `threads.add_structured_input`; undefined for an answer to another request. */
export function structuredAnswer({ decision, payload, extra = {} }: Answer, ids: readonly string[]) {
  const { chatKitItem } = extra;
  if (typeof chatKitItem !== 'string') return undefined;
  if (decision !== 'answered' && decision !== 'granted')
    return { item_id: chatKitItem, input: { status: 'skipped', answers: {} } };
  // A form with one field returns its value without an object.
  const [only = ''] = ids;
  const entered = isRecord(payload) ? payload : { [only]: payload };
  const answers = Object.fromEntries(
    Object.entries(entered).map(([id, value]) => {
      const values = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isFilled).map(String);
      return [id, { values, skipped: values.length === 0 }];
    }),
  );
  return { item_id: chatKitItem, input: { status: 'answered', answers } };
}

const isFilled = (value: unknown): value is string | number | boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean';
