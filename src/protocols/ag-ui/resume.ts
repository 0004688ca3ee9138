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
 * The fields of a request while interrupts are open: an answer to each of them. None if no interrupt is open.
 *
 * @throws ChatError if the user has answered, but all interrupts have expired.
 */
export function resumeFields({ messages, answers }: Turn): {
  readonly resume?: readonly Json[];
  readonly command?: Json;
  readonly parentRunId?: string;
} {
  const interruptedMessage = messages.findLast(({ metadata }) => Array.isArray(metadata?.['interrupts']));
  const all = (interruptedMessage?.metadata?.['interrupts'] ?? []) as readonly OpenInterrupt[];
  // The time of the newest message or decision: the function that builds a request has no clock.
  const now = Math.max(0, ...messages.flatMap(({ timestamp, blocks }) => [timestamp, ...blocks.map(decidedAt)]));
  const open = all.filter(({ expiresAt }) => !(Date.parse(expiresAt ?? '') < now));
  if (answers.length > 0 && all.length > 0 && open.length === 0) {
    throw new ChatError('agent', 'The agent no longer waits for this answer: it has expired.', {
      reason: 'agent',
    });
  }
  if (open.length === 0) return {};
  const answeredQuestions = open.map((question) => {
    const answer = answerTo(question, open, answers);
    const isAnswered =
      answer &&
      answer.decision !== 'dismissed' &&
      (answer.decision !== 'denied' || answer.payload !== undefined || decisionField(question.schema, false));
    return {
      question,
      payload: isAnswered ? payloadOf(answer, question.schema) : undefined,
      isAnswered,
      isRefused: answer === undefined || isRefusal(answer),
    };
  });
  // The older convention has room for one answer, and may have no ids: a no to one question is a no to all.
  const older = answeredQuestions.filter(({ question }) => question.event !== undefined);
  const refused = older.length > 1 ? older.find(({ isRefused }) => isRefused) : undefined;
  const legacy = refused
    ? { ...refused, payload: refused.isAnswered ? refused.payload : { approved: false } }
    : older.find(({ isAnswered }) => isAnswered);
  // An interrupt without a server id cannot be referenced.
  const named = answeredQuestions.filter(({ question }) => !isUnnamed(question));
  const interruptedRun = named.find(({ question }) => question.runId !== undefined)?.question.runId;
  return {
    ...(interruptedRun !== undefined && { parentRunId: interruptedRun }),
    ...(named.length > 0 && {
      resume: named.map(({ question: { id }, payload, isAnswered }) =>
        isAnswered ? { interruptId: id, status: 'resolved', payload } : { interruptId: id, status: 'cancelled' },
      ),
    }),
    ...(legacy && { command: { resume: legacy.payload, interruptEvent: legacy.question.event } }),
  };
}

/**
 * The answer to an interrupt. A server that gives several interrupts one id can't tell their answers apart: it gets a yes only
 * if each of them has one.
 */
function answerTo(
  question: OpenInterrupt,
  open: readonly OpenInterrupt[],
  answers: readonly Answer[],
): Answer | undefined {
  const answerOf = ({ id, key = id, callId }: OpenInterrupt): Answer | undefined => {
    const all = answers.filter(({ extra }) => extra?.['requestId'] === key);
    // A conversation that an older version has stored has no `callId`.
    const ofCall = all.findLast(({ toolCallId }) => toolCallId === callId);
    return all.find(isRefusal) ?? ofCall ?? (callId === undefined ? all.at(-1) : undefined);
  };
  const ofId = open.filter(({ id }) => id === question.id);
  const answeredBlocks = new Set(
    answers.flatMap(({ extra, blockId }) =>
      ofId.some(({ id, key = id }) => extra?.['requestId'] === key) ? [blockId] : [],
    ),
  );
  const answer = answerOf(question);
  if (answer && isRefusal(answer)) return answer;
  const isYes = (other: Answer | undefined): boolean => other !== undefined && !isRefusal(other);
  return answeredBlocks.size >= ofId.length && ofId.every((other) => isYes(answerOf(other))) ? answer : undefined;
}

const isUnnamed = ({ id, event }: OpenInterrupt): boolean =>
  event !== undefined && !(isRecord(event) && event['id'] === id);

const decidedAt = ({ extra }: { readonly extra?: Json }): number =>
  typeof extra?.['decided'] === 'number' ? extra['decided'] : 0;

/** The schema's field for yes or no. Undefined for a denial if no field name tells whether `true` or `false` is the denial. */
function decisionField(schema: unknown, isGranted: boolean): string | undefined {
  const names = isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  if (names.length === 0 || names.includes('approved')) return 'approved';
  const booleans = names.filter((name) => schemaProperty(schema, name)?.['type'] === 'boolean');
  const named = booleans.find((name) => APPROVES.test(name) || DENIES.test(name));
  return named ?? (isGranted ? (booleans[0] ?? 'approved') : undefined);
}

/** The value of an answer in the form of the schema. Without a schema it is `{approved}`, the protocol's own form. */
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
