/**
 * The renderer of each block type. Those that most conversations need are in this chunk. The others are loaded on first
 * use; until then the text of the block is shown instead.
 */
import { html, nothing } from 'lit';
import type { AssistantMessageBlock, BlockOf, BlockType } from '../model/blocks.ts';
import { artifactCard } from './artifacts/artifact-card.ts';
import { withBlockStyles } from './core/with-block-styles.ts';
import { content } from './text/content.ts';
import { error } from './status/error.ts';
import { image } from './media/image.ts';
import { lazy } from './core/lazy.ts';
import { longText } from './core/long-text.ts';
import { reasoning } from './text/reasoning.ts';
import { defineRenderer, type AnyRenderer, type MessageRenderer, type RenderContext } from './core/renderer.ts';
import { shortText } from './core/short-text.ts';

interface Props<Type extends BlockType> {
  readonly block: BlockOf<Type>;
  readonly context: RenderContext;
}

/** A renderer whose code, styles and texts are loaded on first use. */
function later<Type extends BlockType>(
  type: Type,
  load: () => Promise<(props: Props<Type>) => unknown>,
): MessageRenderer<Type, Props<Type>> {
  const loadAll = (): Promise<(props: Props<Type>) => unknown> => withBlockStyles(load);
  return defineRenderer<Type, Props<Type>>({
    type,
    getProps: (block, context) => ({ block, context }),
    component: (props) => lazy(loadAll, props, meanwhile(props.block)),
  });
}

/** Until the code is loaded: the start of the block's text, or a skeleton. Tool calls and phases are shown as steps elsewhere. */
const meanwhile = (block: AssistantMessageBlock): unknown =>
  block.type === 'tool_call' || block.type === 'status'
    ? nothing
    : block.content
      ? html`<p class="prose">${shortText(block.content)}</p>`
      : html`<div class="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>`;

export const builtIn: Readonly<Record<BlockType, AnyRenderer>> = {
  content,
  reasoning_content: reasoning,
  error,
  tool_call: later('tool_call', async () => (await import('./tools/tool-call.ts')).toolCallView),
  image,
  status: later('status', async () => (await import('./status/phase.ts')).phasesView),
  action: later('action', async () => (await import('./actions/action.ts')).actionView),
  data: later('data', async () => (await import('./data/data.ts')).dataView),
  search: later('search', async () => (await import('./tools/search.ts')).searchView),
  audio: later('audio', async () => (await import('./media/media.ts')).mediaView),
  video: later('video', async () => (await import('./media/media.ts')).mediaView),
  file: later('file', async () => (await import('./media/media.ts')).mediaView),
  code: later('code', async () => (await import('./tools/code.ts')).codeView),
  command_result: later('command_result', async () => (await import('./tools/code.ts')).commandView),
  progress: later('progress', async () => (await import('./status/progress.ts')).progressView),
  plan: later('plan', async () => (await import('./status/plan.ts')).planView),
  ui: later('ui', async () => (await import('./ui-block.ts')).uiView),
  'artifact-thinking': defineRenderer({
    type: 'artifact-thinking',
    getProps: (block, context) => ({ block, context }),
    component: ({ block, context }) =>
      block.artifact
        ? artifactCard(block.artifact, block.content, context)
        : html`<p part="block block-artifact-thinking" class="prose muted" dir="auto">
            ${longText(block.content, context.settings.localize, String)}
          </p>`,
  }),
};
