/**
 * The renderer of each block type. What most conversations show is here; the rest is fetched when it is first needed, and
 * until then its words stand in its place.
 */
import { html } from 'lit';
import type { AssistantMessageBlock, BlockOf, BlockType } from '../model/blocks.ts';
import { artifactCard } from './artifact-card.ts';
import { content } from './content.ts';
import { error } from './error.ts';
import { image } from './image.ts';
import { lazy } from './lazy.ts';
import { reasoning } from './reasoning.ts';
import { defineRenderer, type AnyRenderer, type MessageRenderer, type RenderContext } from './renderer.ts';
import { status } from './status.ts';
import { toolCall } from './tool-call.ts';

interface Props<Type extends BlockType> {
  readonly block: BlockOf<Type>;
  readonly context: RenderContext;
}

/** A renderer whose code comes later. */
const later = <Type extends BlockType>(
  type: Type,
  load: () => Promise<(props: Props<Type>) => unknown>,
): MessageRenderer<Type, Props<Type>> =>
  defineRenderer<Type, Props<Type>>({
    type,
    getProps: (block, context) => ({ block, context }),
    component: (props) => lazy(load, props, meanwhile(props.block)),
  });

/** Bars where words will stand, or the words that there are. */
const meanwhile = (block: AssistantMessageBlock): unknown =>
  block.content
    ? html`<p class="prose">${block.content}</p>`
    : html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`;

export const builtIn: Readonly<Record<BlockType, AnyRenderer>> = {
  content,
  reasoning_content: reasoning,
  error,
  tool_call: toolCall,
  image,
  status,
  action: later('action', async () => (await import('./action.ts')).actionView),
  data: later('data', async () => (await import('./data.ts')).dataView),
  search: later('search', async () => (await import('./search.ts')).searchView),
  audio: later('audio', async () => (await import('./media.ts')).mediaView),
  video: later('video', async () => (await import('./media.ts')).mediaView),
  file: later('file', async () => (await import('./media.ts')).mediaView),
  code: later('code', async () => (await import('./code.ts')).codeView),
  command_result: later('command_result', async () => (await import('./code.ts')).commandView),
  progress: later('progress', async () => (await import('./progress.ts')).progressView),
  plan: later('plan', async () => (await import('./plan.ts')).planView),
  ui: later('ui', async () => (await import('./ui.ts')).uiView),
  'artifact-thinking': defineRenderer({
    type: 'artifact-thinking',
    getProps: (block, context) => ({ block, context }),
    component: ({ block, context }) =>
      block.artifact
        ? artifactCard(block.artifact, block.content, context)
        : html`<p part="block block-artifact-thinking" class="prose muted" dir="auto">${block.content}</p>`,
  }),
};
