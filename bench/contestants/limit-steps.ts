import DOMPurify from 'dompurify';
import { marked } from 'marked';

/** One thing that the limit does, and the place in the source text at which it may. */
export type Step =
  | { readonly kind: 'open'; readonly start: number; readonly node: Element }
  | { readonly kind: 'close'; readonly start: number }
  | { readonly kind: 'text'; readonly start: number; readonly end: number; readonly text: string };

/** The whole text's DOM as steps. Inside a block, characters of the source are shared out evenly over those of its text. */
export function stepsOf(whole: string): readonly Step[] {
  const steps: Step[] = [];
  let start = 0;
  for (const token of marked.lexer(whole)) {
    const end = start + token.raw.length;
    const html = marked.parser([token]);
    const fragment = DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true });
    const scale = token.raw.length / Math.max(1, fragment.textContent.length);
    let seen = 0;
    const place = (): number => Math.min(end, start + seen * scale);
    const walk = (parent: Node): void => {
      for (const node of parent.childNodes) {
        if (node instanceof Text) {
          const from = place();
          seen += node.data.length;
          steps.push({ kind: 'text', start: from, end: place(), text: node.data });
        } else if (node instanceof Element) {
          steps.push({ kind: 'open', start: place(), node });
          walk(node);
          steps.push({ kind: 'close', start: place() });
        }
      }
    };
    walk(fragment);
    start = end;
  }
  return steps;
}
