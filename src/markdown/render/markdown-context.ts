import type { TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import type { LoadDiagram } from '../../primitives/code/code-tools.ts';
import type { TextAround } from '../../safety/displayed-text.ts';

/** The context of a Markdown text: its language, images and citations. */
export interface MarkdownView {
  readonly localize: Localize;
  /** Whether formulas are rendered. */
  readonly math?: boolean;
  /** Returns the loader of a diagram renderer for a code language, if there is one. */
  diagramLoader?(language: string): LoadDiagram | undefined;
  /** Renders an image or its placeholder. */
  image(src: string, alt: string): TemplateResult;
  /** Splits a text without citation placeholders at the citation marks that the model has written, such as `[1]`. */
  references?: ((text: string) => readonly (string | number)[]) | undefined;
  /** Limits the combining marks on a letter, across texts that follow each other in a line. Default: in each text separately. */
  readonly limitAccents?: (text: string) => string;
  /** The text before and after inline content. */
  readonly around?: TextAround;
  /** Renders a citation mark by its number. */
  cite?(number: number): TemplateResult;
}
