/**
 * OpenAI's chat completions and the services that copy them.
 * Sources: https://platform.openai.com/docs/api-reference/chat-streaming, https://openrouter.ai/docs/api-reference/streaming,
 * https://docs.mistral.ai/capabilities/reasoning, https://api-docs.deepseek.com/guides/reasoning_model
 */
import { at, firstText, isFields, listOf, textOf } from '../json.ts';
import { errorText, type Payload } from './frames.ts';
import { emptyDraft, endOf, finishDraft, splitThinking, type Draft, type Summary } from './summary.ts';

export function expectOpenAiChat(payloads: readonly Payload[]): Summary {
  const draft = emptyDraft();
  let reason = '';
  let done = false;
  const callAt = new Map<number, number>();
  for (const { event, data, json } of payloads) {
    done ||= data.trim() === '[DONE]';
    if (done) break;
    addError(draft, event, json);
    for (const url of listOf(at(json, 'citations'))) draft.sources.add(textOf(url));
    for (const source of listOf(at(json, 'search_results'))) draft.sources.add(textOf(at(source, 'url')));
    const choice = listOf(at(json, 'choices')).find((one) => (at(one, 'index') ?? 0) === 0);
    const delta = at(choice, 'delta') ?? at(choice, 'message');
    addText(draft, at(delta, 'content'));
    draft.text += firstText(at(delta, 'refusal'));
    if (at(delta, 'refusal')) reason = 'refusal';
    draft.reasoning += firstText(at(delta, 'reasoning_content'), at(delta, 'reasoning'), detailsOf(delta));
    for (const call of listOf(at(delta, 'tool_calls'))) addCall(draft, callAt, call);
    draft.images += listOf(at(delta, 'images')).length;
    for (const note of listOf(at(delta, 'annotations'))) draft.sources.add(textOf(at(note, 'url_citation', 'url')));
    reason = firstText(reason, at(choice, 'finish_reason'));
  }
  if (reason !== '' || done) draft.end = endOf(reason, draft);
  draft.sources.delete('');
  splitThinking(draft);
  return finishDraft(draft);
}

const detailsOf = (delta: unknown): string =>
  listOf(at(delta, 'reasoning_details'))
    .map((detail) => firstText(at(detail, 'text'), at(detail, 'summary')))
    .join('');

function addError(draft: Draft, event: string, json: unknown): void {
  const error = at(json, 'error') ?? (at(json, 'object') === 'error' || event === 'error' ? json : undefined);
  if (error !== undefined && error !== null) draft.errors.push(errorText(error));
}

/** Mistral sends parts where others send text. */
function addText(draft: Draft, content: unknown): void {
  draft.text += textOf(content);
  for (const part of listOf(content)) {
    draft.text += textOf(at(part, 'text'));
    for (const thought of listOf(at(part, 'thinking'))) draft.reasoning += textOf(at(thought, 'text'));
    if (at(part, 'type') === 'image_url') draft.images++;
  }
}

function addCall(draft: Draft, callAt: Map<number, number>, call: unknown): void {
  const index = Number(at(call, 'index') ?? draft.calls.length);
  const id = textOf(at(call, 'id'));
  const known = draft.calls[callAt.get(index) ?? -1];
  // Gemini's compatible API gives all parallel calls the index 0, each with an id of its own.
  const target = known && (id === '' || id === known.id) ? known : undefined;
  const { name, arguments: args } = {
    name: at(call, 'function', 'name'),
    arguments: at(call, 'function', 'arguments'),
  };
  const argsText = isFields(args) ? JSON.stringify(args) : textOf(args);
  if (!target) {
    callAt.set(index, draft.calls.length);
    draft.calls.push({ id, name: textOf(name), args: argsText });
  } else {
    if (target.name === '') target.name = textOf(name);
    target.args += argsText;
  }
}
