/** Runs the agent's calls of tools in the page. */
import { isRecord } from '../../model/json.ts';
import { resultText, type ClientTool } from '../../agents/tools.ts';
import { taskScheduler } from '../stream/task-scheduler.ts';
import { argumentsMatchSchema } from './arguments-match-schema.ts';
import { isExactJson } from './is-exact-json.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../../model/events/agent-events.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { thrownMessage } from '../../model/text/thrown-message.ts';
import type { Answer } from '../../protocols/core/adapter.ts';
import type { Run } from '../../conversation/run.ts';
import {
  argumentsOf,
  isQuestionAbout,
  isCurrentQuestion,
  openCalls,
  questionFields,
  type OpenCall,
} from './open-calls.ts';

type Call = OpenCall;

/** Whether a call runs with the values that its question shows: `JSON.parse()` keeps the last of equal names, and rounds large numbers. */
const isReadExactly = ({ tool_call: { params = '' } }: Call): boolean => isExactJson(params);

export interface ClientToolRun {
  /** The tools as last listed. */
  tools(): readonly ClientTool[];
  /** Lists the page's tools again. */
  listTools(): Promise<void>;
  /** Whether a call was stored or imported: the user has not seen the agent make it now. */
  isRestored(callBlockId: string): boolean;
  /** Whether a permanent approval has answered this question, which the user has revoked since. */
  isRevoked(questionId: string): boolean;
  readonly signal: AbortSignal;
  readonly eventId: string;
  run(): Run;
  /** @param callBlockId - id of the tool call's block that the events are about, if any */
  dispatch(events: readonly LLMAgentEvent[], callBlockId?: string): void;
  /** Resolves when the user has answered all questions. */
  answers(): Promise<readonly Answer[]>;
}

/** Maximum number of calls that run at the same time. Before the next ones, the user can stop the reply or revoke a permission. */
const MAX_PARALLEL = 16;

/**
 * Runs the open calls in parallel, after asking for approval where needed, and stores their results in their blocks.
 * Resolves with whether the results are to be sent back. False if a call has no handler: that call ends with an error, and no other
 * is run. Also false if the reply was stopped before the calls have ended.
 *
 * @param earlier - the user's answers to the page's questions in a restored conversation
 */
export async function runClientTools(
  options: ClientToolRun,
  open: readonly Call[] = openCalls(options.run()),
  earlier: readonly Answer[] = [],
): Promise<boolean> {
  const { signal } = options;
  const isStopped = (): boolean => signal.aborted;
  // The user may have stopped the reply while this code was loading.
  if (isStopped()) return false;
  const { report, fail } = reporters(options);
  const toolOf = (call: Call): ClientTool | undefined =>
    options.tools().find(({ name }) => name === call.tool_call.name);
  const calls = open.map((call) => ({ call, tool: toolOf(call) }));
  if (calls.some(({ tool }) => !tool)) {
    for (const { call, tool } of calls) {
      if (tool) fail(call, 'Not run: another call of this round has no handler.', 'not-run');
      else fail(call, withoutHandler(call), 'no-handler');
    }
    return false;
  }
  // What runs must be what the question shows. A tool that never asks gets its arguments as JavaScript reads them.
  const misread = new Set(
    calls.flatMap(({ call, tool }) => (mayAsk(call, tool, options) && !isReadExactly(call) ? [call.id] : [])),
  );
  for (const { call } of calls) if (misread.has(call.id)) fail(call, MISREAD, 'not-run');
  const runnable = calls.filter(({ call }) => !misread.has(call.id));
  const { questions, denied, changed } = await approve(runnable, options, report, earlier);
  if (isStopped()) return false;
  const runCall = async ({ call: asked, tool: before }: (typeof runnable)[number]): Promise<void> => {
    const question = questions.get(asked.id);
    const reason = question !== undefined && options.isRevoked(question) ? REVOKED : denied.get(asked.id);
    if (reason !== undefined) {
      fail(asked, reason, 'denied');
      return;
    }
    const call = changed.get(asked.id) ?? asked;
    // The page may have withdrawn the tool while the user was asked, or a script has registered another one with its name. That one
    // runs only if the question about it would be the same.
    const tool = toolOf(asked);
    if (!tool || !before || !isSameQuestion(tool, before, asked)) {
      fail(asked, withoutHandler(asked), 'no-handler');
      return;
    }
    try {
      const result = await tool.execute(argumentsOf(call), { signal });
      report(call, { tool_call: 'end', tool_call_response: resultText(result) });
    } catch (error) {
      fail(call, thrownMessage(error), 'failed');
    }
  };
  const pace = taskScheduler();
  const waiting = [...runnable];
  const runWaiting = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !isStopped(); next = waiting.shift()) {
      await runCall(next);
      if (waiting.length > 0) await pace.giveWay();
    }
  };
  await Promise.all(runnable.slice(0, MAX_PARALLEL).map(runWaiting));
  pace.dispose?.();
  return !isStopped();
}

/** Ends calls without running them. */
export function refuseCalls(
  options: ClientToolRun,
  calls: readonly Call[],
  reason = 'Not run: the user has ended the turn.',
): void {
  const { fail } = reporters(options);
  for (const call of calls) fail(call, reason, 'not-run');
}

/** Asks the user, after many rounds, whether the agent may continue. If not, its open calls end. */
export async function askToContinue(options: ClientToolRun): Promise<boolean> {
  options.dispatch([{ type: 'response', data: { eventId: options.eventId, maximum_tool_calls_reached: true } }]);
  const answers = await options.answers();
  if (answers.some(({ decision }) => decision === 'granted')) return true;
  refuseCalls(options, openCalls(options.run()), 'Not run: the user did not allow the agent to continue.');
  return false;
}

