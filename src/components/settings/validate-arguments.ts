/** Validates the arguments of public methods. A wrong argument throws a `ChatError` that names the expected type. */
import { ChatError } from '../../errors.ts';
import { excerptOfValue } from '../shared/attribute-converters.ts';

const wrongArgument = (method: string, expected: string, value: unknown): ChatError =>
  new ChatError('protocol', `${method}() expects ${expected}, not ${excerptOfValue(value)}.`);

export function requireText(method: string, value: unknown): void {
  if (typeof value !== 'string') throw wrongArgument(method, 'a string', value);
}

export function requireObject(method: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) throw wrongArgument(method, 'an object', value);
}

/** Requires the text of a message, or an object with its parts. */
export function requireInput(method: string, value: unknown): void {
  if (typeof value !== 'string') requireObject(method, value);
}

const ROLES = ['user', 'assistant', 'system', 'tool'];

/** Requires a message with a valid role. */
export function requireMessage(method: string, value: unknown): void {
  requireObject(method, value);
  const { role } = value as { readonly role?: unknown };
  if (typeof role !== 'string' || !ROLES.includes(role)) throw wrongArgument(method, 'a message with a role', value);
}
