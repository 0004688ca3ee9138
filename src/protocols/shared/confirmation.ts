/** A document that confirms a request and contains no answer, such as `{"ok":true,"sessionId":"…"}`. */
import { isRecord } from '../../model/json.ts';

type Json = Readonly<Record<string, unknown>>;

const CONFIRMATION_FIELD =
  /^(?:ok|success|accepted|queued|status|state|message_?id|(?:session|conversation|thread|run|task|job|request)_?id)$/i;
/** The last word of field names that hold an identifier, a time or similar data, and never an answer. */
const METADATA_WORDS = new Set(
  'id ids status state type version url uri href token key date time timestamp at in expires'.split(' '),
);
const isMetadataName = (field: string): boolean =>
  METADATA_WORDS.has(
    field
      .split(/_|(?=[A-Z])/)
      .at(-1)
      ?.toLowerCase() ?? '',
  );
const STATUS = /^(?:ok|success|accepted|queued|pending|created|started|running|processing|in_?progress|received)$/i;

/**
 * Whether nothing in the document could be an answer: at least one field is a confirmation, and all others are ids,
 * flags or times.
 */
export function isConfirmation(document: Json): boolean {
  const fields = Object.entries(document);
  return (
    fields.some(([name]) => CONFIRMATION_FIELD.test(name)) && fields.every(([name, value]) => isMetadata(name, value))
  );
}

function isMetadata(name: string, value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'string') return isMetadataName(name) || STATUS.test(value);
  if (typeof value === 'number') return isMetadataName(name) || CONFIRMATION_FIELD.test(name);
  return (
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([inner, field]) => isMetadata(inner, field))
  );
}
