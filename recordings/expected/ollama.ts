/** Ollama's `/api/chat` and `/api/generate`. Source: https://github.com/ollama/ollama/blob/main/docs/api.md */
import { at, firstText, listOf, textOf } from '../json.ts';
import { errorText, type Payload } from './frames.ts';
import { emptyDraft, endOf, finishDraft, splitThinking, type Summary } from './summary.ts';

export function expectOllama(payloads: readonly Payload[]): Summary {
  const draft = emptyDraft();
  for (const { json } of payloads) {
    if (at(json, 'error') !== undefined) draft.errors.push(errorText(at(json, 'error')));
    draft.text += firstText(at(json, 'message', 'content'), at(json, 'response'));
    draft.reasoning += firstText(at(json, 'message', 'thinking'), at(json, 'thinking'));
    for (const call of listOf(at(json, 'message', 'tool_calls'))) {
      const args = JSON.stringify(at(call, 'function', 'arguments') ?? {});
      draft.calls.push({ id: textOf(at(call, 'id')), name: textOf(at(call, 'function', 'name')), args });
    }
    if (at(json, 'done') === true) draft.end = endOf(textOf(at(json, 'done_reason')), draft);
  }
  splitThinking(draft);
  return finishDraft(draft);
}
