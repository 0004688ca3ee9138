/**
 * A word of which only the half is there may go to the next line when its rest comes. Where it begins a text of its own, behind a link
 * or in bold, that is something that has moved: browsers count it, and readers see it jump. Such a word is shown when it is whole.
 * Anywhere else its text begins before it, and stays.
 */
import type { Token, Tokens } from 'marked';

/** Of a script that puts blanks between words; what is longer is no word. */
const WORD = String.raw`[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{1,40}$`;
const FIRST = new RegExp(String.raw`^\s*${WORD}`, 'u');
/** Behind a blank, where a line may end. */
const BEHIND = new RegExp(String.raw`^\s+${WORD}`, 'u');

/** Words that grow, without the half word that begins a text at their end. `begun`: something stands before them in their block. */
export function withoutHalfWord(tokens: readonly Token[], begun: boolean): readonly Token[] {
  const last = tokens.at(-1);
  const others = tokens.slice(0, -1);
  const before = others.at(-1);
  if (!last || before?.type === 'br') return tokens;
  if (isOpened(last)) {
    const inner = withoutHalfWord(last.tokens, begun || before !== undefined);
    return inner.length > 0 ? [...others, { ...last, tokens: [...inner] }] : others;
  }
  if (!before && !begun) return tokens;
  const pattern = before && last.type === 'text' ? BEHIND : FIRST;
  return isGrowing(last) && pattern.test(last.text) ? others : tokens;
}

type Opened = Tokens.Strong | Tokens.Em | Tokens.Del;
/** Marks around words that are not closed yet have no source. */
const isOpened = (token: Token): token is Opened => token.raw === '' && 'tokens' in token;
/** Code that is not closed is its source. */
const isGrowing = (token: Token): token is Tokens.Text | Tokens.Codespan =>
  token.type === 'text' || (token.type === 'codespan' && token.raw === token['text']);
