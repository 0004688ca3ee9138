import { html, type TemplateResult } from 'lit';
import { parseJson } from '../model/json.ts';
import { growingText } from '../primitives/growing-text.ts';
import { jsonTree } from './json-tree.ts';
import type { RenderContext } from './renderer.ts';
import { isTerminal } from './ansi.ts';
import { terminalText } from './terminal-text.ts';
import { beginning } from './tool-arguments.ts';

/** JSON up to this length is read at a glance; a longer one is a tree that folds. */
const GLANCE_LENGTH = 1500;
/** What programs that compare files write, as `git diff` and `diff -u` do. */
const DIFF = /^(?:diff --git .+\n|(?:Index: .+\n=+\n)?--- .+\n\+\+\+ .+\n@@ )/;

/** What a tool has given back, in the form that it is read in. `text`: JSON already in lines. `whole`: nothing more will come. */
export function resultView(text: string, whole: boolean, context: RenderContext): TemplateResult {
  if (whole && text.length > GLANCE_LENGTH && /^[[{]/.test(text)) {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null) return jsonTree(value, context);
  }
  if (whole && DIFF.test(text)) {
    return html`<agent-chat-code
      .code=${beginning(text)}
      .language=${'diff'}
      .whole=${true}
      .localize=${context.settings.localize}
    ></agent-chat-code>`;
  }
  return html`<pre tabindex="0">
${isTerminal(text) ? terminalText(beginning(text)) : growingText(beginning(text))}</pre>`;
}
