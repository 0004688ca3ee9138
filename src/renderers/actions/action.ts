/**
 * Actions that wait for the user: permissions, confirmations, questions, limits. An answered action is a single line.
 */
import { html } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { settledPress } from '../../primitives/press/settled-press.ts';
import { answeredLine, actionCard, decision, outcomeLine, optionsOf, type ActionView } from '../core/action-card.ts';
import { messageAuthor } from '../core/author-name.ts';
import type { RenderContext } from '../core/renderer.ts';
import { permission } from './permission.ts';
import { question } from './question.ts';
import { rateLimit } from '../status/provider-rate-limit.ts';

export const actionView: ActionView = (props) => {
  const { block, context } = props;
  const { action_type } = block;
  if (!Object.hasOwn(views, action_type)) throw new TypeError(`There is no action type "${action_type}".`);
  const isClosed = block.status === 'pending' && action_type !== 'rate_limit' && isOver(context);
  return views[action_type](isClosed ? { block: { ...block, status: 'cancel' }, context } : props);
};

/**
 * Whether no agent waits for an answer in this message any more: the reply was cut off, stopped or has failed, or a message of
 * the user follows it. The widget closes the questions of its own replies, but the page may assign messages with open ones.
 */
function isOver({ message, conversation }: RenderContext): boolean {
  if (message.status !== 'complete') return message.status !== 'streaming';
  const all = conversation?.messages() ?? [];
  const later = all.slice(all.findIndex(({ id }) => id === message.id) + 1);
  return later.some(({ role, status }) => role === 'user' && status !== 'queued');
}

const confirmation: ActionView = ({ block, context }) => {
  const { localize } = context.settings;
  if (block.status !== 'pending') return answeredLine(block, context);
  const options = optionsOf(block, localize);
  return actionCard(
    { symbol: 'question', title: block.content ?? localize('ask.confirm'), localize, author: messageAuthor(context) },
    html`<div class="actions">
      ${
        options.length > 0
          ? options.map(({ label, value }, index) =>
              decision(index === 0 ? 'primary' : 'plain', label, context, 'answered', value),
            )
          : [
              decision('primary', localize('ask.yes'), context, 'granted'),
              decision('plain', localize('ask.no'), context, 'denied'),
            ]
      }
    </div>`,
  );
};

const toolLimit: ActionView = ({ block, context }) => {
  const { localize } = context.settings;
  if (block.status !== 'pending') {
    return outcomeLine(
      block.status === 'granted' ? 'done' : 'pause',
      localize(block.status === 'granted' ? 'limit.continued' : 'limit.stopped'),
    );
  }
  return html`<section
    class="notice"
    part="block block-action"
    role="group"
    aria-label=${localize('limit.reached')}
    ${settledPress()}
  >
    ${lazyIcon('pause')}
    <div class="grow split">
      <div class="grow">
        <b>${localize('limit.reached')}</b>
        <p class="muted">${localize('limit.explain')}</p>
      </div>
      <div class="actions settling">
        ${decision('ghost', localize('limit.stop'), context, 'denied')}
        ${decision('plain', localize('limit.continue'), context, 'granted')}
      </div>
    </div>
  </section>`;
};

const views: Readonly<Record<BlockOf<'action'>['action_type'], ActionView>> = {
  tool_call_permission: permission,
  confirmation,
  question,
  interrupt: question,
  maximum_tool_calls_reached: toolLimit,
  rate_limit: rateLimit,
};
