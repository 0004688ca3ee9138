import { html, nothing, type TemplateResult } from 'lit';
import type { BlockOf } from '../model/blocks.ts';
import { maskShown } from '../safety/sent-secrets.ts';
import { withoutBidi } from '../safety/urls.ts';
import { artifactCard } from './artifact-card.ts';
import { drawingOf } from './drawings.ts';
import { asText } from './extra.ts';
import { languageName } from './language-name.ts';
import type { RenderContext } from './renderer.ts';
import { terminalText, terminalWords } from './terminal-text.ts';

/** Code that an agent wrote, with what it printed when it ran. */
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
      .filename=${filename === undefined ? undefined : withoutBidi(filename)}
      .whole=${!context.growing}
      .localize=${localize}
      .drawing=${drawingOf(languageName(language), context.settings.artifacts)}
    ></agent-chat-code>
    ${output ? terminal(localize('code.output'), output, context) : nothing}
    ${error ? html`<p class="problem" dir="auto">${maskShown(error)}</p>` : nothing}
  </div>`;
}

/** What a command printed, and how it ended. */
export function commandView({
  block,
  context,
}: {
  readonly block: BlockOf<'command_result'>;
  readonly context: RenderContext;
}): TemplateResult {
  const { localize } = context.settings;
  const { success, output, error, exitCode } = block.commandResult;
  const label = success ? localize('command.ok') : localize('command.failed', { code: exitCode ?? '?' });
  return html`<div part="block block-command-result" class="stack">
    ${terminal(label, output, context)} ${error ? html`<p class="problem" dir="auto">${maskShown(error)}</p>` : nothing}
  </div>`;
}

const terminal = (label: string, text: string, { settings }: RenderContext): TemplateResult =>
  html`<div class="tool-box">
    <div class="bar">
      <span class="label grow">${label}</span>
      <agent-chat-copy
        .value=${() => terminalWords(text)}
        .label=${settings.localize('code.copy')}
        .done=${settings.localize('code.copied')}
      ></agent-chat-copy>
    </div>
    <pre tabindex="0">${terminalText(text)}</pre>
  </div>`;
