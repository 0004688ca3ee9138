/** Gemini's `streamGenerateContent`. Source: https://ai.google.dev/api/generate-content */
import { at, fieldsOf, firstText, isFields, listOf, textOf, type Fields } from '../json.ts';
import { errorText, type Payload } from './frames.ts';
import { ANY, emptyDraft, endOf, finishDraft, type Draft, type Summary } from './summary.ts';

export function expectGemini(payloads: readonly Payload[]): Summary {
  const draft = emptyDraft();
  const open: OpenCall = { args: undefined };
  for (const { json } of payloads) {
    if (isFields(at(json, 'error'))) draft.errors.push(errorText(at(json, 'error')));
    const candidate = listOf(at(json, 'candidates'))[0];
    for (const part of listOf(at(candidate, 'content', 'parts'))) addPart(draft, open, part);
    for (const chunk of listOf(at(candidate, 'groundingMetadata', 'groundingChunks')))
      draft.sources.add(
        firstText(at(chunk, 'web', 'uri'), at(chunk, 'maps', 'uri'), at(chunk, 'retrievedContext', 'uri')),
      );
    const { citations, citationSources } = {
      citations: at(candidate, 'citationMetadata', 'citations'),
      citationSources: at(candidate, 'citationMetadata', 'citationSources'),
    };
    for (const source of [...listOf(citations), ...listOf(citationSources)])
      draft.sources.add(textOf(at(source, 'uri')));
    const reason = textOf(at(candidate, 'finishReason'));
    if (reason !== '') draft.end = endOf(reason, { calls: draft.calls.filter(({ args }) => args !== ANY) });
    const { blockReason, blockReasonMessage } = fieldsOf(at(json, 'promptFeedback'));
    if (textOf(blockReason) !== '') draft.errors.push(firstText(blockReasonMessage, ANY));
  }
  draft.sources.delete('');
  return finishDraft(draft);
}

function addPart(draft: Draft, open: OpenCall, part: unknown): void {
  const text = textOf(at(part, 'text'));
  if (at(part, 'thought') === true) draft.reasoning += text;
  else draft.text += text;
  const call = at(part, 'functionCall');
  if (isFields(call)) addCall(draft, open, call);
  const tool = at(part, 'toolCall');
  if (isFields(tool)) draft.calls.push({ id: textOf(tool['id']), name: textOf(tool['toolType']), args: ANY });
  const code = at(part, 'executableCode');
  if (isFields(code)) draft.calls.push({ id: textOf(code['id']), name: 'code_execution', args: ANY });
  if (textOf(at(part, 'inlineData', 'mimeType')).startsWith('image/')) draft.images++;
}

/** A call whose arguments come in parts, and what they are so far. */
interface OpenCall {
  args: Record<string, unknown> | undefined;
}

function addCall(draft: Draft, open: OpenCall, call: Fields): void {
  const { id, name, args, partialArgs, willContinue } = call;
  const isStart = open.args === undefined;
  if (isStart) {
    open.args = { ...fieldsOf(args) };
    draft.calls.push({ id: textOf(id), name: textOf(name), args: '' });
  }
  for (const part of listOf(partialArgs)) setPart(open.args ?? {}, part);
  const last = draft.calls.at(-1);
  if (last) last.args = JSON.stringify(open.args);
  if (willContinue !== true) open.args = undefined;
}

/** A path is like `$.items[0].name`. Text comes in parts, anything else at once. */
function setPart(args: Record<string, unknown>, part: unknown): void {
  const names = [...textOf(at(part, 'jsonPath')).matchAll(/\.(\w+)|\[(\d+)\]|\['([^']*)'\]/g)].map(
    ([, name, index, quoted]) => name ?? quoted ?? Number(index),
  );
  const { stringValue, numberValue, boolValue } = fieldsOf(part);
  let target: Record<string | number, unknown> = args;
  for (const [position, name] of names.entries()) {
    const next = names[position + 1];
    if (next === undefined) {
      const before = target[name];
      target[name] =
        typeof stringValue === 'string' ? textOf(before) + stringValue : (numberValue ?? boolValue ?? null);
    } else {
      target[name] ??= typeof next === 'number' ? [] : {};
      target = target[name] as Record<string | number, unknown>;
    }
  }
}
