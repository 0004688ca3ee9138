import { html, nothing, type TemplateResult } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import {
  CitationText,
  splitCitationPlaceholders,
  stripCitationPlaceholders,
} from '../../markdown/parse/citation-placeholders.ts';
import { markdown } from '../../markdown/markdown-directive.ts';
import { HTML_ANSWER, renderedHtmlEnd } from '../../markdown/parse/html-limit.ts';
import type { MarkdownView } from '../../markdown/render/markdown-context.ts';
import type { BlockOf } from '../../model/blocks.ts';
import { limitAccents } from '../../limit-accents.ts';
import { isText } from '../../model/message-text.ts';
import { streamingText } from '../../primitives/patch-text.ts';
import { withoutInvisible } from '../../safety/urls.ts';
import { artifactCard } from '../artifacts/artifact-card.ts';
import { diagramLoaderFor } from '../artifacts/load-diagram.ts';
import { imageOf } from '../media/policy-image.ts';
import { PLAIN_TEXT, restOf, shownStart, wholeStart } from '../core/long-text.ts';
import { defineRenderer, type RenderContext, type ViewSettings } from '../core/renderer.ts';
import { citationsOf, numberedSources, sourceName, sourceNumber, collectSources } from './citations.ts';
import { splitCitationMarks, withoutIncompleteMark } from './find-citation-marks.ts';
import { isLate } from './late-texts.ts';

/** The text of a message, with `aria-busy` while it streams. */
export const content = defineRenderer({
  type: 'content',
  getProps: (block, context) => ({ block, context }),
  component: ({ block, context }) => {
    if (block.artifact) return artifactCard(block.artifact, block.content, context);
    const { growing } = context;
    return html`<div
      part="block block-content"
      class="prose ${block.format === 'text' ? 'plain' : ''}"
      aria-busy=${growing ? 'true' : nothing}
    >
      ${messageText(block, context)}
    </div>`;
  },
});

/** How many characters of a block are rendered at first: the message's limit minus the length of the blocks before it. */
function roomFor(block: BlockOf<'content'>, { message, settings }: RenderContext): number {
  let room = settings.limits.shownLength ?? Infinity;
  for (const other of message.blocks) {
    if (other.id === block.id) break;
    if (other.type === 'content' && isText(other.content)) room -= other.content.length;
  }
  return Math.max(0, room);
}

/** The citation marks of a block: the offsets after which they follow, and the numbers that they show. */
function citationMarksOf(block: BlockOf<'content'>, { message }: RenderContext): { end: number; number: number }[] {
  return citationsOf(block).flatMap((citation) =>
    citation.end === undefined ? [] : [{ end: citation.end, number: sourceNumber(message, citation) }],
  );
}

/**
 * One text of the transcript. The parser options stay the same object from token to token, because a new object would
 * cause a full re-render.
 */
class TextDirective extends AsyncDirective {
  readonly #text = new CitationText();
  #context: RenderContext | undefined;
  #settings: ViewSettings | undefined;
  #view: MarkdownView | undefined;
  /** The sources that numbers in the text refer to. */
  #numbers: readonly number[] = [];
  /** The lowest number in the text without a source. If there is one, a new source renders the text again. */
  #missing = Infinity;
  /** The number of sources at the last complete rendering. */
  #rendered = 0;
  /** Whether the user asked for the complete text. */
  #all = false;

  render(block: BlockOf<'content'>, context: RenderContext): unknown {
    const room = this.#all ? Infinity : roomFor(block, context);
    const cut = block.content.length > room;
    const visible = cut ? { ...block, content: wholeStart(block.content, room) } : block;
    // The same template for both cases, so that the existing nodes stay when the limit is reached.
    return html`${this.#renderText(visible, context)}${cut ? this.#showMore(block, context) : nothing}`;
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

  #renderText(block: BlockOf<'content'>, context: RenderContext): unknown {
    const before = this.#numbers.length;
    this.#numbers = numberedSources(context.message);
    const count = this.#numbers.length;
    const isHeld = context.growing && count > 0;
    const source = this.#text.update(
      isHeld ? withoutIncompleteMark(block.content) : block.content,
      citationMarksOf(block, context),
    );
    this.#context = context;
    // Sources may arrive one by one: rendering the text again for each would take quadratic time.
    const isDue = context.message.status !== 'streaming' || count >= 2 * this.#rendered;
    const hasChanged = (isDue && count >= this.#missing) || count < before;
    if (this.#settings !== context.settings || !this.#view || hasChanged) {
      const { settings } = context;
      this.#settings = settings;
      this.#rendered = count;
      this.#missing = Infinity;
      this.#view = {
        localize: settings.localize,
        math: settings.math,
        diagramLoader: (language) => diagramLoaderFor(language, settings.artifacts),
        image: (src, alt) => imageOf(src, alt, settings),
        references: (text) => this.#splitCitationMarks(text),
        cite: (number) => citationMark(number, this.#context ?? context),
      };
    }
    switch (block.format) {
      case 'text': {
        const start = shownStart(source, PLAIN_TEXT);
        const shown = plainText(start, context, (text) => this.#splitCitationMarks(text));
        // No whitespace around the text, because the paragraph preserves it.
        return html`<p dir="auto" class=${context.growing ? 'growing' : nothing}>${shown}</p>
          ${restOf(source, start.length, context.settings.localize)}`;
      }
      case 'html':
        return htmlText(stripCitationPlaceholders(source), this.#view);
      default:
        return markdown(source, this.#view, { growing: context.growing, isLate });
    }
  }

  #splitCitationMarks(text: string): readonly (string | number)[] {
    return splitCitationMarks(text, this.#numbers, (number) => {
      this.#missing = Math.min(this.#missing, number);
    });
  }
}
const messageText = directive(TextDirective);

/** HTML up to its limit: the sanitizer and the layout take time for each element, so that 200,000 would freeze the page. */
function htmlText(source: string, view: MarkdownView): TemplateResult {
  const end = renderedHtmlEnd(source, HTML_ANSWER);
  return html`<agent-chat-html dir="auto" .source=${source.slice(0, end)} .view=${view}></agent-chat-html
    >${restOf(source, end, view.localize)}`;
}

const plainText = (
  source: string,
  context: RenderContext,
  references: (text: string) => readonly (string | number)[],
): readonly unknown[] =>
  splitCitationPlaceholders(source)
    .flatMap((part) => (typeof part === 'string' ? references(part) : [part]))
    .map((part) => (typeof part === 'number' ? citationMark(part, context) : streamingText(limitAccents(part))));

/** A citation mark after the cited text: its number, with the title of the source as its accessible name. */
function citationMark(number: number, { message, settings, act }: RenderContext): TemplateResult {
  const citation = collectSources(message)[number - 1]?.citation;
  const title = citation ? sourceName(citation) : '';
  return html`<button
    type="button"
    class="citation"
    part="citation"
    aria-label=${settings.localize('sources.cite', { number, title })}
    aria-description=${withoutInvisible(citation?.quote ?? '') || nothing}
    @click=${() => {
      act('citation', citation);
    }}
  >
    ${number}
  </button>`;
}
