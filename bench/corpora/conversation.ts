/**
 * A conversation of the given number of messages: short questions, and answers of half a kilobyte in mixed Markdown.
 */
import { mixed } from './mixed.ts';
import { seeded } from './random.ts';
import { sentence } from './words.ts';

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

const ANSWER = 600;

export function conversation(count: number): readonly Message[] {
  const random = seeded(12);
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { role: 'user', text: sentence(random) }
      : { role: 'assistant', text: `${firstWords(index)}\n\n${mixed(ANSWER, index)}` },
  );
}

/** The start of an answer, which identifies it. */
export const firstWords = (index: number): string => `Answer ${String(index)}.`;
