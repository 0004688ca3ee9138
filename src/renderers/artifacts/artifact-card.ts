import { html, type TemplateResult } from 'lit';
import type { Artifact } from '../../model/blocks.ts';
import { icon } from '../../primitives/icon.ts';
import { lazy } from '../core/lazy.ts';
import type { RenderContext } from '../core/renderer.ts';
import { withBlockStyles } from '../core/with-block-styles.ts';
import { shortText } from '../core/short-text.ts';

/** An artifact (a page, an image, a document) as one row; its preview and source open on demand. */
export const artifactCard = (artifact: Artifact, source: string, context: RenderContext): TemplateResult =>
  html`${lazy(loadArtifact, { artifact, source, context }, placeholder(artifact))}`;

const loadArtifact = () => withBlockStyles(async () => (await import('./artifact.ts')).artifactView);

const placeholder = ({ title }: Artifact): TemplateResult =>
  html`<div class="card object" part="block block-artifact-thinking">
    <span class="tile">${icon('page')}</span><b class="grow clip">${shortText(title)}</b>
  </div>`;
