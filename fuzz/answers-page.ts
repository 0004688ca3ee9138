/** Runs in the page: compares our elements for an answer with those of remark, whole and at random cuts. */
import { html, render } from 'lit';
import { createLocalize } from '../src/locales/localize.ts';
import { markdown } from '../src/markdown/markdown-directive.ts';
import type { MarkdownView } from '../src/markdown/render/markdown-context.ts';
import { renderAllSlices } from '../src/markdown/time-slices.ts';
import '../src/markdown.ts';
import { withAbsoluteAddresses } from '../test/markdown/support/absolute.ts';
import { canonicalOfHtml, canonicalOfOurs } from '../test/markdown/support/canonical.ts';
import { referenceHtml } from '../test/markdown/support/remark.ts';
import { randomFrom } from './random.ts';

export interface Difference {
  /** Why it is on purpose; undefined if it is not. */
  readonly reason: string | undefined;
  readonly detail: string;
}

const plain: MarkdownView = {
  localize: createLocalize('en'),
  image: (src, alt) => html`<s-image data-src=${src} data-alt=${alt}></s-image>`,
};

function elementsOf(beginnings: readonly string[], text: string, math = false): string {
  const view = { ...plain, math };
  const container = document.createElement('div');
  document.body.append(container);
  for (const [index, source] of [...beginnings, text].entries()) {
    render(html`${markdown(source, view, { growing: index < beginnings.length })}`, container);
    renderAllSlices();
  }
  const canonical = canonicalOfOurs(container);
  container.remove();
  return canonical;
}

/** Compares one text. `seed`: of the cuts. */
export function compare(text: string, seed: number): Difference | undefined {
  const random = randomFrom(seed);
  const beginnings: string[] = [];
  for (let length = 0; length < text.length; length += 1 + random.below(40)) beginnings.push(text.slice(0, length));
  const whole = elementsOf([], text);
  const grown = elementsOf(beginnings, text);
  if (whole !== grown) return { reason: undefined, detail: firstDifference(grown, whole, 'grown', 'whole') };
  if (/\$|\\[([]/.test(text)) {
    const [wholeMath, grownMath] = [elementsOf([], text, true), elementsOf(beginnings, text, true)];
    if (wholeMath !== grownMath)
      return { reason: undefined, detail: firstDifference(grownMath, wholeMath, 'grown, math', 'whole, math') };
  }
  const expected = canonicalOfHtml(referenceHtml(text));
  return whole === expected
    ? undefined
    : { reason: reasonOf(text), detail: firstDifference(whole, expected, 'ours', 'remark') };
}

/** Compares an example of a specification. `isGrowing`: the text that grows a character at a time ends differently. */
export function compareExample(
  text: string,
  html: string,
): { readonly isGrowing: boolean; readonly detail: string } | undefined {
  const beginnings = Array.from({ length: text.length }, (_, index) => text.slice(0, index));
  // Relative addresses are not allowed; the absolute ones are.
  for (const adapt of [String, withAbsoluteAddresses]) {
    const [source, expected] = [adapt(text), canonicalOfHtml(adapt(html))];
    const whole = elementsOf([], source);
    if (whole !== expected)
      return { isGrowing: false, detail: firstDifference(whole, expected, 'ours', 'specification') };
    const grown = elementsOf(adapt === String ? beginnings : [], source);
    if (whole !== grown) return { isGrowing: true, detail: firstDifference(grown, whole, 'grown', 'whole') };
    // An address in the text would become a link.
    if (!html.includes('href="/') || /(?<!href=")https:\/\/e\.co/.test(withAbsoluteAddresses(html))) return undefined;
  }
  return undefined;
}

const FENCED = /^([ \t>]*)(`{3,}|~{3,})[\s\S]*?(?:^\1[ \t]*\2|(?![\s\S]))/gm;

/** The reason for an intended difference, if there is one. */
function reasonOf(text: string): string | undefined {
  const prose = text.replace(FENCED, '');
  if (/<(?:script|style|title|textarea|iframe)\b/i.test(prose))
    return 'what is dropped with its content ends with its block';
  if (/^ {0,3}> \[!/m.test(prose)) return 'an alert';
  if (/\[\^[^\s[\]]+\]/.test(prose)) return 'a footnote has its own form';
  return undefined;
}

function firstDifference(one: string, two: string, nameOfOne: string, nameOfTwo: string): string {
  const [ours, theirs] = [one.split('\n'), two.split('\n')];
  const at = ours.findIndex((line, index) => line !== theirs[index]);
  const from = Math.max(0, at < 0 ? ours.length - 3 : at - 3);
  const part = (lines: readonly string[]): string =>
    lines
      .slice(from, from + 10)
      .map((line) => `    ${line.slice(0, 300)}`)
      .join('\n');
  return `  ${nameOfOne}:\n${part(ours)}\n  ${nameOfTwo}:\n${part(theirs)}`;
}
