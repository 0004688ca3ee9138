import { html, type TemplateResult } from 'lit';
import { defineOnce } from '../../primitives/define-once.ts';
import type { Diagram } from '../../primitives/code/code-tools.ts';
import { AgentChatDiagram } from './diagram-element.ts';

defineOnce('agent-chat-diagram', AgentChatDiagram);

/** A Mermaid diagram, rendered in a frame. */
export const diagramView = (drawing: Diagram): TemplateResult =>
  html`<agent-chat-diagram .drawing=${drawing}></agent-chat-diagram>`;
