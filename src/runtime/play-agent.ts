/** A turn with an agent that runs in the page. */
import { chosenAgent } from '../agents/chosen-agent.ts';
import { askAgent, isPageAgent } from '../agents/page-agent.ts';
import type { Outcome } from '../conversation/run.ts';
import { messageTypeOf, type AgentMessage, type AgentMessageContent } from '../model/agent-message.ts';
import type { BaseAgent } from '../model/agent.ts';
import type { ChatMessage } from '../model/message.ts';
import { textOf } from '../model/text-of.ts';
import { mayUse } from './agent-permissions.ts';
import { newId } from './new-id.ts';
import { paced } from './pace.ts';
import type { ChatSettings } from './settings.ts';
import type { Beginning, TurnJob } from './turn.ts';

/** The chosen agent, where it runs in the page. */
export function pageAgentOf({ agents, agent }: ChatSettings): BaseAgent | undefined {
  const chosen = chosenAgent(agents, agent);
  return chosen && isPageAgent(chosen) ? chosen : undefined;
}

/**
 * The reader's message to an agent of the page, and behind it their answers to what it asks: each is a message of its own, with
 * the answer's words as its text and the whole of it as `metadata.answer`.
 */
export async function playAgent(
  agent: BaseAgent,
  turn: ChatMessage,
  job: TurnJob,
  begin: Beginning = 'send',
): Promise<Outcome> {
  const content = (turn.metadata?.['content'] as AgentMessageContent | undefined) ?? { text: textOf(turn) };
  const address = { role: 'user', agentId: agent.id } as const;
  const eventId = newId();
  const permitted = await mayUse(agent, job, eventId, begin);
  if (permitted === false) return { status: 'complete', finish: 'complete' };
  // Of a reply that was under way only the answer to what it asked is left to send.
  let messages: readonly AgentMessage[] =
    begin !== 'send' && permitted === undefined
      ? []
      : [{ ...address, id: turn.id, type: messageTypeOf(content), content, metadata: {}, timestamp: turn.timestamp }];
  for (;;) {
    for (const message of messages) {
      for await (const events of paced(askAgent(agent, message, { eventId, signal: job.signal }))) {
        if (job.signal.aborted) break;
        job.dispatch(events);
      }
    }
    const finish = job.run().finish ?? 'complete';
    if (finish === 'error') return { status: 'error', finish };
    const answers = await job.answers();
    messages = answers
      .filter(({ decision }) => decision !== 'dismissed')
      .map((answer) => ({
        ...address,
        id: newId(),
        type: 'text',
        content: { text: typeof answer.payload === 'string' ? answer.payload : answer.decision },
        metadata: { answer },
        timestamp: Date.now(),
      }));
    if (messages.length === 0) return { status: 'complete', finish: 'complete' };
    job.nextRound();
  }
}
