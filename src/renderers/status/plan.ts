import { html, type TemplateResult } from 'lit';
import type { BlockOf } from '../../model/blocks.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { AgentChatPlan } from './plan-element.ts';
import type { RenderContext } from '../core/renderer.ts';

defineOnce('agent-chat-plan', AgentChatPlan);

/** The agent's plan and its progress. */
export const planView = ({
  block,
  context: { message, settings },
}: {
  readonly block: BlockOf<'plan'>;
  readonly context: RenderContext;
}): TemplateResult =>
  html`<agent-chat-plan
    .plan=${block.plan}
    .live=${message.status === 'streaming'}
    .settings=${settings}
  ></agent-chat-plan>`;
