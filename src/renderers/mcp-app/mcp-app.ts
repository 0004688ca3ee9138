import { html } from 'lit';
import { defineOnce } from '../../primitives/define-once.ts';
import { AgentChatArtifact } from '../artifacts/artifact-element.ts';
import type { RenderContext } from '../core/renderer.ts';
import { AgentChatFetchedApp } from './fetched-app.ts';
import { AgentChatApp } from './mcp-app-element.ts';
import type { McpApp, McpAppReference } from './read-resource.ts';

defineOnce('agent-chat-artifact', AgentChatArtifact);
defineOnce('agent-chat-app', AgentChatApp);
defineOnce('agent-chat-fetched-app', AgentChatFetchedApp);

interface AppProps {
  readonly app: McpApp | McpAppReference;
  readonly context: RenderContext;
}

export const appView = ({ app, context }: AppProps): unknown =>
  'text' in app
    ? html`<agent-chat-app .app=${app} .context=${context}></agent-chat-app>`
    : html`<agent-chat-fetched-app .reference=${app} .context=${context}></agent-chat-fetched-app>`;
