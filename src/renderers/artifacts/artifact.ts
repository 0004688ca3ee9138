import { html } from 'lit';
import type { Artifact } from '../../model/blocks.ts';
import { defineOnce } from '../../primitives/define-once.ts';
import { AgentChatArtifact } from './artifact-element.ts';
import { asText } from '../core/block-extra.ts';
import type { RenderContext } from '../core/renderer.ts';

defineOnce('agent-chat-artifact', AgentChatArtifact);

export interface ArtifactProps {
  readonly artifact: Artifact;
  readonly source: string;
  readonly context: RenderContext;
}

export const artifactView = ({ artifact, source, context }: ArtifactProps): unknown =>
  html`<agent-chat-artifact
    part="block block-artifact-thinking"
    .artifact=${artifact}
    .source=${asText(source)}
    .settings=${context.settings}
  ></agent-chat-artifact>`;
