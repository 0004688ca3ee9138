/** Anthropic's Messages. Source: https://docs.claude.com/en/docs/build-with-claude/streaming */
import { at, firstText, isFields, listOf, textOf } from '../json.ts';
import { errorText, type Payload } from './frames.ts';
import { emptyDraft, endOf, finishDraft, type Draft, type Summary } from './summary.ts';

type Call = Draft['calls'][number];

interface State {
  draft: Draft;
  /** The calls by the index of their block. */
  readonly calls: Map<number, Call>;
  /** Calls that wait for a result from outside. */
  readonly own: Call[];
}

export function expectAnthropic(payloads: readonly Payload[]): Summary {
  const state: State = { draft: emptyDraft(), calls: new Map(), own: [] };
  for (const { json } of payloads) take(state, json);
  state.draft.sources.delete('');
  return finishDraft(state.draft);
}

function take(state: State, json: unknown): void {
  const { draft, calls } = state;
  const index = Number(at(json, 'index'));
  switch (at(json, 'type')) {
    case 'message_start':
      // A gateway that retries sends the message from its start again.
      if (draft.end === undefined) state.draft = emptyDraft();
      for (const block of listOf(at(json, 'message', 'content'))) startBlock(state, -1, block);
      addEnd(state, at(json, 'message'));
      break;
    case 'content_block_start':
      startBlock(state, index, at(json, 'content_block'));
      break;
    case 'content_block_delta':
      addDelta(draft, calls.get(index), at(json, 'delta'));
      break;
    case 'message_delta':
      addEnd(state, at(json, 'delta'));
      break;
    case 'error':
      draft.errors.push(errorText(at(json, 'error')));
  }
}

function startBlock({ draft, calls, own }: State, index: number, block: unknown): void {
  const type = textOf(at(block, 'type'));
  draft.text += type === 'text' ? textOf(at(block, 'text')) : '';
  draft.reasoning += type === 'thinking' ? textOf(at(block, 'thinking')) : '';
  for (const note of listOf(at(block, 'citations'))) draft.sources.add(textOf(at(note, 'url')));
  if (!/^(?:server_|mcp_)?tool_use$/.test(type)) return;
  const input = at(block, 'input');
  const args = isFields(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
  const call = { id: textOf(at(block, 'id')), name: textOf(at(block, 'name')), args };
  calls.set(index, call);
  draft.calls.push(call);
  if (type === 'tool_use') own.push(call);
}

function addDelta(draft: Draft, call: Call | undefined, delta: unknown): void {
  draft.text += textOf(at(delta, 'text'));
  draft.reasoning += textOf(at(delta, 'thinking'));
  draft.sources.add(textOf(at(delta, 'citation', 'url')));
  if (call) call.args += textOf(at(delta, 'partial_json'));
}

function addEnd({ draft, own }: State, delta: unknown): void {
  const reason = textOf(at(delta, 'stop_reason'));
  if (reason !== '') draft.end = endOf(reason, { calls: own });
  const explanation = firstText(at(delta, 'stop_details', 'explanation'));
  if (explanation !== '') draft.errors.push(explanation);
}
