/** A conversation of so many messages: short questions, answers of half a kilobyte with a little of everything. */
import { mixed } from './mixed.ts';
import { seeded } from './random.ts';
import { sentence } from './words.ts';

export interface Said {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

const ANSWER = 600;

export function conversation(count: number): readonly Said[] {
  const random = seeded(12);
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { role: 'user', text: sentence(random) }
      : { role: 'assistant', text: `${firstWords(index)}\n\n${mixed(ANSWER, index)}` },
  );
}

/** What an answer begins with, to know it by. */
export const firstWords = (index: number): string => `Answer ${String(index)}.`;
