/** Answers that are a single very long block. */
import { seeded } from './random.ts';
import { sentence, wordsOf } from './words.ts';

/** A code block of `length` characters. */
export function giantCode(length: number): string {
  const random = seeded(2);
  let lines = '```ts\n';
  while (lines.length < length) {
    lines += `${'  '.repeat(random.integer(0, 3))}const total${String(lines.length)} = add(${String(random.integer(1, 9999))}, '${wordsOf(random, 3)}');\n`;
  }
  return `${lines}\`\`\`\n`;
}

/** One paragraph of `length` characters, on one line. */
export function giantParagraph(length: number): string {
  const random = seeded(3);
  let text = '';
  while (text.length < length) text += `${sentence(random)} `;
  return text.trimEnd();
}

/** A table of `rows` rows. */
export function giantTable(rows: number): string {
  const random = seeded(4);
  const head = '| Id | Product | Orders | Share | Remark |\n| --: | :-- | --: | --: | :-- |\n';
  const body = Array.from(
    { length: rows },
    (_, row) =>
      `| ${String(row)} | ${wordsOf(random, 2)} | ${String(random.integer(1, 9999))} | ${String(random.integer(1, 99))} % | **${wordsOf(random, 1)}** ${wordsOf(random, 2)} |`,
  );
  return head + body.join('\n');
}

/** A list of `items` items. */
export function giantList(items: number): string {
  const random = seeded(5);
  const item = (): string => {
    const words = wordsOf(random, random.integer(3, 7));
    return random.integer(0, 4) === 0 ? `- **${words}** ${wordsOf(random, 2)}` : `- ${words}`;
  };
  return Array.from({ length: items }, item).join('\n');
}
