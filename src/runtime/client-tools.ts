/** The agent calls tools that run in the page. Source: the contract, `tools`. */
import { resultText, type ClientTool } from '../agents/tools.ts';
import type { LLMAgentEvent, LLMAgentEventData } from '../model/agent-events.ts';
import type { BlockOf } from '../model/blocks.ts';
import { ownBlocks } from '../model/own-blocks.ts';
import type { Answer } from '../protocols/adapter.ts';
import type { Run } from '../conversation/run.ts';

export interface ToolRun {
  readonly tools: readonly ClientTool[];
  readonly signal: AbortSignal;
  readonly eventId: string;
  run(): Run;
  dispatch(events: readonly LLMAgentEvent[]): void;
  /** Resolves when the reader has answered everything that is asked. */
  answers(): Promise<readonly Answer[]>;
}

type Call = BlockOf<'tool_call'>;

/** The calls that nobody has answered; what the server or one of its sub-agents runs itself is not for us. */
export const openCalls = (run: Run): readonly Call[] =>
  run.messages.flatMap((message) =>
    ownBlocks(message).flatMap((block) =>
      block.type === 'tool_call' && block.status === 'loading' && block.extra?.['remote'] !== true ? [block] : [],
    ),
  );

/**
 * Runs the open calls side by side and puts their results into their blocks, those that need it after asking. Resolves with
 * false when a call has no handler: it ends as an error that says so, no other is run, and nothing is to be sent back.
 */
export async function runClientTools(
  options: ToolRun,
  open: readonly Call[] = openCalls(options.run()),
): Promise<boolean> {
  const { tools } = options;
  const { tell, fail } = tellers(options);
  const calls = open.map((call) => ({
    call,
    tool: tools.find(({ name }) => name === call.tool_call.name),
  }));
  if (calls.some(({ tool }) => !tool)) {
    for (const { call, tool } of calls) {
      const name = call.tool_call.name ?? '';
      if (tool) fail(call, 'Not run: another call of this round has no handler.', 'not-run');
      else fail(call, `The page has no tool "${name}".`, 'no-handler');
    }
    return false;
  }
  const { denied, changed } = await approve(calls, options, tell);
  await Promise.all(
    calls.map(async ({ call: asked, tool }) => {
      const why = denied.get(asked.id);
      if (why !== undefined) {
        fail(asked, why, 'denied');
        return;
      }
      const call = changed.get(asked.id) ?? asked;
      try {
        const result = await tool?.execute(argumentsOf(call), { signal: options.signal });
        tell({ tool_call: 'end', ...idOf(call), tool_call_response: resultText(result) });
      } catch (error) {
        fail(call, error instanceof Error ? error.message : String(error), 'failed');
      }
    }),
  );
  return !options.signal.aborted;
}

/** Ends the open calls without running them. */
export function refuseCalls(options: ToolRun, why: string): void {
  const { fail } = tellers(options);
  for (const call of openCalls(options.run())) fail(call, why, 'not-run');
}

function tellers({ dispatch, eventId }: ToolRun) {
  const tell = (data: Omit<LLMAgentEventData, 'eventId'>): void => {
    dispatch([{ type: 'response', data: { eventId, ...data } }]);
  };
  const fail = (call: Call, message: string, code: string): void => {
    tell({ tool_call: 'error', ...idOf(call), tool_call_response: message, tool_call_error: { message, code } });
  };
  return { tell, fail };
}

/** What the reader has decided, by the ids of the calls' blocks. */
interface Approval {
  /** Each with what the agent is told. */
  readonly denied: ReadonlyMap<string, string>;
  /** Those that run with other arguments than the agent's. */
  readonly changed: ReadonlyMap<string, Call>;
}

/** Asks for the calls that need it. */
async function approve(
  calls: readonly { readonly call: Call; readonly tool: ClientTool | undefined }[],
  { answers }: ToolRun,
  tell: (data: Omit<LLMAgentEventData, 'eventId'>) => void,
): Promise<Approval> {
  const asked = calls.filter(({ call, tool }) => needsApproval(tool, call));
  const denied = new Map<string, string>();
  const changed = new Map<string, Call>();
  if (asked.length === 0) return { denied, changed };
  for (const { call, tool } of asked) {
    tell({
      tool_call: 'permission-required',
      ...idOf(call),
      tool_call_name: call.tool_call.name ?? '',
      tool_call_params: call.tool_call.params ?? '',
      permission_request: {
        toolName: call.tool_call.name ?? '',
        serverName: '',
        permissionType: 'all',
        description: tool?.description ?? '',
      },
      // No server asks, and none has an id for it.
      request: { id: '', extra: { editable: true, ...pageWords(tool, call) } },
    });
  }
  const decisions = await answers();
  for (const { call } of asked) {
    const answer = decisions.find(({ toolCallId }) => toolCallId === call.tool_call.id);
    const note = answer?.note ? ` They say: ${answer.note}` : '';
    if (answer?.decision !== 'granted') denied.set(call.id, `The user denied this call.${note}`);
    else if (answer.arguments !== undefined) {
      const params = resultText(answer.arguments);
      changed.set(call.id, { ...call, tool_call: { ...call.tool_call, params } });
      // The agent is to know what has run, and so is the reader.
      tell({ tool_call: 'update', ...idOf(call), tool_call_params_complete: params });
    }
  }
  return { denied, changed };
}

/** The page's own question about a call of its tool. Words of the wire are never taken for these: see `not-from-wire.ts`. */
function pageWords(tool: ClientTool | undefined, call: Call): Readonly<Record<string, string | boolean>> {
  let question: string | undefined;
  try {
    question = tool?.question?.(argumentsOf(call));
  } catch {
    // Arguments that the page did not expect: it is asked by the tool's name.
  }
  return { byPage: true, ...(question && { question }) };
}

const needsApproval = (tool: ClientTool | undefined, call: Call): boolean =>
  typeof tool?.needsApproval === 'function' ? tool.needsApproval(argumentsOf(call)) : tool?.needsApproval === true;

const idOf = ({ tool_call }: Call): Pick<LLMAgentEventData, 'tool_call_id'> =>
  tool_call.id === undefined ? {} : { tool_call_id: tool_call.id };

/** The arguments as JSON. Those that are none (a cut stream, a free-text tool) stay a string. */
function argumentsOf({ tool_call: { params = '' } }: Call): unknown {
  if (params.trim() === '') return {};
  try {
    return JSON.parse(params) as unknown;
  } catch {
    return params;
  }
}
