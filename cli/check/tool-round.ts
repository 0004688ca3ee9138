/** Offers a tool of the page, and sends its result back if the agent calls it. */
import { reduceRun, settleRun } from '../../src/conversation/run.ts';
import type { ToolSpec } from '../../src/model/agent.ts';
import { openCalls } from '../../src/runtime/tools/open-calls.ts';
import { oneLine, type Mask } from '../mask.ts';
import { askTurn, type Endpoint, type Reply } from '../turn/ask.ts';
import { newId } from '../turn/decode.ts';
import { failure, ok, warning, type Finding } from './finding.ts';

const TOOL: ToolSpec = {
  name: 'agent_chat_check_clock',
  description: 'Returns the current time of the page.',
  parameters: { type: 'object', properties: {} },
};
const QUESTION = 'What time is it on my page? Call the tool that the page offers.';
const RESULT = '12:34';

export async function toolRound(endpoint: Endpoint, mask: Mask): Promise<readonly Finding[]> {
  try {
    const firstReply = await askTurn(endpoint, { text: QUESTION, tools: [TOOL] });
    if (firstReply.request.body?.includes(TOOL.name) !== true)
      return [ok('tool-round', 'The protocol has no tools of the page.')];
    if (firstReply.status === 429)
      return [ok('tool-round', "The server limits the number of messages (429): a tool can't be tried.")];
    if (firstReply.status >= 300) {
      const text = `A request with a tool of the page is refused with ${String(firstReply.status)}: ${reasonOf(firstReply, mask)}`;
      return [warning('tool-round', text, 'Only pages with tools need it.')];
    }
    const { run } = firstReply;
    const calls = run ? openCalls(run).filter(({ tool_call: { name } }) => name === TOOL.name) : [];
    if (!run || calls.length === 0)
      return [ok('tool-round', "The agent did not call the tool that was offered: its result can't be tried.")];
    const eventId = newId();
    const answered = calls.reduce((before, { id: callBlockId, tool_call: { id, name } }) => {
      const data = {
        ...{ eventId, tool_call: 'end' as const, tool_call_response: RESULT },
        ...(id !== undefined && { tool_call_id: id }),
        ...(name !== undefined && { tool_call_name: name }),
      };
      return reduceRun(before, { type: 'response', data }, { now: Date.now(), newId, callBlockId });
    }, run);
    const { messages } = settleRun(answered, firstReply.outcome ?? { status: 'streaming', finish: 'tool_use' });
    const history = [...firstReply.messages.filter(({ role }) => role === 'user'), ...messages];
    const next = await askTurn(endpoint, { history, tools: [TOOL] });
    if (next.status >= 300)
      return [
        failure('tool-round', `The result of a tool is refused with ${String(next.status)}: ${reasonOf(next, mask)}`),
      ];
    return next.outcome?.status === 'complete' || next.outcome?.status === 'streaming'
      ? [ok('tool-round', 'The agent called a tool of the page, and answered its result.')]
      : [failure('tool-round', `The result of a tool has no complete answer: ${reasonOf(next, mask)}`)];
  } catch (error) {
    return [failure('tool-round', `A request with a tool is not answered: ${mask.text(oneLine(String(error)))}`)];
  }
}

const reasonOf = ({ refusal, problem }: Reply, mask: Mask): string =>
  mask.text(oneLine(refusal ?? problem?.message ?? 'an error of the agent', 160));
