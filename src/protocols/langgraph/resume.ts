/** Answers to a graph's questions. Source: `docs/protocols/langgraph.md`. */
import { ChatError } from '../../errors.ts';
import type { BlockOf } from '../../model/blocks.ts';
import type { Answer, Turn } from '../core/adapter.ts';
import { isRefusal } from '../core/deny-shared-ids.ts';
import { cardOf } from '../core/shown-call.ts';
import type { OpenInterrupt } from './interrupts.ts';
import { isRecord, parseJson } from '../../model/json.ts';

type Json = Readonly<Record<string, unknown>>;

/** The open questions of the last stream. Each stream reports them at its end and clears them at its start. */
export function openQuestions({ messages }: Pick<Turn, 'messages'>): readonly OpenInterrupt[] {
  const reply = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const open = reply.findLast(({ metadata }) => Array.isArray(metadata?.['interrupts']))?.metadata?.['interrupts'];
  return (open ?? []) as readonly OpenInterrupt[];
}

/**
 * The answers by question id, in the order of the questions. A breakpoint has none: the run continues without an
 * answer.
 */
export function interruptResponses(turn: Turn): ReadonlyMap<string, unknown> {
  return new Map(
    openQuestions(turn).flatMap((open): readonly (readonly [string, unknown])[] => {
      if (open.kind === 'breakpoint') {
        if (turn.answers.some((answer) => continuesRun(answer, open.id, turn))) return [];
        throw new ChatError('agent', 'The run waits at a breakpoint, and the user has not let it continue.', {
          reason: 'agent',
        });
      }
      const answers = turn.answers.filter(({ extra }) => extra?.['requestId'] === open.id);
      if (open.kind === 'tool') return [[open.id, { [open.callId]: resultOf(turn, open.callId) }]];
      if (open.kind !== 'actions') return [[open.id, valueOf(answers[0])]];
      const decisions = open.names.map((name, index) => {
        const answer = answers.find(({ extra }) => extra?.['index'] === index);
        return decisionOf(name, answer, answer && isShownAction(cardOf(answer, turn), name));
      });
      return [[open.id, { decisions }]];
    }),
  );
}

/** Whether the user has let the run continue. A question with other text is not the one about the breakpoint. */
const continuesRun = (answer: Answer, id: string, turn: Turn): boolean => {
  const card = cardOf(answer, turn);
  const isShown = card?.action_type === 'confirmation' && card.content === undefined && !card.extra?.['options'];
  return isShown && answer.extra?.['requestId'] === id && !isRefusal(answer);
};

const valueOf = (answer: Answer | undefined): unknown =>
  answer?.payload ?? (answer?.decision === 'granted' ? true : answer?.decision === 'denied' ? false : null);

/** Whether the card, which is the question as the user has seen it, asks about this action. The stored name may differ. */
const isShownAction = (card: BlockOf<'action'> | undefined, name: string): boolean =>
  card?.action_type === 'tool_call_permission' && (card.tool_call?.name ?? '') === name;

function decisionOf(name: string, answer: Answer | undefined, isShown = false): Json {
  if (!isShown) return { type: 'reject' };
  if (isRecord(answer?.payload) && typeof answer.payload['type'] === 'string') return answer.payload;
  if (answer?.decision !== 'granted') return { type: 'reject', ...(answer?.note && { message: answer.note }) };
  if (answer.arguments === undefined) return { type: 'approve' };
  const args = typeof answer.arguments === 'string' ? parseJson(answer.arguments) : answer.arguments;
  // The graph runs a call with an object only.
  if (!isRecord(args)) return { type: 'reject', message: 'The edited arguments are not a JSON object.' };
  // Python reads `edited_action`, JavaScript `editedAction`.
  return { type: 'edit', edited_action: { name, args }, editedAction: { name, args } };
}

function resultOf({ messages }: Turn, callId: string): unknown {
  const blocks = messages.flatMap(({ blocks: all }) => all);
  const block = blocks.findLast((item) => item.type === 'tool_call' && item.tool_call.id === callId);
  if (block?.type !== 'tool_call') return null;
  const { response = '' } = block.tool_call;
  return block.status === 'error' ? { error: response } : (parseJson(response) ?? response);
}
