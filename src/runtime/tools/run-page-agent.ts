/** Runs a turn with an agent in the page. */
import { checkMessageType } from '../../agents/check-response-types.ts';
import { configurationOf } from '../../agents/configuration.ts';
import { askAgent, makeSenders } from '../../agents/page-agent.ts';
import { ChatError } from '../../errors.ts';
import type { RunOutcome } from '../../conversation/run.ts';
import { agentContentsOf } from '../../model/exchange/agent-contents.ts';
import { messageTypeOf, type AgentMessage } from '../../model/agent-message.ts';
import type { BaseAgent } from '../../model/agent.ts';
import type { ChatMessage } from '../../model/message.ts';
import { isPermissionPending, requestAgentPermission } from './agent-permissions.ts';
import { sentSecrets } from '../../safety/sent-secrets.ts';
import { maskErrors } from '../masking/mask-errors.ts';
import { newId } from '../new-id.ts';
import { dispatcherOf } from '../stream/dispatch-within-limits.ts';
import { stripReservedFields } from '../stream/strip-reserved-fields.ts';
import { yieldToMain } from '../stream/yield-to-main.ts';
import type { TurnStart, TurnContext } from '../turn-context.ts';

/**
 * Sends the user message to a page agent, and then the user's answers to its questions. Each answer is a message with
 * its text; the complete answer is in `metadata.answer`. Contents for which the message has no free
 * field (a second image, file, data or code) are in `metadata.attachments`.
 */
export async function runPageAgent(
  agent: BaseAgent,
  userMessage: ChatMessage,
  context: TurnContext,
  { begin = 'send' }: { readonly begin?: TurnStart } = {},
): Promise<RunOutcome> {
  if (begin === 'resume') {
    throw new ChatError('protocol', 'An agent in the page cannot resume a reply.', {
      reason: 'no-resume',
    });
  }
  const [content, ...attachments] = agentContentsOf(userMessage);
  const address = { role: 'user', agentId: agent.id } as const;
  // The user may change the settings while a question is open.
  const metadata = (): object => {
    const configuration = configurationOf(agent);
    return configuration ? { configuration } : {};
  };
  const isStopped = (): boolean => context.signal.aborted;
  const eventId = newId();
  let senderOf = makeSenders(agent, eventId, context.settings.agents);
  // A restored reply waits for an answer. Its user message was sent before, unless it waited for the permission to ask the agent.
  const wasSent = begin !== 'send' && !isPermissionPending(agent, context);
  let isPermitted = false;
  let messages: readonly AgentMessage[] = wasSent
    ? []
    : [
        {
          ...address,
          id: userMessage.id,
          type: messageTypeOf(content),
          content,
          metadata: { ...metadata(), ...(attachments.length > 0 && { attachments }) },
          timestamp: userMessage.timestamp,
        },
      ];
  for (;;) {
    // A restored conversation may contain forged questions: without permission the agent does not receive answers to
    // them.
    isPermitted ||= messages.length > 0 && (await requestAgentPermission(agent, context, eventId));
    if (messages.length > 0 && !isPermitted) return { status: 'complete', finish: 'complete' };
    for (const message of messages) {
      // The user may have stopped the reply to another message, or while this code was loading.
      if (isStopped()) return { status: 'cancelled', finish: 'cancelled' };
      // The reply to each further answer is a message of its own. Otherwise the texts would run together.
      if (message !== messages[0]) senderOf = makeSenders(agent, newId(), context.settings.agents);
      checkMessageType(agent, message.type);
      context.accepted();
      const dispatch = dispatcherOf(context);
      for await (const events of yieldToMain(askAgent(agent, message, { eventId, signal: context.signal, senderOf }))) {
        if (isStopped()) break;
        // An error of the agent may contain a key that the page has also sent.
        dispatch(events.map((event) => maskErrors(stripReservedFields(event), sentSecrets())));
      }
    }
    const finish = context.run().finish ?? 'complete';
    if (finish === 'error') return { status: finish, finish };
    const pending = context.answers.forPage();
    // If the agent has stopped, its question stays open until the user sends another message.
    const answers = (await (finish === 'cancelled' ? Promise.race([pending, context.queued()]) : pending)) ?? [];
    messages = answers
      .filter(({ decision }) => decision !== 'dismissed')
      .map((answer) => ({
        ...address,
        id: newId(),
        type: 'text',
        content: { text: typeof answer.payload === 'string' ? answer.payload : answer.decision },
        metadata: { ...metadata(), answer },
        timestamp: Date.now(),
      }));
    if (messages.length === 0) {
      const status = finish === 'cancelled' ? finish : 'complete';
      return { status, finish: status };
    }
    // The reply to the answer would otherwise continue the text after the question.
    if (context.run().messages.at(-1)?.blocks.at(-1)?.type === 'content')
      senderOf = makeSenders(agent, newId(), context.settings.agents);
    context.nextRound();
  }
}
