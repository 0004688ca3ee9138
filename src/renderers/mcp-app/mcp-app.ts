import { html } from 'lit';
import { defineOnce } from '../../primitives/define-once.ts';
import { AgentChatArtifact } from '../artifacts/artifact-element.ts';
import type { McpApp } from './read-resource.ts';
import { AgentChatApp } from './mcp-app-element.ts';
import type { RenderContext } from '../core/renderer.ts';

defineOnce('agent-chat-artifact', AgentChatArtifact);
defineOnce('agent-chat-app', AgentChatApp);

export const appView = ({ app, context }: { readonly app: McpApp; readonly context: RenderContext }): unknown =>
  html`<agent-chat-app .app=${app} .context=${context}></agent-chat-app>`;
