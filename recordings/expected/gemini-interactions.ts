/** Gemini's Interactions API. Source: https://ai.google.dev/gemini-api/docs/interactions */
import { at, firstText, isFields, listOf, textOf } from '../json.ts';
import { errorText, type Payload } from './frames.ts';
import { ANY, emptyDraft, endOf, finishDraft, type Draft, type Summary } from './summary.ts';

export function expectGeminiInteractions(payloads: readonly Payload[]): Summary {
  const draft = emptyDraft();
  for (const { json } of payloads) {
    const type = textOf(at(json, 'event_type'));
    if (type === 'error' || isFields(at(json, 'error'))) draft.errors.push(errorText(at(json, 'error')));
    if (type === 'step.start') startStep(draft, at(json, 'step'));
    if (type === 'step.delta') addDelta(draft, at(json, 'delta'));
    if (type.startsWith('interaction.complete'))
      draft.end =
        at(json, 'interaction', 'status') === 'incomplete'
          ? 'max_tokens'
          : endOf('', { calls: draft.calls.filter(({ args }) => args !== ANY) });
  }
  draft.sources.delete('');
  return finishDraft(draft);
}

function startStep(draft: Draft, step: unknown): void {
  const type = textOf(at(step, 'type'));
  const id = textOf(at(step, 'id'));
  if (type === 'function_call') {
    const args = at(step, 'arguments');
    const isEmpty = !isFields(args) || Object.keys(args).length === 0;
    draft.calls.push({ id, name: textOf(at(step, 'name')), args: isEmpty ? '' : JSON.stringify(args) });
  } else if (type.endsWith('_call')) draft.calls.push({ id, name: type.slice(0, -'_call'.length), args: ANY });
}

function addDelta(draft: Draft, delta: unknown): void {
  const type = textOf(at(delta, 'type'));
  if (type === 'text') draft.text += textOf(at(delta, 'text'));
  if (type.startsWith('thought')) draft.reasoning += firstText(at(delta, 'content', 'text'), at(delta, 'text'));
  if (type === 'arguments_delta') {
    const last = draft.calls.at(-1);
    if (last && last.args !== ANY) last.args += textOf(at(delta, 'arguments'));
  }
  if (type === 'image') draft.images++;
  for (const note of listOf(at(delta, 'annotations')))
    draft.sources.add(firstText(at(note, 'url'), at(note, 'source')));
}
