import { html, type TemplateResult } from 'lit';
import { parseJson } from '../../model/json.ts';
import { showHidden } from '../../primitives/code/show-hidden.ts';
import { streamingText } from '../../primitives/patch-text.ts';
import { jsonTree } from './json-tree.ts';
import type { RenderContext } from '../core/renderer.ts';
import { isTerminalOutput } from './parse-ansi.ts';
import { renderTerminalText } from './terminal-output.ts';
import { truncateForDisplay } from './truncate-for-display.ts';

/** JSON up to this length is shown as text; longer JSON as a collapsible tree. */
const GLANCE_LENGTH = 1500;
/** The output of diff programs such as `git diff` and `diff -u`. */
const DIFF = /^(?:diff --git .+\n|(?:Index: .+\n=+\n)?--- .+\n\+\+\+ .+\n@@ )/;

/** Renders a tool result by its format. `text`: the result; if it is JSON, formatted. */
export function resultView(text: string, isComplete: boolean, context: RenderContext): TemplateResult {
  if (isComplete && text.length > GLANCE_LENGTH && /^[[{]/.test(text)) {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null) return jsonTree(value, context);
  }
  if (isComplete && DIFF.test(text)) {
    return html`<agent-chat-code
      .code=${truncateForDisplay(text)}
      .language=${'diff'}
      .complete=${true}
      .localize=${context.settings.localize}
    ></agent-chat-code>`;
  }
  const displayText = truncateForDisplay(text, showHidden);
  return html`<pre tabindex="0" translate="no">
${isTerminalOutput(text) ? renderTerminalText(displayText) : streamingText(displayText)}</pre>`;
}
