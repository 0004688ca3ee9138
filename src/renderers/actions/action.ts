/**
 * Actions that wait for the user: permissions, confirmations, questions, limits. An answered action is a single line.
 */
import { html } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { lazyIcon } from '../../primitives/lazy-icons.ts';
import { settledPress } from '../../primitives/settled-press.ts';
import { answeredLine, actionCard, decision, outcomeLine, optionsOf, type ActionView } from '../core/action-card.ts';
import { permission } from './permission.ts';
import { question } from './question.ts';
import { rateLimit } from '../status/rate-limit.ts';

export const actionView: ActionView = (props) => {
  const { action_type } = props.block;
  if (!Object.hasOwn(views, action_type)) throw new TypeError(`There is no action type "${action_type}".`);
  return views[action_type](props);
};

const confirmation: ActionView = ({ block, context }) => {
  const { localize } = context.settings;
  if (block.status !== 'pending') return answeredLine(block, context);
  const options = optionsOf(block);
  return actionCard(
    { symbol: 'question', title: block.content ?? localize('ask.confirm') },
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
