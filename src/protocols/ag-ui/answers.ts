/** How an AG-UI agent is answered. Source: `ag-ui.md`, "Next turn"; AG-UI's `concepts/interrupts`. */
import { ChatError } from '../../errors.ts';
import type { Answer, Turn } from '../adapter.ts';
import { propertyOf, type OpenInterrupt } from './facts.ts';
import { isRecord } from '../../model/json.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a request carries while a question is open: an answer to each of them, or to none that has expired. */
export function resumeOf({ messages, answers }: Turn): { readonly resume?: readonly Json[]; readonly command?: Json } {
  const asked = messages.findLast(({ metadata }) => Array.isArray(metadata?.['interrupts']));
  const all = (asked?.metadata?.['interrupts'] ?? []) as readonly OpenInterrupt[];
  const now = Math.max(0, ...messages.flatMap(({ timestamp, blocks }) => [timestamp, ...blocks.map(decidedAt)]));
  const open = all.filter(({ expiresAt }) => !(Date.parse(expiresAt ?? '') < now));
  if (answers.length > 0 && all.length > 0 && open.length === 0) {
    throw new ChatError('agent', 'The agent no longer waits for this answer: the time for it is over.', {
      reason: 'agent',
    });
  }
  if (open.length === 0) return {};
  const answered = open.map((question) => {
    const answer = answers.find(({ extra }) => extra?.['requestId'] === question.id);
    const said = answer && answer.decision !== 'dismissed';
    return { question, payload: said ? payloadOf(answer, question.schema) : undefined, said };
  });
  const old = answered.find(({ question, said }) => said && question.event !== undefined);
  // One that the server made no id for can't be named.
  const named = answered.filter(({ question }) => !isUnnamed(question));
  return {
    ...(named.length > 0 && {
      resume: named.map(({ question: { id }, payload, said }) =>
        said ? { interruptId: id, status: 'resolved', payload } : { interruptId: id, status: 'cancelled' },
      ),
    }),
    ...(old && { command: { resume: old.payload, interruptEvent: old.question.event } }),
  };
}

const isUnnamed = ({ id, event }: OpenInterrupt): boolean =>
  event !== undefined && !(isRecord(event) && event['id'] === id);

const decidedAt = ({ extra }: { readonly extra?: Json }): number =>
  typeof extra?.['decided'] === 'number' ? extra['decided'] : 0;

/** The answer's value as the schema wants it. Without a schema it is the protocol's own yes or no. */
function payloadOf({ decision, payload, note, arguments: edited }: Answer, schema: unknown): unknown {
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : undefined;
  const names = Object.keys(properties ?? {});
  if (payload !== undefined || decision === 'answered') {
    // One field and one value: the reader is not asked for the form around it.
    const [only] = names;
    return only !== undefined && names.length === 1 && !isRecord(payload) ? { [only]: payload } : payload;
  }
  const yes = decision === 'granted';
  if (isRecord(schema) && schema['type'] === 'boolean') return yes;
  const isBoolean = (name: string): boolean => propertyOf(schema, name)?.['type'] === 'boolean';
  const field = names.includes('approved') ? 'approved' : (names.find(isBoolean) ?? 'approved');
  const words = names.find((name) => /^(?:reason|note|comment|feedback|message)$/.test(name));
  return {
    [field]: yes,
    ...(yes && edited !== undefined && { editedArgs: edited }),
    ...(note && words && { [words]: note }),
  };
}
