import { html, nothing, type TemplateResult } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import { MarkedText, splitMarks, withoutMarks } from '../markdown/citation-marks.ts';
import { markdown } from '../markdown/markdown.ts';
import type { MarkdownView } from '../markdown/view.ts';
import type { BlockOf } from '../model/blocks.ts';
import { growingText } from '../primitives/growing-text.ts';
import { withoutBidi } from '../safety/urls.ts';
import { artifactCard } from './artifact-card.ts';
import { drawingOf } from './drawings.ts';
import { imageOf } from './image-of.ts';
import { defineRenderer, type RenderContext, type ViewSettings } from './renderer.ts';
import { citationsOf, numberOf, sourcesOf } from './sources.ts';

/** The words of a message. Busy for assistive technology while they stream. */
export const content = defineRenderer({
  type: 'content',
  getProps: (block, context) => ({ block, context }),
  component: ({ block, context }) => {
    if (block.artifact) return artifactCard(block.artifact, block.content, context);
    const { growing } = context;
    return html`<div
      part="block block-content"
      class="prose ${block.format === 'text' ? 'plain' : ''} ${growing ? 'growing' : ''}"
      aria-busy=${growing ? 'true' : nothing}
    >
      ${words(block, context)}
    </div>`;
  },
});

/** How much of a block is drawn at once: what the message's limit leaves behind the blocks before it. */
function roomFor(block: BlockOf<'content'>, { message, settings }: RenderContext): number {
  let room = settings.limits.shownLength ?? Infinity;
  for (const other of message.blocks) {
    if (other.id === block.id) break;
    if (other.type === 'content') room -= other.content.length;
  }
  return Math.max(0, room);
}

/** So many characters from the start, and none of them halved. */
const wholeStart = (text: string, length: number): string =>
  text.slice(0, /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length);

/** Where the marks of the block's citations stand, and what they show. */
function placesOf(block: BlockOf<'content'>, { message }: RenderContext): { end: number; number: number }[] {
  const sources = sourcesOf(message);
  return citationsOf(block).flatMap((citation) =>
    citation.end === undefined ? [] : [{ end: citation.end, number: numberOf(sources, citation) }],
  );
}

/**
 * Words at one place of the transcript. What the parser is told about the words around it stays the same object from token to
 * token, or it would draw everything again.
 */
class Words extends AsyncDirective {
  readonly #text = new MarkedText();
  #context: RenderContext | undefined;
  #settings: ViewSettings | undefined;
  #view: MarkdownView | undefined;
  /** The reader has asked for all of it. */
  #all = false;

  render(block: BlockOf<'content'>, context: RenderContext): unknown {
    const room = this.#all ? Infinity : roomFor(block, context);
    const cut = block.content.length > room;
    const shown = cut ? { ...block, content: wholeStart(block.content, room) } : block;
    // One shape for both: the words that are there stay when the limit is reached.
    return html`${this.#words(shown, context)}${cut ? this.#showMore(block, context) : nothing}`;
  }

  #showMore(block: BlockOf<'content'>, context: RenderContext): TemplateResult {
    const more = (): void => {
      this.#all = true;
      this.setValue(this.render(block, context));
    };
    return html`<button type="button" class="button plain" @click=${more}>
      ${context.settings.localize('message.show-more')}
    </button>`;
  }

  #words(block: BlockOf<'content'>, context: RenderContext): unknown {
    const source = this.#text.update(block.content, placesOf(block, context));
    this.#context = context;
    if (this.#settings !== context.settings || !this.#view) {
      const { settings } = context;
      this.#settings = settings;
      this.#view = {
        localize: settings.localize,
        math: settings.math,
        drawing: (language) => drawingOf(language, settings.artifacts),
        image: (src, alt) => imageOf(src, alt, settings),
        cite: (number) => citationMark(number, this.#context ?? context),
      };
    }
    switch (block.format) {
      case 'text':
        return html`<p dir="auto">${plainWords(source, context)}</p>`;
      case 'html':
        return html`<agent-chat-html dir="auto" .source=${withoutMarks(source)} .view=${this.#view}></agent-chat-html>`;
      default:
        return markdown(source, this.#view, { growing: context.growing });
    }
  }
}
const words = directive(Words);

const plainWords = (source: string, context: RenderContext): readonly unknown[] =>
  splitMarks(source).map((piece) => (typeof piece === 'number' ? citationMark(piece, context) : growingText(piece)));

/** A citation behind the words it is for: its number, named for those who don't see where it points. */
function citationMark(number: number, { message, settings, act }: RenderContext): TemplateResult {
  const citation = sourcesOf(message)[number - 1]?.citation;
  const title = withoutBidi(citation?.title ?? citation?.url ?? citation?.quote ?? '');
  return html`<button
    type="button"
    class="citation"
    part="citation"
    aria-label=${settings.localize('sources.cite', { number, title })}
    aria-description=${withoutBidi(citation?.quote ?? '') || nothing}
    @click=${() => {
      act('citation', citation);
    }}
  >
    ${number}
  </button>`;
}
