import { html, nothing, type TemplateResult } from 'lit';
import { limitAccents } from '../../limit-accents.ts';
import type { BlockOf, ToolCall } from '../../model/blocks.ts';
import { showHidden } from '../../primitives/code/show-hidden.ts';
import { streamingText } from '../../primitives/patch-text.ts';
import { icon } from '../../primitives/icon.ts';
import { maskDisplayedText } from '../../safety/sent-secrets.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import type { RenderContext, ViewSettings } from '../core/renderer.ts';
import { resultView } from './tool-result.ts';
import { terminalPlainText } from './terminal-output.ts';
import { agentErrorCode, toolProblem } from './tool-state.ts';
import { formatJsonText, summarizeArguments } from './format-arguments.ts';
import { truncateForDisplay } from './truncate-for-display.ts';
import { shortText } from '../core/short-text.ts';

/**
 * A tool call as one row: tool, arguments, duration. Arguments and result open on demand. The icon of its state is set before it
 * (`components/message/work/tool-row.ts`).
 */
export function toolCallView({
  block,
  context,
}: {
  readonly block: BlockOf<'tool_call'>;
  readonly context: RenderContext;
}): TemplateResult {
  const { localize, showTools } = context.settings;
  const title = toolTitle(block, context.settings);
  // Part of the line with the tool's name, so invisible characters are removed from it.
  const argument = withoutInvisible(summarizeArguments(block.tool_call.params));
  const params = formatJsonText(block.tool_call.params ?? '');
  const response = formatJsonText(block.tool_call.response ?? '');
  const problem = toolProblem(block, context.settings);
  const live = block.status === 'loading' && context.message.status === 'streaming';
  return html`<details class="tool" part="block block-tool-call tool-call" ?open=${showTools === 'open'}>
      <summary class="tool-row">
        ${serverIcon(block.tool_call)}
        <b dir="auto">${title}</b>
        <span class="argument clip" dir="auto">${streamingText(argument)}</span>
        <span class="time">${timeOf(block, live, context)}</span>
        ${icon('chevron-right', 'small')}
      </summary>
      <div class="tool-body">
        ${serverLine(block.tool_call, context)}
        ${params ? box(localize('tool.arguments'), params, argumentsView(params), context) : nothing}
        ${
          response
            ? box(
                [localize('tool.result'), ...agentErrorCode(block)].join(' · '),
                response,
                resultView(response, !live, context),
                context,
              )
            : nothing
        }
      </div>
    </details>
    ${progressOf(block, title)}
    ${problem ? html`<div class="sub-line"><span class="problem" dir="auto">${limitAccents(problem)}</span></div>` : nothing}
    ${
      block.summary && !(problem && block.summary === (block.error?.message ?? block.tool_call.response))
        ? html`<div class="sub-line" dir="auto">${truncateForDisplay(block.summary, limitAccents)}</div>`
        : nothing
    }`;
}

/** The display name from the agent, otherwise the tool's name split into words. */
export function toolTitle({ description, tool_call }: BlockOf<'tool_call'>, { localize }: ViewSettings): string {
  if (description) return shortText(maskDisplayedText(description));
  const name = shortText(maskDisplayedText(tool_call.name ?? localize('tool.unnamed')));
  const label = name
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .trim()
    .toLowerCase();
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function timeOf({ duration, timestamp }: BlockOf<'tool_call'>, live: boolean, { settings }: RenderContext): unknown {
  if (duration !== undefined) return settings.localize.duration(duration);
  return live
    ? html`<agent-chat-elapsed .since=${timestamp} .localize=${settings.localize}></agent-chat-elapsed>`
    : nothing;
}

function progressOf({ progress, status }: BlockOf<'tool_call'>, title: string): unknown {
  if (!progress || status !== 'loading') return nothing;
  return html`<div class="sub-line tabular">
    <progress max="1" value=${progress.value ?? nothing} aria-label=${title}></progress>
    <span dir="auto">${progress.message === undefined ? nothing : shortText(maskDisplayedText(progress.message))}</span>
  </div>`;
}

/** The server's icon, if it is a symbol such as an emoji. The name or the URL of an icon is not rendered. */
const serverIcon = ({ server_icons = '' }: ToolCall): unknown =>
  SYMBOL.test(server_icons) ? html`<span aria-hidden="true">${server_icons}</span>` : nothing;

/** One to four emoji or pictographs. Letters, digits or punctuation could be confused with text of the widget. */
const SYMBOL = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}){1,4}$/v;

/** The server that offers the tool, and its description. */
function serverLine({ server_name, server_description }: ToolCall, { settings }: RenderContext): unknown {
  if (!server_name && !server_description) return nothing;
  return html`<div class="tool-server" dir="auto">
    ${server_name ? html`<b>${settings.localize('ui.from', { name: shortText(maskDisplayedText(server_name)) })}</b>` : nothing}
    ${server_description ? html`<span>${shortText(maskDisplayedText(server_description))}</span>` : nothing}
  </div>`;
}

const argumentsView = (text: string): TemplateResult =>
  html`<pre tabindex="0" translate="no">${streamingText(truncateForDisplay(text, showHidden))}</pre>`;

const box = (label: string, text: string, view: TemplateResult, { settings }: RenderContext): TemplateResult =>
  html`<div class="tool-box">
    <div class="bar">
      <span class="label grow">${label}</span>
      <agent-chat-copy
        .value=${() => terminalPlainText(text)}
        .label=${settings.localize('code.copy')}
        .done=${settings.localize('code.copied')}
      ></agent-chat-copy>
    </div>
    ${view}
  </div>`;
