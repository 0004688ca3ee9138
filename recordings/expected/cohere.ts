/** Cohere's chat, version 2. Source: https://docs.cohere.com/v2/docs/streaming */
import { at, listOf, textOf } from '../json.ts';
import { errorText, type Payload } from './frames.ts';
import { emptyDraft, endOf, finishDraft, type Draft, type Summary } from './summary.ts';

export function expectCohere(payloads: readonly Payload[]): Summary {
  const draft = emptyDraft();
  for (const { json } of payloads) {
    const type = textOf(at(json, 'type'));
    const message = at(json, 'delta', 'message');
    draft.text += textOf(at(message, 'content', 'text'));
    // The plan for the calls is the model's reasoning.
    draft.reasoning += textOf(at(message, 'content', 'thinking')) + textOf(at(message, 'tool_plan'));
    if (type.startsWith('tool-call')) addCall(draft, type, at(message, 'tool_calls'));
    for (const source of listOf(at(message, 'citations', 'sources')))
      draft.sources.add(textOf(at(source, 'document', 'url')));
    const reason = textOf(at(json, 'delta', 'finish_reason'));
    if (reason !== '') draft.end = endOf(reason, draft);
    if (at(json, 'delta', 'error')) draft.errors.push(errorText(at(json, 'delta', 'error')));
  }
  draft.sources.delete('');
  return finishDraft(draft);
}

function addCall(draft: Draft, type: string, call: unknown): void {
  const args = textOf(at(call, 'function', 'arguments'));
  const last = draft.calls.at(-1);
  if (type === 'tool-call-start') {
    draft.calls.push({ id: textOf(at(call, 'id')), name: textOf(at(call, 'function', 'name')), args });
  } else if (last) last.args += args;
}
