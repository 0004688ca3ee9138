/**
 * Emphasis next to Chinese, Japanese and Korean text. CommonMark decides by the characters around a delimiter and
 * expects spaces, which these scripts do not use: `**テスト。**です` would show its delimiters. Here a CJK letter or
 * punctuation mark counts as a letter inside the emphasis, and as whitespace outside of it.
 * Source: "Specification of Markdown CJK-friendly emphasis", https://github.com/tats-u/markdown-cjk-friendly.
 */
const CJK = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Yiii}\u3001-\u303f\u309b\u309c\u30a0\u30fb\u30fc\u3190-\u319f\u31c0-\u31ef\u3200-\u33ff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uffee]`;
const IS_CJK = new RegExp(CJK, 'u');
export const isCjk = (character: string): boolean => IS_CJK.test(character);

/** Punctuation of other scripts. marked does not include `~`. */
const PUNCTUATION = String.raw`(?!~|${CJK})[\p{P}\p{S}]`;

/**
 * marked's rule for closing delimiters (`rules.ts`, `emStrongRDelimAst` and `delRDelim`), with its six alternatives in
 * the same order: two that close, two that open, two that do both.
 */
function closing(skipped: string, mark: string, more: string, word: string): RegExp {
  const run = mark + more;
  const point = `(?!${mark})${PUNCTUATION}`;
  const inside = `(?:${CJK}|${word})`;
  const other = `(?!${CJK})${word}`;
  const whole = `(?!${mark})`;
  return new RegExp(
    [
      skipped,
      String.raw`${point}(${run})(?=\s|$)`,
      String.raw`(?:${other}(?=${run}${point})|${inside}(?=${run}(?:\s|$)))(${run})${whole}`,
      String.raw`(?:\s|${point}(?=${run}${other}))(${run})(?=${inside})`,
      String.raw`\s(${run})${whole}(?=${point})`,
      `(?:${point}(?=${run}(?:${point}|${CJK}))|${CJK}(?=${run}${point}))(${run})${whole}`,
      `${inside}(${run})(?=${inside})`,
    ].join('|'),
    'gu',
  );
}

const LETTER = String.raw`[^\s\p{P}\p{S}]`;

/** The rules of marked that are replaced. */
export const emphasisRules = {
  emStrongLDelim: new RegExp(
    String.raw`^(?:\*+(?:((?!\*)${PUNCTUATION})|([^\s*]))?)|^_+(?:((?!_|~)[\p{P}\p{S}])|([^\s_]))?`,
    'u',
  ),
  emStrongRDelimAst: closing(
    String.raw`^[^_*]*?__[^_*]*?\*[^_*]*?(?=__)|[^*]+(?=[^*])`,
    String.raw`\*`,
    '+',
    `(?:${LETTER}|~)`,
  ),
  delLDelim: new RegExp(`^~~?(?:(${PUNCTUATION})|[^\\s~])`, 'u'),
  delRDelim: closing('^[^~]+(?=[^~])', '~', '~?', LETTER),
};

const IS_POINT = new RegExp(PUNCTUATION, 'u');
/** Characters that marked treats as punctuation before a delimiter, depending on the next character. */
const BEFORE_PUNCTUATION = new RegExp(String.raw`^(?:(?![*_])[\s\p{P}\p{S}]|${CJK})`, 'u');
const BEFORE_CJK = /^\s/;
const BEFORE_LETTER = new RegExp(String.raw`^(?![*_])(?:\s|${PUNCTUATION})`, 'u');
const BEHIND_MARKS = /^[*~]+(.)/u;

/** marked asks whether the character before a delimiter is punctuation: the answer depends on the character after it. */
export function punctuationBefore(src: string): RegExp {
  const behind = BEHIND_MARKS.exec(src)?.[1] ?? '';
  if (IS_POINT.test(behind)) return BEFORE_PUNCTUATION;
  return isCjk(behind) ? BEFORE_CJK : BEFORE_LETTER;
}
