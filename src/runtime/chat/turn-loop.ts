/** The loop of one turn: streams, client tools and answers of the user, until the agent has finished. */
import type { RunOutcome, Run } from '../../conversation/run.ts';
import type { LLMAgentEvent } from '../../model/events/agent-events.ts';
import { isId, isSameId } from '../../model/same-id.ts';
import type { Answer, Turn } from '../../protocols/core/adapter.ts';
import { loadOnce } from '../../load-once.ts';
import { isAnswerForPage, openCalls, type OpenCall } from '../tools/open-calls.ts';
import type { ClientToolRun } from '../tools/run-client-tools.ts';
import { MAX_TOOL_ROUNDS } from '../answers/turn-answers.ts';
import { newId } from '../new-id.ts';
import type { TurnStart, TurnContext } from '../turn-context.ts';
import { streamReply } from '../stream/stream-reply.ts';

const loadClientTools = loadOnce(() => import('../tools/run-client-tools.ts'));

const WAITING: RunOutcome = { status: 'streaming', finish: 'tool_use' };

/**
 * Runs the rounds of a turn. A round is a request and its reply, and the answers and tool results that the next request has to contain.
 *
 * @param start - how the first round starts. The others start with a request
 */
export async function runRounds(
  context: TurnContext,
  first: Pick<Turn, 'text' | 'threadId' | 'answers' | 'fork'>,
  start: TurnStart = 'send',
): Promise<RunOutcome> {
  let { text, answers, fork } = first;
  let roundStart = start;
  let roundsWithoutUser = 0;
  const resetCount = (): void => {
    roundsWithoutUser = 0;
  };
  let isResent = false;
  for (;;) {
    await context.listTools();
    // Loaded before the agent calls a tool. If loading fails, the call loads it again.
    if ((context.settings.tools ?? []).length > 0) loadClientTools().catch(() => undefined);
    const input: Turn = { text, answers, fork, threadId: first.threadId, messages: context.conversation() };
    const outcome = roundStart === 'wait' ? WAITING : await streamReply(context, input, roundStart);
    roundStart = 'send';
    if (!isResent && needsResend(context.run())) {
      isResent = true;
      context.nextRound();
      continue;
    }
    // After an error, no answer is expected any more. A protocol whose questions stay open after an error reports `tool_use` as its end.
    if (outcome.status === 'error') return outcome;
    text = '';
    fork = undefined;
    // A server that has stopped the reply runs nothing. Its question stays open until the user answers it or sends another message.
    const all = await (outcome.status === 'cancelled'
      ? Promise.race([context.answers.next(), context.queued()])
      : context.answers.next());
    if (!all) return outcome;
    // Answers to questions that the page itself asked before a restore are not sent to the server.
    answers = all.filter((answer) => !isAnswerForPage(answer));
    if (all.length === 0 && !continues(context, outcome)) return withoutQuestion(outcome);
    // A call that the user has allowed still runs, and its result needs a request.
    const hasAllowedCall = all.some((answer) => isAnswerForPage(answer) && answer.decision === 'granted');
    if (!hasAllowedCall && answers.length > 0 && answers.every(endsTurn)) {
      context.answers.markSent();
      await refuseTools(context, answers);
      return { status: 'complete', finish: 'complete' };
    }
    // True without answers too: tools that need no approval, and permanent approvals, could continue the turn endlessly.
    const isWithoutUser = all.every(({ blockId }) => context.answers.isRemembered(blockId));
    if (!isWithoutUser) resetCount();
    else {
      if (roundsWithoutUser >= (context.settings.maxToolRounds ?? MAX_TOOL_ROUNDS)) {
        if (!(await askToContinue(context))) return { status: 'complete', finish: 'complete' };
        resetCount();
      }
      roundsWithoutUser++;
    }
    const needsRequest =
      all.length > 0
        ? await runOtherTools(context, all, resetCount)
        : context.run().paused === true || (await runTools(context, resetCount));
    if (!needsRequest) return withoutQuestion(outcome);
    context.nextRound();
  }
}

/** The outcome when nothing waits any more: `streaming`, which stands for an open question, becomes `complete`. */
const withoutQuestion = (outcome: RunOutcome): RunOutcome =>
  outcome.status === 'streaming' ? { ...outcome, status: 'complete' } : outcome;

/** Whether the turn continues: the page has calls to run, or the server paused and expects another request. */
const continues = (context: TurnContext, { finish }: RunOutcome): boolean =>
  context.run().paused === true || (finish === 'tool_use' && openCalls(context.run()).length > 0);

