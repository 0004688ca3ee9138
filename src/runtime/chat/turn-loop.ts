/** The loop of one turn. Each round sends a request, reads its stream, runs client tools and waits for the user's answers. */
import type { RunOutcome, Run } from '../../conversation/run.ts';
import { isId, isSameId } from '../../model/same-id.ts';
import type { Answer, Turn } from '../../protocols/core/adapter.ts';
import { loadOnce } from '../../load-once.ts';
import { isAnswerForPage, openCalls, type OpenCall } from '../tools/open-calls.ts';
import { maxToolRounds } from '../tools/max-tool-rounds.ts';
import type { ClientToolRun } from '../tools/run-client-tools.ts';
import { newId } from '../new-id.ts';
import type { TurnStart, TurnContext } from '../turn-context.ts';
import { streamReply } from '../stream/stream-reply.ts';

const loadClientTools = loadOnce(() => import('../tools/run-client-tools.ts'));

/** The outcome of a turn that starts by waiting for an answer, without a request. */
const WAITING: RunOutcome = { status: 'streaming', finish: 'tool_use' };

/** The user has ended the turn, or does not allow the agent to continue. */
const COMPLETE: RunOutcome = { status: 'complete', finish: 'complete' };

/** What follows a round: another one, whose request contains these answers, or the end of the turn. */
type AfterRound = { readonly answers: readonly Answer[] } | { readonly outcome: RunOutcome };

/**
 * Runs rounds until the agent has finished, the reply is stopped, or an error ends it. A round is a request and its reply, and the
 * answers and tool results that the next request has to contain.
 *
 * @param start - how the first round starts; each later one sends a request
 */
export async function runRounds(
  context: TurnContext,
  first: Pick<Turn, 'text' | 'threadId' | 'answers' | 'fork'>,
  start: TurnStart = 'send',
): Promise<RunOutcome> {
  let { text, answers, fork } = first;
  let roundStart = start;
  let isResent = false;
  const limit = new RoundLimit();
  for (;;) {
    await context.listTools();
    // Loaded before the agent calls a tool. After a failure, the call itself tries again.
    if ((context.settings.tools ?? []).length > 0) loadClientTools().catch(() => undefined);
    const input: Turn = { text, answers, fork, threadId: first.threadId, messages: context.conversation() };
    const outcome = roundStart === 'wait' ? WAITING : await streamReply(context, input, roundStart);
    roundStart = 'send';
    if (!isResent && needsResend(context.run())) isResent = true;
    else {
      const next = await finishRound(context, outcome, limit);
      if ('outcome' in next) return next.outcome;
      ({ answers } = next);
      text = '';
      fork = undefined;
    }
    context.nextRound();
  }
}

/** After a reply: waits for the user's answers, and runs the tools of the page that the agent has called. */
async function finishRound(context: TurnContext, outcome: RunOutcome, limit: RoundLimit): Promise<AfterRound> {
  // After an error the agent waits for no answers. A protocol in which it still does reports the finish reason `tool_use`.
  if (outcome.status === 'error') return { outcome };
  // If the server has stopped the reply itself, its question stays open, but the next message of the user ends the turn.
  const allAnswers = await (outcome.status === 'cancelled'
    ? Promise.race([context.answers.next(), context.queued()])
    : context.answers.next());
  if (!allAnswers) return { outcome };
  if (allAnswers.length === 0 && !continues(context, outcome)) return { outcome: withoutQuestion(outcome) };
  // Answers to questions that the page itself asked before a restore are not sent to the server.
  const answers = allAnswers.filter((answer) => !isAnswerForPage(answer));
  // A client tool that the user has allowed runs even if the other answers end the turn: its result has to be sent.
  const isToolAllowed = allAnswers.some((answer) => isAnswerForPage(answer) && answer.decision === 'granted');
  if (!isToolAllowed && answers.length > 0 && answers.every(endsTurn)) {
    context.answers.markSent();
    await refuseTools(context, answers);
    return { outcome: COMPLETE };
  }
  if (!(await limit.mayContinue(context, allAnswers))) return { outcome: COMPLETE };
  const needsRequest =
    allAnswers.length > 0
      ? await runUnaskedCalls(context, allAnswers, limit.reset)
      : context.run().paused === true || (await runTools(context, limit.reset));
  return needsRequest ? { answers } : { outcome: withoutQuestion(outcome) };
}

/**
 * Counts consecutive rounds without an answer by the user, and asks the user after many of them. They may have no question, or only
 * questions that permanent approvals answer, so that the turn could continue endlessly.
 */
