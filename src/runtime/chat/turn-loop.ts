/** The loop of one turn: streams, client tools and answers of the user, until the agent has finished. */
import type { RunOutcome, Run } from '../../conversation/run.ts';
import type { LLMAgentEvent } from '../../model/agent-events.ts';
import { isId, isSameId } from '../../model/same-id.ts';
import type { Answer, Turn } from '../../protocols/core/adapter.ts';
import { loadOnce } from '../../load-once.ts';
import { isAnswerForPage, openCalls, type OpenCall } from '../tools/open-calls.ts';
import type { ClientToolRun } from '../tools/run-client-tools.ts';
import { newId } from '../new-id.ts';
import type { TurnStart, TurnContext } from '../turn-context.ts';
import { streamReply } from '../stream/stream-reply.ts';

/** Number of rounds without an answer of the user, after which they are asked to let the agent continue. Default of `maxToolRounds`. */
export const MAX_TOOL_ROUNDS = 8;

const loadClientTools = loadOnce(() => import('../tools/run-client-tools.ts'));

const WAITING: RunOutcome = { status: 'streaming', finish: 'tool_use' };

export async function runRounds(
  job: TurnContext,
  first: Pick<Turn, 'text' | 'threadId' | 'answers' | 'fork'>,
  begin: TurnStart = 'send',
): Promise<RunOutcome> {
  let { text, answers, fork } = first;
  let beginning = begin;
  let rounds = 0;
  const countAgain = (): void => {
    rounds = 0;
  };
  let isResent = false;
  for (;;) {
    await job.listTools();
    // Loaded before the agent calls a tool. After a failure, the call itself tries again.
    if ((job.settings.tools ?? []).length > 0) loadClientTools().catch(() => undefined);
    const input: Turn = { text, answers, fork, threadId: first.threadId, messages: job.conversation() };
    const outcome = beginning === 'wait' ? WAITING : await streamReply(job, input, beginning);
    beginning = 'send';
    if (!isResent && needsResend(job.run())) {
      isResent = true;
      job.nextRound();
      continue;
    }
    // Nobody waits for answers any more. A protocol whose question outlives an error reports `tool_use` as its end.
    if (outcome.status === 'error') return outcome;
    text = '';
    fork = undefined;
    // Nothing runs on a server that has stopped the reply: its question stays open until the user sends another message.
    const all = await (outcome.status === 'cancelled' ? Promise.race([job.answers(), job.queued()]) : job.answers());
    if (!all) return outcome;
    // Answers to questions that the page itself asked before a restore are not sent to the server.
    answers = all.filter((answer) => !isAnswerForPage(answer));
    if (all.length === 0 && !continues(job, outcome)) return withoutQuestion(outcome);
    // A call that the user has allowed still runs, and its result needs a request.
    const isAllowed = all.some((answer) => isAnswerForPage(answer) && answer.decision === 'granted');
    if (!isAllowed && answers.length > 0 && answers.every(endsTurn)) {
      job.markSent();
      await refuseTools(job, answers);
      return { status: 'complete', finish: 'complete' };
    }
    // A permanent approval answers without the user, and may do so in every round.
    if (all.every(({ blockId }) => job.isRemembered(blockId))) {
      if (rounds >= (job.settings.maxToolRounds ?? MAX_TOOL_ROUNDS)) {
        if (!(await askToContinue(job))) return { status: 'complete', finish: 'complete' };
        rounds = 0;
      }
      rounds++;
    } else rounds = 0;
    if (
      all.length > 0
        ? !(await runOtherTools(job, all, countAgain))
        : job.run().paused !== true && !(await runTools(job, countAgain))
    )
      return withoutQuestion(outcome);
    job.nextRound();
  }
}

/** The outcome when nothing waits any more: one that reported an open question becomes `complete`. */
const withoutQuestion = (outcome: RunOutcome): RunOutcome =>
  outcome.status === 'streaming' ? { ...outcome, status: 'complete' } : outcome;

/** Whether the turn continues: the page has calls to run, or the server paused and expects another request. */
const continues = (job: TurnContext, { finish }: RunOutcome): boolean =>
  job.run().paused === true || (finish === 'tool_use' && openCalls(job.run()).length > 0);

