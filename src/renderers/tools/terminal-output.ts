import { html, type TemplateResult } from 'lit';
import { createAccentLimiter } from '../../safety/accent-limiter.ts';
import { streamingText } from '../../primitives/patch-text.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { isTerminalOutput, parseAnsi } from './parse-ansi.ts';

/** Terminal output with its colours. */
export function renderTerminalText(text: string): unknown {
  if (!isTerminalOutput(text)) return streamingText(maskDisplayedText(text));
  const runs = parseAnsi(text);
  const plain = runs.map((run) => run.text).join('');
  const masked = maskDisplayedText(plain);
  // A secret may span several colours, so masked text is rendered without colours.
  if (masked !== plain) return masked;
  const limitAccents = createAccentLimiter();
  return runs.map(({ text: runText, styleNames }) => {
    const shown = limitAccents(runText);
    return styleNames === '' ? shown : styledRun(shown, styleNames);
  });
}

/** The copied text has no colours. */
export const terminalPlainText = (text: string): string =>
  maskDisplayedText(
    isTerminalOutput(text)
      ? parseAnsi(text)
          .map((run) => run.text)
          .join('')
      : text,
  );

const styledRun = (text: string, styleNames: string): TemplateResult =>
  html`<span class="ansi ${styleNames}">${text}</span>`;
