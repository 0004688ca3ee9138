/** OpenAI's Responses API. Source: https://platform.openai.com/docs/api-reference/responses-streaming */
import { at, firstText, listOf, textOf } from '../json.ts';
import { errorText, type Payload } from './frames.ts';
import { ANY, emptyDraft, endOf, finishDraft, type Draft, type Summary } from './summary.ts';

/** A part of the output: its text so far, by part, and its final form. */
interface Output {
  text: string;
  /** Where the text of the current part begins. */
  start: number;
  readonly reasoning: Map<string, string>;
  item?: unknown;
}

interface State {
  readonly draft: Draft;
  /** The output by position. */
  readonly output: Map<string, Output>;
  /** The positions of items by their ids. */
  readonly places: Map<string, string>;
  /** Ids of calls that wait for a result from outside. */
  readonly own: Set<string>;
  isRefused: boolean;
}

export function expectOpenAiResponses(payloads: readonly Payload[]): Summary {
  const state: State = { draft: emptyDraft(), output: new Map(), places: new Map(), own: new Set(), isRefused: false };
  for (const { event, json } of payloads) take(state, firstText(at(json, 'type'), event), json);
  const { draft, own } = state;
  for (const { text, reasoning, item } of state.output.values()) {
    draft.text += text || (at(item, 'type') === 'message' ? joined(at(item, 'content'), '') : '');
    draft.reasoning += [...reasoning.values()].join('\n\n') || thoughtsOf(item);
    if (item !== undefined) addItem(state, item);
  }
  if (draft.end === 'complete') draft.end = state.isRefused ? 'error' : own.size > 0 ? 'tool_use' : 'complete';
  draft.sources.delete('');
  return finishDraft(draft);
}

const joined = (parts: unknown, separator: string): string =>
  listOf(parts)
    .map((part) => firstText(at(part, 'text'), at(part, 'refusal')))
    .join(separator);

const thoughtsOf = (item: unknown): string =>
  at(item, 'type') === 'reasoning' ? joined(at(item, 'summary'), '\n\n') || joined(at(item, 'content'), '\n\n') : '';

function take(state: State, type: string, json: unknown): void {
  const { draft } = state;
  const output = outputOf(state, json);
  const delta = textOf(at(json, 'delta'));
  if (/^response\.(?:output_text|refusal)\.delta$/.test(type)) output.text += delta;
  if (type === 'response.output_text.done') {
    output.text = output.text.slice(0, output.start) + textOf(at(json, 'text'));
    output.start = output.text.length;
  }
  if (/^response\.reasoning(?:_summary)?_text\.delta$/.test(type)) {
    const part = `${type} ${JSON.stringify(at(json, 'summary_index'))}`;
    output.reasoning.set(part, (output.reasoning.get(part) ?? '') + delta);
  }
  if (type === 'response.output_item.done') output.item = at(json, 'item');
  if (type === 'response.output_text.annotation.added') draft.sources.add(textOf(at(json, 'annotation', 'url')));
  takeEnd(draft, type, json);
}

function takeEnd(draft: Draft, type: string, json: unknown): void {
  if (type === 'response.completed') draft.end = 'complete';
  if (type === 'response.incomplete')
    draft.end = endOf(textOf(at(json, 'response', 'incomplete_details', 'reason')), draft);
  if (type === 'error') draft.errors.push(errorText(at(json, 'error') ?? json));
  // An `error` event before it has the same reason.
  if (type === 'response.failed' && draft.errors.length === 0) {
    draft.errors.push(errorText(at(json, 'response', 'error')));
  }
}

/** An item's position is its index. Events without it name the item by an id that came with the index before. */
function outputOf({ places, output }: State, json: unknown): Output {
  const id = firstText(at(json, 'item_id'), at(json, 'item', 'id'));
  const index = at(json, 'output_index');
  const place = typeof index === 'number' ? String(index) : (places.get(id) ?? id);
  if (!places.has(id)) places.set(id, place);
  const found = output.get(place) ?? { text: '', start: 0, reasoning: new Map<string, string>() };
  output.set(place, found);
  return found;
}

function addItem(state: State, item: unknown): void {
  const { draft, own } = state;
  const type = textOf(at(item, 'type'));
  for (const part of listOf(at(item, 'content'))) {
    state.isRefused ||= at(part, 'type') === 'refusal';
    for (const note of listOf(at(part, 'annotations'))) draft.sources.add(textOf(at(note, 'url')));
  }
  if (type.endsWith('_call')) addCall(state, type, item);
  if (type === 'mcp_approval_request') own.add(textOf(at(item, 'id')));
  // The server has run it.
  if (type.endsWith('_call_output')) own.delete(textOf(at(item, 'call_id')));
  if (type === 'program') draft.calls.push({ id: textOf(at(item, 'call_id')), name: type, args: ANY });
  if (type === 'image_generation_call' && at(item, 'result')) draft.images++;
  draft.images += listOf(at(item, 'outputs')).filter((output) => at(output, 'type') === 'image').length;
}

/** The calls that wait for a result from outside. The server runs the others. */
const CLIENT_CALLS = /^(?:function|custom_tool|local_shell|shell|apply_patch|computer)_call$/;

function addCall({ draft, own }: State, type: string, item: unknown): void {
  const name = firstText(at(item, 'name'), type.slice(0, -'_call'.length));
  // xAI runs these itself and reports them as custom tools.
  const isServerTool = !CLIENT_CALLS.test(type) || (type === 'custom_tool_call' && /^(?:x_|view_)/.test(name));
  const hasArguments = !isServerTool && /^(?:function|custom_tool)_/.test(type);
  const args = hasArguments ? firstText(at(item, 'arguments'), at(item, 'input')) : ANY;
  const id = textOf(at(item, isServerTool ? 'id' : 'call_id'));
  draft.calls.push({ id, name, args });
  if (!isServerTool) own.add(id);
}
