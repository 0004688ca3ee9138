import { html, type TemplateResult } from 'lit';
import { defineOnce } from '../primitives/define-once.ts';
import type { Drawing } from '../primitives/code-tools.ts';
import { AgentChatDiagram } from './diagram-element.ts';

defineOnce('agent-chat-diagram', AgentChatDiagram);

/** A diagram in the language of Mermaid, drawn in a frame. */
export const diagramView = (drawing: Drawing): TemplateResult =>
  html`<agent-chat-diagram .drawing=${drawing}></agent-chat-diagram>`;