class RoundLimit {
  #unattended = 0;

  /** Called when the user has answered. */
  readonly reset = (): void => {
    this.#unattended = 0;
  };

  async mayContinue(context: TurnContext, answers: readonly Answer[]): Promise<boolean> {
    if (!answers.every(({ blockId }) => context.answers.isRemembered(blockId))) {
      this.reset();
      return true;
    }
    if (this.#unattended >= maxToolRounds(context.settings)) {
      if (!(await (await loadClientTools()).askToContinue(toolRunOf(context)))) return false;
      this.reset();
    }
    this.#unattended++;
    return true;
  }
}

/** The outcome of a turn without an open question: `streaming`, the status while a question is open, becomes `complete`. */
const withoutQuestion = (outcome: RunOutcome): RunOutcome =>
  outcome.status === 'streaming' ? { ...outcome, status: 'complete' } : outcome;

/** Whether the turn continues: the page has calls to run, or the server paused and expects another request. */
const continues = (context: TurnContext, { finish }: RunOutcome): boolean =>
  context.run().paused === true || (finish === 'tool_use' && openCalls(context.run()).length > 0);

/**
 * Whether to send the same request again in another form. The adapter has reported `paused` without content, for example because the
 * server supports only another version of A2A.
 */
const needsResend = (run: Run): boolean =>
  run.paused === true && !run.failed && run.messages.every(({ blocks }) => blocks.length === 0);

const runTools = async (context: TurnContext, onUserAnswer: () => void): Promise<boolean> =>
  (await loadClientTools()).runClientTools(toolRunOf(context, onUserAnswer));

/**
 * Runs the open calls about which the server has not asked. Their results are sent with the answers. The server runs the calls about
 * which it has asked, even if the page has a tool of that name. If it has asked about any call, it also runs those for which the page has
 * no tool; otherwise such a call ends the turn.
 */
async function runUnaskedCalls(
  context: TurnContext,
  answers: readonly Answer[],
  onUserAnswer: () => void,
): Promise<boolean> {
  const options = toolRunOf(context, onUserAnswer);
  await options.listTools();
  const pageAnswers = answers.filter(isAnswerForPage);
  const unasked = unaskedCalls(context, answers);
  const hasServerAsked = pageAnswers.length < answers.length;
  const calls = hasServerAsked ? callsOfPageTools(context, unasked) : unasked;
  return calls.length === 0 || (await loadClientTools()).runClientTools(options, calls, pageAnswers);
}

/** Ends the open calls of the page's tools without running them, because the user has ended the turn. */
async function refuseTools(context: TurnContext, answers: readonly Answer[]): Promise<void> {
  const calls = callsOfPageTools(context, unaskedCalls(context, answers));
  if (calls.length === 0) return;
  (await loadClientTools()).refuseCalls(toolRunOf(context), calls);
}

/** The open calls about which the server has not asked. */
const unaskedCalls = (context: TurnContext, answers: readonly Answer[]): readonly OpenCall[] =>
  openCalls(context.run()).filter((call) => !answers.some((answer) => isAskedByServer(call, answer)));

/** The calls for which the page has a tool. */
const callsOfPageTools = (context: TurnContext, calls: readonly OpenCall[]): readonly OpenCall[] =>
  calls.filter(({ tool_call: { name } }) => (context.settings.tools ?? []).some((tool) => tool.name === name));

/**
 * Whether the server asked about a call, which it then runs itself. Unless both have an id, the tool's name is compared:
 * skipping a call is safer than running one that the user denied.
 */
function isAskedByServer({ tool_call: { id, name } }: OpenCall, answer: Answer): boolean {
  if (isAnswerForPage(answer) || answer.actionType !== 'tool_call_permission') return false;
  return isId(id) && isId(answer.toolCallId) ? isSameId(id, answer.toolCallId) : answer.extra?.['toolName'] === name;
}

/** @param onUserAnswer - called when the user, and not a permanent approval, has answered a question about a call */
const toolRunOf = (context: TurnContext, onUserAnswer?: () => void): ClientToolRun => ({
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
    if (answers.some(({ blockId }) => !context.answers.isRemembered(blockId))) onUserAnswer?.();
    return answers;
  },
});

/** Whether an answer needs no request. The turn ends without one if this is true of all answers for the server. */
const endsTurn = ({ decision, actionType, extra }: Answer): boolean =>
  decision === 'dismissed' ||
  (decision === 'denied' && (actionType === 'maximum_tool_calls_reached' || extra?.['deniedEndsTurn'] === true));
