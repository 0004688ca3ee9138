import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { limitAccents } from '../../limit-accents.ts';
import { showHidden } from '../../primitives/code/show-hidden.ts';
import { shortText } from '../core/short-text.ts';
import { artifactCard } from '../artifacts/artifact-card.ts';
import { diagramLoaderFor } from '../artifacts/load-diagram.ts';
import { asText } from '../core/block-extra.ts';
import { languageName } from '../core/language-name.ts';
import type { RenderContext } from '../core/renderer.ts';
import { truncateForDisplay } from './truncate-for-display.ts';
import { renderTerminalText, terminalPlainText } from './terminal-output.ts';

/** Code that an agent wrote, with the output of its execution. */
export function codeView({
  block,
  context,
}: {
  readonly block: BlockOf<'code'>;
  readonly context: RenderContext;
}): TemplateResult {
  if (block.artifact) return artifactCard(block.artifact, block.code.content, context);
  const { localize } = context.settings;
  const { language, content, filename, output, error } = block.code;
  return html`<div part="block block-code" class="stack">
    <agent-chat-code
      .code=${asText(content)}
      .language=${languageName(language)}
      .filename=${filename === undefined ? undefined : shortText(filename)}
      .complete=${!context.growing}
      .localize=${localize}
      .loadDiagram=${diagramLoaderFor(languageName(language), context.settings.artifacts)}
    ></agent-chat-code>
    ${output ? terminal(localize('code.output'), output, context) : nothing}
    ${error ? html`<p class="problem" dir="auto">${truncateForDisplay(error, limitAccents)}</p>` : nothing}
  </div>`;
}

/** The output of a command and its exit code. */
export function commandView({
  block,
  context,
}: {
  readonly block: BlockOf<'command_result'>;
  readonly context: RenderContext;
}): TemplateResult {
  const { localize } = context.settings;
  const { success, output, error, exitCode } = block.commandResult;
  const failed = exitCode === undefined ? localize('phase.error') : localize('command.failed', { code: exitCode });
  return html`<div part="block block-command-result" class="stack">
    ${terminal(success ? localize('command.ok') : failed, output, context)}
    ${error ? html`<p class="problem" dir="auto">${truncateForDisplay(error, limitAccents)}</p>` : nothing}
  </div>`;
}

const terminal = (label: string, text: string, { settings }: RenderContext): TemplateResult =>
  html`<div class="tool-box">
    <div class="bar">
      <span class="label grow">${label}</span>
      <agent-chat-copy
        .value=${() => terminalPlainText(text)}
        .label=${settings.localize('code.copy')}
        .done=${settings.localize('code.copied')}
      ></agent-chat-copy>
    </div>
    <pre tabindex="0" translate="no">${renderTerminalText(truncateForDisplay(text, showHidden))}</pre>
  </div>`;
