/** Answers in other scripts and shapes than English prose. */
import { seeded, type Random } from './random.ts';
import { sentence, wordsOf } from './words.ts';

function grown(length: number, seed: number, part: (random: Random) => string): string {
  const random = seeded(seed);
  let text = '';
  while (text.length < length) text += part(random);
  return text;
}

const HAN = '订单退款比例上升因为一个产品的扣环有问题供应商已经确认批次并且同意更换我们建议先停止销售再通知客户';
const KANA = 'バックルの不良により返品率が上がりましたので販売を止めます';
const HANGUL = '환불 비율이 한 제품 때문에 올랐고 공급업체가 확인했습니다 ';

/** Chinese, Japanese and Korean: no spaces at which a line could break. */
export const cjk = (length: number): string =>
  grown(length, 6, (random) => {
    const script = random.pick([HAN, KANA, HANGUL]);
    const words = Array.from({ length: random.integer(2, 6) }, () => {
      const start = random.integer(0, script.length - 8);
      const word = script.slice(start, start + random.integer(4, 8)).trim();
      return random.integer(0, 5) === 0 ? `**${word}**` : word;
    });
    return `${words.join('，')}。\n\n`;
  });

const EMOJI = ['👩🏽‍💻', '🏳️‍🌈', '👨‍👩‍👧‍👦', '🇩🇪', '✅', '⚠️', '🚀', '1️⃣', '🧑‍🚒'];

/** Emoji of several code points each, which must not be split. */
export const emoji = (length: number): string =>
  grown(length, 7, (random) => {
    const lines = Array.from(
      { length: random.integer(2, 5) },
      () => `- ${random.pick(EMOJI)} ${wordsOf(random, 4)} ${random.pick(EMOJI)}${random.pick(EMOJI)}`,
    );
    return `${lines.join('\n')}\n\n${wordsOf(random, 6)}.\n\n`;
  });

const FORMULAS = [
  String.raw`\frac{a}{b} = \sum_{i=0}^{n} x_i`,
  String.raw`E = mc^2`,
  String.raw`\int_0^1 f(x)\,dx`,
  String.raw`\mathbf{A}\vec{x} = \lambda \vec{x}`,
];

/** Inline formulas and block formulas. */
export const math = (length: number): string =>
  grown(
    length,
    8,
    (random) =>
      `${wordsOf(random, 8)} $${random.pick(FORMULAS)}$ ${wordsOf(random, 4)}.\n\n$$\n${random.pick(FORMULAS)}\n$$\n\n`,
  );

/** Nested blocks, and marks that are never closed. */
export const nested = (length: number): string =>
  grown(length, 9, (random) => {
    const depth = random.integer(3, 9);
    const quotes = `${'> '.repeat(depth)}${sentence(random)}\n`;
    const list = Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- ${sentence(random)}\n`).join('');
    const marks = `${'*'.repeat(depth)}${wordsOf(random, 3)} ${'`'.repeat(depth)}${wordsOf(random, 2)} ${'['.repeat(depth)}${wordsOf(random, 2)}\n`;
    return `${quotes}\n${list}\n${marks}\n`;
  });
