import { html, type TemplateResult } from 'lit';
import { growingText } from '../primitives/growing-text.ts';
import { maskShown } from '../safety/sent-secrets.ts';
import { isTerminal, readAnsi } from './ansi.ts';

/** What a program has printed, in the colours it asked for. */
export function terminalText(text: string): unknown {
  if (!isTerminal(text)) return growingText(maskShown(text));
  const stretches = readAnsi(text);
  const plain = stretches.map((stretch) => stretch.text).join('');
  const masked = maskShown(plain);
  // A key may reach over several colours: where there is one, it is the words that count.
  if (masked !== plain) return masked;
  return stretches.map(({ text: words, looks }) => (looks === '' ? words : stretch(words, looks)));
}

/** What is copied has no colours. */
export const terminalWords = (text: string): string =>
  maskShown(
    isTerminal(text)
      ? readAnsi(text)
          .map((one) => one.text)
          .join('')
      : text,
  );

const stretch = (words: string, looks: string): TemplateResult => html`<span class="ansi ${looks}">${words}</span>`;