/** The server has not started and expects the same request in another form. */
const needsResend = (run: Run): boolean =>
  run.paused === true && !run.failed && run.messages.every(({ blocks }) => blocks.length === 0);

const runTools = async (job: TurnContext, answered: () => void): Promise<boolean> =>
  (await loadClientTools()).runClientTools(toolRunOf(job, answered));

/**
 * Runs calls of the agent that were not part of the question. Their results are sent with the answers. Calls about which the server
 * has asked are its own, also if the page has a handler for them. If it has asked, other calls without a handler are left to it, too;
 * otherwise they end the turn.
 */
async function runOtherTools(job: TurnContext, answers: readonly Answer[], answered: () => void): Promise<boolean> {
  const options = toolRunOf(job, answered);
  await options.listTools();
  const forPage = answers.filter(isAnswerForPage);
  const open = unaskedCalls(job, answers);
  const runnable = runnableOf(job, open);
  const calls = forPage.length === answers.length ? open : runnable;
  return calls.length === 0 || (await loadClientTools()).runClientTools(options, calls, forPage);
}

/** Ends the calls of the page's tools with the reason, because the turn ends without them. */
async function refuseTools(job: TurnContext, answers: readonly Answer[]): Promise<void> {
  const calls = runnableOf(job, unaskedCalls(job, answers));
  if (calls.length === 0) return;
  const { refuseCalls } = await loadClientTools();
  refuseCalls(toolRunOf(job), 'Not run: the user has ended the turn.', calls);
}

/** The open calls about which the server has not asked. */
const unaskedCalls = (job: TurnContext, answers: readonly Answer[]): readonly OpenCall[] =>
  openCalls(job.run()).filter((call) => !answers.some((answer) => isAskedByServer(call, answer)));

/** The calls for which the page has a tool. */
const runnableOf = (job: TurnContext, calls: readonly OpenCall[]): readonly OpenCall[] =>
  calls.filter(({ tool_call: { name } }) => (job.settings.tools ?? []).some((tool) => tool.name === name));

/**
 * Whether the server asked about a call, which it then runs itself. Unless both have an id, the tool's name is compared:
 * skipping a call is safer than running one that the user denied.
 */
function isAskedByServer({ tool_call: { id, name } }: OpenCall, answer: Answer): boolean {
  if (isAnswerForPage(answer) || answer.actionType !== 'tool_call_permission') return false;
  return isId(id) && isId(answer.toolCallId) ? isSameId(id, answer.toolCallId) : answer.extra?.['toolName'] === name;
}

/** @param answered - called when the user has answered a question about a call */
const toolRunOf = (job: TurnContext, answered?: () => void): ClientToolRun => ({
  tools: () => job.settings.tools ?? [],
  listTools: () => job.listTools(),
  isRestored: (blockId) => job.isRestored(blockId),
  isRevoked: (blockId) => job.isRevoked(blockId),
  signal: job.signal,
  eventId: newId(),
  run: () => job.run(),
  dispatch: (events, callBlockId) => {
    job.dispatch(events, callBlockId);
  },
  answers: async () => {
    const answers = await job.pageAnswers();
    if (answers.some(({ blockId }) => !job.isRemembered(blockId))) answered?.();
    return answers;
  },
});

/** Whether an answer needs no request. The turn ends without one if this is true of all answers for the server. */
const endsTurn = ({ decision, actionType, extra }: Answer): boolean =>
  decision === 'dismissed' ||
  (decision === 'denied' && (actionType === 'maximum_tool_calls_reached' || extra?.['deniedEndsTurn'] === true));

/** Asks the user, after many rounds, whether the agent may continue. */
async function askToContinue(job: TurnContext): Promise<boolean> {
  const ask: LLMAgentEvent = { type: 'response', data: { eventId: newId(), maximum_tool_calls_reached: true } };
  job.dispatch([ask]);
  const answers = await job.pageAnswers();
  if (answers.some(({ decision }) => decision === 'granted')) return true;
  const { refuseCalls } = await loadClientTools();
  refuseCalls(toolRunOf(job), 'Not run: the user did not allow the agent to continue.');
  return false;
}
