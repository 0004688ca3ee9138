import { html, nothing, type TemplateResult } from 'lit';
import { defineOnce } from '../../primitives/define-once.ts';
import type { IconName } from '../../primitives/icon.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import {
  button,
  outcomeLine,
  answerTextLine,
  answerTime,
  type ActionProps,
  type ActionView,
} from '../core/action-card.ts';
import { extraText } from '../core/block-extra.ts';
import { hasChangedArguments } from './changed-arguments.ts';
import { AgentChatPermission, toolName } from './permission-element.ts';
import { showInvisible } from '../../safety/show-invisible.ts';
import { inSentence } from '../core/in-sentence.ts';
import { summarizeArguments } from '../tools/format-arguments.ts';
import { readableName } from '../tools/humanize-name.ts';

defineOnce('agent-chat-permission', AgentChatPermission);

/** A permission request and its outcome. A permanent approval can be revoked where it was used. */
export const permission: ActionView = ({ block, context }) => {
  if (block.status === 'pending') {
    return html`<agent-chat-permission .block=${block} .context=${context}></agent-chat-permission>`;
  }
  const { localize } = context.settings;
  const tool = inSentence(readableName(toolName(block))).replace(/[,，、،]/g, ' ');
  const values = { tool, time: answerTime(block, context) };
  // The shield marks the line as the widget's own: agents choose the texts of other lines, and none of those has it.
  const shield = html`<span
    class="icon small"
    role="img"
    aria-label=${localize('ask.outcome')}
    title=${localize('ask.outcome')}
    >${lazyIcon('shield', 'small')}</span
  >`;
  const outcome = (symbol: IconName, text: string, more?: unknown): TemplateResult =>
    outcomeLine(symbol, text, more, shield);
  // Only these two are decisions. Any other status, for example from the page's storage, grants nothing.
  if (block.status !== 'granted' && block.status !== 'denied')
    return outcome('open', localize('ask.cancelled', values));
  if (extraText(block, 'decidedBy') === 'server') {
    return block.status === 'denied'
      ? outcome('failed', localize('ask.denied-server', values))
      : outcome('open', localize('ask.allowed-server', values));
  }
  const note = extraText(block, 'note');
  const changed = hasChangedArguments(block, context.message) ? changedLine(block, context) : nothing;
  if (block.status === 'denied') {
    const noteLine = note ? answerTextLine(note) : nothing;
    return html`${outcome('failed', localize('ask.denied', values), noteLine)}${changed}`;
  }
  if (block.extra?.['always'] !== true) {
    const allowed = localize(block.extra?.['edited'] === true ? 'ask.allowed-edited' : 'ask.allowed', values);
    return html`${outcome('done', allowed)}${changed}`;
  }
  const askAgain = button('ghost small', localize('ask.ask-again'), () => {
    context.act('ask-again');
  });
  return html`${outcome('done', localize('ask.allowed-always', values), askAgain)}${changed}`;
};

/** Repeats the arguments that the user has answered for. */
const changedLine = ({ tool_call }: ActionProps['block'], { settings }: ActionProps['context']): TemplateResult =>
  html`<div class="line" part="block block-action">
    ${lazyIcon('alert', 'small')}
    <span dir="auto"
      >${settings.localize('ask.arguments-changed')}
      <q>${showInvisible(summarizeArguments(tool_call?.params))}</q></span
    >
  </div>`;
