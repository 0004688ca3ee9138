/**
 * Hides a partial last word at the start of an inline element. Completing such a word may wrap it to the next line:
 * browsers count that as a layout shift, and users see it jump. It is shown once complete. A partial word elsewhere
 * continues a text node that stays in its position.
 */
import type { Token, Tokens } from 'marked';

/** A word of a script that uses spaces; longer character sequences are not words. */
const WORD = String.raw`[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,40}$`;
const FIRST = new RegExp(String.raw`^\s*${WORD}`, 'u');
/** A word after whitespace, where a line may break. */
const AFTER_SPACE = new RegExp(String.raw`^\s+${WORD}`, 'u');

/**
 * Returns streaming inline tokens without the partial word that starts their last text. `begun`: the block has content
 * before them.
 */
export function hidePartialWord(tokens: readonly Token[], begun: boolean): readonly Token[] {
  const last = tokens.at(-1);
  const others = tokens.slice(0, -1);
  const before = others.at(-1);
  if (!last || before?.type === 'br') return tokens;
  if (isOpened(last)) {
    const inner = hidePartialWord(last.tokens, begun || before !== undefined);
    return inner.length > 0 ? [...others, { ...last, tokens: [...inner] }] : others;
  }
  if (!before && !begun) return tokens;
  const pattern = before && last.type === 'text' ? AFTER_SPACE : FIRST;
  return isGrowing(last) && pattern.test(last.text) ? others : tokens;
}

type Opened = Tokens.Strong | Tokens.Em | Tokens.Del;
/** Unclosed emphasis has no source. */
const isOpened = (token: Token): token is Opened => token.raw === '' && 'tokens' in token;
/** Unclosed code is its own source. */
const isGrowing = (token: Token): token is Tokens.Text | Tokens.Codespan =>
  token.type === 'text' || (token.type === 'codespan' && token.raw === token['text']);
