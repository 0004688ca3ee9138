/**
 * Why a reply ended, by the names that servers use for it. One table for all protocols, so that a reason has the same
 * meaning and text in each of them. The same table for users: `docs/guides/when-things-fail.md`.
 */
import type { LLMAgentEventData } from '../../model/events/agent-events.ts';
import { createStreamEvent } from '../../model/events/core-events.ts';
import type { FinishReason } from '../../model/message.ts';
import type { AdapterEvent } from './adapter.ts';

/** `filtered`: an error whose cause is known without a message, because a content filter or a refusal ended the reply. */
export type ReplyEnd = FinishReason | 'filtered';

const names: Readonly<Record<Exclude<ReplyEnd, 'complete'>, string>> = {
  tool_use: 'tool_use tool_calls tool_call function_call',
  max_tokens:
    'length max_tokens maxtokens max_output_tokens maxoutputtokens max_length model_length token_limit model_context_window_exceeded budget_exceeded',
  stop_sequence: 'stop_sequence',
  filtered:
    'content_filter content_filtered content_blocked filtered refusal refused safety image_safety recitation blocklist ' +
    'prohibited_content image_prohibited_content spii model_armor error_toxic guardrail_intervened guardrail_intervention moderation',
  error: 'error failed failure fail error_limit timeout',
  cancelled: 'cancelled canceled cancel user_cancel abort aborted interrupted',
};

const ends = new Map(
  Object.entries(names).flatMap(([end, list]) => list.split(' ').map((name) => [name, end as ReplyEnd] as const)),
);

/** @returns undefined for a normal end, an unknown reason or none */
export const replyEnd = (reason: string | null | undefined): ReplyEnd | undefined =>
  ends.get((reason ?? '').toLowerCase().replaceAll('-', '_'));

/** The event data of an end. */
export const endData = (end: ReplyEnd): Pick<LLMAgentEventData, 'finish' | 'metadata'> =>
  end === 'filtered' ? { finish: 'error', metadata: { filtered: true } } : { finish: end };

/** The events at the end of a model's reply. The model event `stop` can't express a content filter or a cancellation. */
export const endEvents = (end: ReplyEnd, eventId: string): readonly AdapterEvent[] =>
  end === 'filtered' || end === 'cancelled'
    ? [{ type: 'response', data: { eventId, ...endData(end) } }]
    : [createStreamEvent.stop(end)];
