import { html } from 'lit';
import { defineOnce } from '../../primitives/define-once.ts';
import { AgentChatSurface } from './surface-element.ts';
import type { RenderContext } from '../core/renderer.ts';

defineOnce('agent-chat-surface', AgentChatSurface);

export const surfaceView = ({
  messages,
  blockId,
  context,
}: {
  readonly messages: readonly unknown[];
  readonly blockId: string;
  readonly context: RenderContext;
}): unknown =>
  html`<agent-chat-surface .messages=${messages} .blockId=${blockId} .context=${context}></agent-chat-surface>`;
