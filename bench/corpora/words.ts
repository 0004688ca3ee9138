import type { Random } from './random.ts';

const words =
  `the a of and to in is was for with on by that from this are be as at it order refund week month buckle strap tent
  supplier batch report query table answer value customer product margin region forecast release server client request
  response latency budget stream token block parser window layout paint frame memory cache index column quarter growth
  because however therefore while after before during without between about almost exactly roughly perhaps never always
  measured compared reduced increased explained confirmed rejected delivered written rendered appended replaced computed
  small large early late quiet loud steady broken finished open linear quadratic simple careful recent average`.split(
    /\s+/,
  );

/** `count` words, the first with a capital letter. */
export function wordsOf(random: Random, count: number): string {
  const text = Array.from({ length: count }, () => random.pick(words)).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A typical sentence of an answer: sometimes with bold text, code or a link. */
export function sentence(random: Random): string {
  const parts = Array.from({ length: random.integer(1, 3) }, () => wordsOf(random, random.integer(3, 9)));
  const marked = parts.map((part) => {
    switch (random.integer(0, 11)) {
      case 0:
        return `**${part}**`;
      case 1:
        return `_${part}_`;
      case 2:
        return `${part} \`${random.pick(words)}_${random.pick(words)}\``;
      case 3:
        return `[${part}](https://docs.example/${random.pick(words)}/${String(random.integer(1, 999))})`;
      default:
        return part;
    }
  });
  return `${marked.join(', ')}.`;
}

export const sentences = (random: Random, low: number, high: number): string =>
  Array.from({ length: random.integer(low, high) }, () => sentence(random)).join(' ');
