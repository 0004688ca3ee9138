import type { TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import type { LoadDrawing } from '../primitives/code-tools.ts';

/** What the words around a text decide: its language, its pictures, its citations. */
export interface MarkdownView {
  readonly localize: Localize;
  /** Formulas are drawn. */
  readonly math?: boolean;
  /** What draws code of a language, where code is the source of a drawing. */
  drawing?(language: string): LoadDrawing | undefined;
  /** How a picture is shown, or what stands in its place. */
  image(src: string, alt: string): TemplateResult;
  /** The mark of a citation, by its number. */
  cite?(number: number): TemplateResult;
}
