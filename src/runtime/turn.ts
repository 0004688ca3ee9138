/** One turn: rounds of streams, tools of the page and answers of the reader, until the agent has nothing more to say. */
import type { Outcome } from '../conversation/run.ts';
import type { LLMAgentEvent } from '../model/agent-events.ts';
import type { Answer, Turn } from '../protocols/adapter.ts';
import { openCalls, refuseCalls, runClientTools, type ToolRun } from './client-tools.ts';
import { newId } from './new-id.ts';
import type { Reply } from './reply.ts';
import { streamReply } from './stream-reply.ts';

const MAX_TOOL_ROUNDS = 8;

export interface TurnJob extends Reply {
  /** Resolves when nothing is waiting for the reader, with what they have decided since it was last asked. */
  answers(): Promise<readonly Answer[]>;
  /** Whether the reader has allowed it for good. */
  allows(scope: { readonly server: string; readonly tool: string }): boolean;
  /** What was counted stays counted; the next stream goes on in the same messages. */
  nextRound(): void;
}

/** How a turn begins: with its request, with what is left of its reply, or with an answer that is still waited for. */
export type Beginning = 'send' | 'resume' | 'wait';

const WAITING: Outcome = { status: 'streaming', finish: 'tool_use' };

export async function runTurn(
  job: TurnJob,
  first: Pick<Turn, 'text' | 'threadId' | 'answers' | 'fork'>,
  begin: Beginning = 'send',
): Promise<Outcome> {
  let { text, answers, fork } = first;
  let how = begin;
  let rounds = 0;
  for (;;) {
    const turn: Turn = { text, answers, fork, threadId: first.threadId, messages: job.conversation() };
    const outcome = how === 'wait' ? WAITING : await streamReply(job, turn, how);
    how = 'send';
    text = '';
    fork = undefined;
    answers = await job.answers();
    if (answers.length > 0) {
      if (answers.every(endsTurn)) return { status: 'complete', finish: 'complete' };
      if (!(await runOtherTools(job, answers))) return outcome;
    } else if (!goesOn(job, outcome)) return outcome;
    else {
      if (rounds >= (job.settings.maxToolRounds ?? MAX_TOOL_ROUNDS)) {
        if (!(await mayGoOn(job))) return { status: 'complete', finish: 'complete' };
        rounds = 0;
      }
      if (job.run().paused !== true && !(await runTools(job))) return outcome;
      rounds++;
    }
    job.nextRound();
  }
}

/** The page has calls to run, or the server has paused and wants to be asked again. */
const goesOn = (job: TurnJob, { status, finish }: Outcome): boolean =>
  status !== 'error' && (job.run().paused === true || (finish === 'tool_use' && openCalls(job.run()).length > 0));

const runTools = (job: TurnJob): Promise<boolean> => runClientTools(toolRunOf(job));

/** What the agent has called beside that which was asked: its results go back with the answers. */
function runOtherTools(job: TurnJob, answers: readonly Answer[]): Promise<boolean> {
  const options = toolRunOf(job);
  const answered = new Set(answers.map(({ toolCallId }) => toolCallId));
  const calls = openCalls(job.run()).filter(
    ({ tool_call: { id, name } }) => !answered.has(id) && options.tools.some((tool) => tool.name === name),
  );
  return calls.length > 0 ? runClientTools(options, calls) : Promise.resolve(true);
}

const toolRunOf = (job: TurnJob): ToolRun => ({
  tools: job.settings.tools ?? [],
  signal: job.signal,
  eventId: newId(),
  run: () => job.run(),
  dispatch: (events) => {
    job.dispatch(events);
  },
  answers: () => job.answers(),
});

/** An answer that there is nothing to send about. */
const endsTurn = ({ decision, actionType, extra }: Answer): boolean =>
  decision === 'dismissed' ||
  (decision === 'denied' && (actionType === 'maximum_tool_calls_reached' || extra?.['deniedEndsTurn'] === true));

/** After many rounds the reader is asked whether the agent may go on. */
async function mayGoOn(job: TurnJob): Promise<boolean> {
  const ask: LLMAgentEvent = { type: 'response', data: { eventId: newId(), maximum_tool_calls_reached: true } };
  job.dispatch([ask]);
  const answers = await job.answers();
  if (answers.some(({ decision }) => decision === 'granted')) return true;
  refuseCalls(toolRunOf(job), 'Not run: the user did not let the agent go on.');
  return false;
}