/** Whether the server expects the same request in another form: it has paused before any content. */
const needsResend = (run: Run): boolean =>
  run.paused === true && !run.failed && run.messages.every(({ blocks }) => blocks.length === 0);

/** Runs all open calls. @returns whether their results have to be sent */
const runTools = async (context: TurnContext, answered: () => void): Promise<boolean> =>
  (await loadClientTools()).runClientTools(toolRunOf(context, answered));

/**
 * Runs the open calls after the user has answered questions. Their results are sent with the answers. A call that the server has asked
 * about runs on the server, even if the page has a tool with that name. If the server has asked anything, it also runs the calls for
 * which the page has no tool. Otherwise such a call ends the turn.
 *
 * @returns whether answers or results have to be sent
 */
async function runOtherTools(context: TurnContext, answers: readonly Answer[], answered: () => void): Promise<boolean> {
  const options = toolRunOf(context, answered);
  await options.listTools();
  const forPage = answers.filter(isAnswerForPage);
  const open = unaskedCalls(context, answers);
  const runnable = runnableOf(context, open);
  const calls = forPage.length === answers.length ? open : runnable;
  return calls.length === 0 || (await loadClientTools()).runClientTools(options, calls, forPage);
}

/** Ends the calls of the page's tools with the reason, because the turn ends without them. */
async function refuseTools(context: TurnContext, answers: readonly Answer[]): Promise<void> {
  const calls = runnableOf(context, unaskedCalls(context, answers));
  if (calls.length === 0) return;
  const { refuseCalls } = await loadClientTools();
  refuseCalls(toolRunOf(context), 'Not run: the user has ended the turn.', calls);
}

/** The open calls about which the server has not asked. */
const unaskedCalls = (context: TurnContext, answers: readonly Answer[]): readonly OpenCall[] =>
  openCalls(context.run()).filter((call) => !answers.some((answer) => isAskedByServer(call, answer)));

/** The calls for which the page has a tool. */
const runnableOf = (context: TurnContext, calls: readonly OpenCall[]): readonly OpenCall[] =>
  calls.filter(({ tool_call: { name } }) => (context.settings.tools ?? []).some((tool) => tool.name === name));

/**
 * Whether the server asked about a call, which it then runs itself. Unless both have an id, the tool's name is compared:
 * skipping a call is safer than running one that the user denied.
 */
function isAskedByServer({ tool_call: { id, name } }: OpenCall, answer: Answer): boolean {
  if (isAnswerForPage(answer) || answer.actionType !== 'tool_call_permission') return false;
  return isId(id) && isId(answer.toolCallId) ? isSameId(id, answer.toolCallId) : answer.extra?.['toolName'] === name;
}

/** @param answered - called when the user has answered a question about a call */
const toolRunOf = (context: TurnContext, answered?: () => void): ClientToolRun => ({
  tools: () => context.settings.tools ?? [],
  listTools: () => context.listTools(),
  isRestored: (blockId) => context.isRestored(blockId),
  isRevoked: (blockId) => context.answers.isRevoked(blockId),
  signal: context.signal,
  eventId: newId(),
  run: () => context.run(),
  dispatch: (events, callBlockId) => {
    context.dispatch(events, callBlockId);
  },
  answers: async () => {
    const answers = await context.answers.forPage();
    if (answers.some(({ blockId }) => !context.answers.isRemembered(blockId))) answered?.();
    return answers;
  },
});

/** Whether an answer needs no request. The turn ends without one if this is true of all answers for the server. */
const endsTurn = ({ decision, actionType, extra }: Answer): boolean =>
  decision === 'dismissed' ||
  (decision === 'denied' && (actionType === 'maximum_tool_calls_reached' || extra?.['deniedEndsTurn'] === true));

/** Asks the user, after many rounds, whether the agent may continue. */
async function askToContinue(context: TurnContext): Promise<boolean> {
  const ask: LLMAgentEvent = { type: 'response', data: { eventId: newId(), maximum_tool_calls_reached: true } };
  context.dispatch([ask]);
  const answers = await context.answers.forPage();
  if (answers.some(({ decision }) => decision === 'granted')) return true;
  const { refuseCalls } = await loadClientTools();
  refuseCalls(toolRunOf(context), 'Not run: the user did not allow the agent to continue.');
  return false;
}
