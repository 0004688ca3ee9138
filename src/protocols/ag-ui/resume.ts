/**
 * Builds the answers to an AG-UI agent's interrupts. Source: `docs/protocols/ag-ui.md`; AG-UI documentation,
 * `concepts/interrupts`.
 */
import { ChatError } from '../../errors.ts';
import type { Answer, Turn } from '../core/adapter.ts';
import { schemaProperty, type OpenInterrupt } from './run-metadata.ts';
import { isRecord } from '../../model/json.ts';
import { APPROVES, DENIES } from '../core/decision-words.ts';
import { isRefusal } from '../core/deny-shared-ids.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The fields of a request that answer the open interrupts, in the current and in the older form. No fields if no interrupt is
 * open.
 *
 * @throws ChatError if the user has answered, but all interrupts have expired.
 */
export function resumeFields({ messages, answers }: Turn): {
  readonly resume?: readonly Json[];
  readonly command?: Json;
  readonly parentRunId?: string;
} {
  const interruptedMessage = messages.findLast(({ metadata }) => Array.isArray(metadata?.['interrupts']));
  const interrupts = (interruptedMessage?.metadata?.['interrupts'] ?? []) as readonly OpenInterrupt[];
  // The function that builds a request has no clock. The newest message or decision is the closest to the current time.
  const now = Math.max(0, ...messages.flatMap(({ timestamp, blocks }) => [timestamp, ...blocks.map(decidedAt)]));
  const open = interrupts.filter(({ expiresAt }) => {
    const end = Date.parse(expiresAt ?? '');
    // No server sends a question that has expired: the user's clock is wrong, and the server decides. Without a valid time it never expires.
    return !(end < now) || end <= (interruptedMessage?.timestamp ?? 0);
  });
  if (answers.length > 0 && interrupts.length > 0 && open.length === 0) {
    throw new ChatError('agent', 'The agent no longer waits for this answer: it has expired.', {
      reason: 'agent',
    });
  }
  if (open.length === 0) return {};
  const responses = open.map((interrupt) => {
    const answer = answerTo(interrupt, open, answers);
    // The others are cancelled: without an answer, dismissed, or denied with a schema that can't express a denial.
    const isResolved =
      answer &&
      answer.decision !== 'dismissed' &&
      (answer.decision !== 'denied' || answer.payload !== undefined || decisionField(interrupt.schema, false));
    return {
      interrupt,
      payload: isResolved ? payloadOf(answer, interrupt.schema) : undefined,
      isResolved,
      isRefused: answer === undefined || isRefusal(answer),
    };
  });
  // The older form, `command`, carries one answer, and its interrupts may have no id. A server may apply the answer to any of
  // them, so one refusal refuses them all.
  const legacyResponses = responses.filter(({ interrupt }) => interrupt.event !== undefined);
  const refused = legacyResponses.length > 1 ? legacyResponses.find(({ isRefused }) => isRefused) : undefined;
  const legacyResponse = refused
    ? { ...refused, payload: refused.isResolved ? refused.payload : { approved: false } }
    : legacyResponses.find(({ isResolved }) => isResolved);
  // The current form refers to an interrupt by the id that the server has given it.
  const withServerId = responses.filter(({ interrupt }) => !hasGeneratedId(interrupt));
  const interruptedRun = withServerId.find(({ interrupt }) => interrupt.runId !== undefined)?.interrupt.runId;
  return {
    ...(interruptedRun !== undefined && { parentRunId: interruptedRun }),
    ...(withServerId.length > 0 && {
      resume: withServerId.map(({ interrupt: { id }, payload, isResolved }) =>
        isResolved ? { interruptId: id, status: 'resolved', payload } : { interruptId: id, status: 'cancelled' },
      ),
    }),
    ...(legacyResponse && {
      command: { resume: legacyResponse.payload, interruptEvent: legacyResponse.interrupt.event },
    }),
  };
}

/**
 * The answer to an interrupt. If several interrupts share an id, the server can't tell their answers apart. Then an approval
 * counts only if the user has approved all of them.
 */
function answerTo(
  interrupt: OpenInterrupt,
  open: readonly OpenInterrupt[],
  answers: readonly Answer[],
): Answer | undefined {
  const answerOf = ({ id, key = id, callId }: OpenInterrupt): Answer | undefined => {
    const candidates = answers.filter(({ extra }) => extra?.['requestId'] === key);
    const ofCall = candidates.findLast(({ toolCallId }) => toolCallId === callId);
    // A conversation that an older version of the widget has stored has no `callId`.
    return candidates.find(isRefusal) ?? ofCall ?? (callId === undefined ? candidates.at(-1) : undefined);
  };
  const withSameId = open.filter(({ id }) => id === interrupt.id);
  const answeredBlocks = new Set(
    answers.flatMap(({ extra, blockId }) =>
      withSameId.some(({ id, key = id }) => extra?.['requestId'] === key) ? [blockId] : [],
    ),
  );
  const answer = answerOf(interrupt);
  if (answer && isRefusal(answer)) return answer;
  const isApproval = (other: Answer | undefined): boolean => other !== undefined && !isRefusal(other);
  // One answer may be found for several interrupts, so the answered questions are counted too.
  return answeredBlocks.size >= withSameId.length && withSameId.every((other) => isApproval(answerOf(other)))
    ? answer
    : undefined;
}

/** Whether the widget has generated the id, because the server has given none. */
const hasGeneratedId = ({ id, event }: OpenInterrupt): boolean =>
  event !== undefined && !(isRecord(event) && event['id'] === id);

const decidedAt = ({ extra }: { readonly extra?: Json }): number =>
  typeof extra?.['decided'] === 'number' ? extra['decided'] : 0;

/**
 * The name of the schema's boolean field for the decision. Undefined for a denial if no field name shows whether `true` or
 * `false` means denial.
 */
function decisionField(schema: unknown, isGranted: boolean): string | undefined {
  const names = isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  if (names.length === 0 || names.includes('approved')) return 'approved';
  const booleans = names.filter((name) => schemaProperty(schema, name)?.['type'] === 'boolean');
  const named = booleans.find((name) => APPROVES.test(name) || DENIES.test(name));
  return named ?? (isGranted ? (booleans[0] ?? 'approved') : undefined);
}

/** The value of an answer, in the form that the schema requires. Without a schema it is `{ approved }`, the protocol's default. */
function payloadOf({ decision, payload, note, arguments: edited }: Answer, schema: unknown): unknown {
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : undefined;
  const names = Object.keys(properties ?? {});
  if (payload !== undefined || decision === 'answered') {
    // A schema with one field: the user enters only the value, which is wrapped here.
    const [only] = names;
    return only !== undefined && names.length === 1 && !isRecord(payload) ? { [only]: payload } : payload;
  }
  const isGranted = decision === 'granted';
  if (isRecord(schema) && schema['type'] === 'boolean') return isGranted;
  const field = decisionField(schema, isGranted) ?? 'approved';
  const noteField = names.find((name) => /^(?:reason|note|comment|feedback|message)$/.test(name));
  return {
    [field]: DENIES.test(field) ? !isGranted : isGranted,
    ...(isGranted && edited !== undefined && { editedArgs: edited }),
    ...(note && noteField && { [noteField]: note }),
  };
}
