/** The passwords that the user has entered into a form of the agent. The stream inspector neither shows nor records them. */
import { isRecord } from '../../model/json.ts';
import type { ChatMessage } from '../../model/message.ts';

export interface EnteredPasswords {
  /** The values that contain a password. */
  readonly values: readonly string[];
  /** Masks those values in a request body, also short ones, and all data of the form, in which they are too. */
  maskBody(body: string): string;
}

/** `secrets` of the sent data names the values with a password, as in `without-secrets.ts`. */
export function enteredPasswords({ metadata }: Pick<ChatMessage, 'metadata'>): EnteredPasswords {
  const data = metadata?.['data'];
  const { context, dataModel, secrets } = isRecord(data) ? data : {};
  const names: readonly unknown[] = Array.isArray(secrets) ? secrets : [];
  if (names.length === 0) return { values: [], maskBody: (body) => body };
  const fields = Object.entries(isRecord(context) ? context : {});
  const values = fields.flatMap(([name, value]) => (names.includes(name) ? textsIn(value) : []));
  // As complete strings only: a short password may be a part of any word. Some protocols send the data as JSON inside of a text.
  const spellings = [...new Set([...values, ...textsIn(dataModel)])].filter(Boolean).flatMap((text) => {
    const json = JSON.stringify(text);
    return [json, JSON.stringify(json).slice(1, -1)];
  });
  return {
    values,
    maskBody: (body) => spellings.reduce((masked, spelling) => masked.replaceAll(spelling, maskOf(spelling)), body),
  };
}

const maskOf = (spelling: string): string => (spelling.startsWith('\\') ? String.raw`\"***\"` : '"***"');

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