const MISREAD =
  'Not run: the arguments have equal names, or a number that JavaScript cannot represent exactly. Send long numbers as strings.';

const REVOKED = 'Not run: the user has withdrawn the permission for this tool.';

/** Whether the page would ask the same about both tools. One that needs an approval only now has not been asked about. */
function isSameQuestion(tool: ClientTool, before: ClientTool, call: Call): boolean {
  if (tool.needsApproval && !before.needsApproval) return false;
  const [now, then] = [questionFields(tool, call), questionFields(before, call)];
  return (
    tool.description === before.description &&
    now['question'] === then['question'] &&
    now['rememberable'] === then['rememberable']
  );
}

/** Whether a call may need the user's approval. */
const mayAsk = (call: Call, tool: ClientTool | undefined, { isRestored }: ClientToolRun): boolean =>
  isRestored(call.id) || Boolean(tool?.needsApproval);

const withoutHandler = ({ tool_call: { name = '' } }: Call): string => `The page has no tool "${name}".`;

type Report = (call: Call, data: Omit<LLMAgentEventData, 'eventId'>) => void;

function reporters({ dispatch, eventId }: ClientToolRun) {
  const report: Report = (call, data) => {
    dispatch([{ type: 'response', data: { eventId, ...idOf(call), ...data } }], call.id);
  };
  const fail = (call: Call, message: string, code: string): void => {
    report(call, { tool_call: 'error', tool_call_response: message, tool_call_error: { message, code } });
  };
  return { report, fail };
}

/** The user's decisions, by the block ids of the calls. */
interface Approval {
  /** The ids of the questions that were asked now. */
  readonly questions: ReadonlyMap<string, string>;
  /** The denied calls, with the message for the agent. */
  readonly denied: ReadonlyMap<string, string>;
  /** The calls whose arguments the user changed. */
  readonly changed: ReadonlyMap<string, Call>;
}

/** Asks for approval of the calls that need it. */
async function approve(
  calls: readonly { readonly call: Call; readonly tool: ClientTool | undefined }[],
  { answers, run, tools, listTools, isRestored }: ClientToolRun,
  report: Report,
  earlier: readonly Answer[],
): Promise<Approval> {
  const pending = calls.filter(({ call, tool }) => isRestored(call.id) || needsApproval(tool, call));
  const denied = new Map<string, string>();
  const changed = new Map<string, Call>();
  const known = new Map(
    pending.flatMap(({ call }) => {
      const answer = answerFor(call, tools(), run(), earlier);
      return answer ? [[call.id, answer]] : [];
    }),
  );
  /** The question ids, by the block ids of the calls. */
  const questions = new Map<string, string>();
  for (const { call, tool } of pending) {
    if (known.has(call.id)) continue;
    report(call, {
      tool_call: 'permission-required',
      tool_call_name: call.tool_call.name ?? '',
      tool_call_params: call.tool_call.params ?? '',
      permission_request: {
        toolName: call.tool_call.name ?? '',
        serverName: '',
        permissionType: 'all',
        description: tool?.description ?? '',
      },
      // The page asks, so no server has an id for the request.
      request: { id: '', extra: { editable: true, ...questionFields(tool, call) } },
    });
    const question = questionOf(call, run());
    if (question) questions.set(call.id, question.id);
  }
  const decisions = questions.size > 0 ? await answers() : [];
  if (questions.size > 0) await listTools();
  for (const { call } of pending) {
    const answer = known.get(call.id) ?? decisions.find(({ blockId }) => blockId === questions.get(call.id));
    const note = answer?.note ? ` They say: ${answer.note}` : '';
    if (answer?.decision !== 'granted') denied.set(call.id, `The user denied this call.${note}`);
    else if (answer.arguments !== undefined) {
      const params = resultText(answer.arguments);
      changed.set(call.id, { ...call, tool_call: { ...call.tool_call, params } });
      // The agent and the user should see the arguments that were used.
      report(call, { tool_call: 'update', tool_call_params_complete: params });
    }
  }
  return { questions, denied, changed };
}

/** The page's newest question about a call, pending or answered. */
const questionOf = (call: Call, run: Run): BlockOf<'action'> | undefined =>
  run.messages
    .flatMap(({ blocks }) => blocks)
    .findLast((block): block is BlockOf<'action'> => block.type === 'action' && isQuestionAbout(block, call));

/** The user's earlier answer about a call. It applies only to what the page would ask now. */
function answerFor(call: Call, tools: readonly ClientTool[], run: Run, earlier: readonly Answer[]): Answer | undefined {
  const question = questionOf(call, run);
  const answer = question && earlier.find(({ blockId }) => blockId === question.id);
  return question && isCurrentQuestion(question, tools, [call]) ? answer : undefined;
}

function needsApproval(tool: ClientTool | undefined, call: Call): boolean {
  // Tools of the host page are unvalidated: `needsApproval: 'always'` asks too.
  if (typeof tool?.needsApproval !== 'function') return Boolean(tool?.needsApproval);
  const args = argumentsOf(call);
  // The page's function compares fields of the declared types: "5000 EUR" is not greater than 100.
  if (!isRecord(args) || !argumentsMatchSchema(tool, args)) return true;
  try {
    return tool.needsApproval(args);
  } catch (error) {
    console.warn(`<agent-chat>: \`needsApproval\` of the tool "${tool.name}" failed, so the user is asked.`, error);
    return true;
  }
}

const idOf = ({ tool_call }: Call): Pick<LLMAgentEventData, 'tool_call_id'> =>
  tool_call.id === undefined ? {} : { tool_call_id: tool_call.id };
