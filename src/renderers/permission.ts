import { html, nothing } from 'lit';
import { defineOnce } from '../primitives/define-once.ts';
import { button, line, said, timeOf, type ActionView } from './ask-parts.ts';
import { extraText } from './extra.ts';
import { AgentChatPermission, toolName } from './permission-element.ts';
import { readableName } from './tool-name.ts';

defineOnce('agent-chat-permission', AgentChatPermission);

/** A permission while it waits, and what has become of it. What was allowed for good can be taken back where it was used. */
export const permission: ActionView = ({ block, context }) => {
  if (block.status === 'pending') {
    return html`<agent-chat-permission .block=${block} .context=${context}></agent-chat-permission>`;
  }
  const { localize } = context.settings;
  const tool = readableName(toolName(block));
  const values = { tool, time: timeOf(block, context) };
  if (block.status === 'cancel') return line('open', localize('ask.cancelled', values));
  const note = extraText(block, 'note');
  if (block.status === 'denied') return line('failed', localize('ask.denied', values), note ? said(note) : nothing);
  if (block.extra?.['always'] !== true) {
    return line('done', localize(block.extra?.['edited'] === true ? 'ask.allowed-edited' : 'ask.allowed', values));
  }
  return line(
    'done',
    localize('ask.allowed-always', values),
    button('ghost small', localize('ask.ask-again'), () => {
      context.act('ask-again');
    }),
  );
};
