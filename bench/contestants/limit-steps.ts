import DOMPurify from 'dompurify';
import { marked } from 'marked';

/** One DOM operation of the limit, and the position in the source text from which it is allowed. */
export type Step =
  | { readonly kind: 'open'; readonly start: number; readonly node: Element }
  | { readonly kind: 'close'; readonly start: number }
  | { readonly kind: 'text'; readonly start: number; readonly end: number; readonly text: string };

/**
 * Returns the DOM of the complete text as steps. Inside a block, the characters of the source are distributed evenly
 * over those of its text.
 */
export function stepsOf(completeText: string): readonly Step[] {
  const steps: Step[] = [];
  let start = 0;
  for (const token of marked.lexer(completeText)) {
    const end = start + token.raw.length;
    const html = marked.parser([token]);
    const fragment = DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true });
    const scale = token.raw.length / Math.max(1, fragment.textContent.length);
    let charactersSoFar = 0;
    const sourcePosition = (): number => Math.min(end, start + charactersSoFar * scale);
    const walk = (parent: Node): void => {
      for (const node of parent.childNodes) {
        if (node instanceof Text) {
          const from = sourcePosition();
          charactersSoFar += node.data.length;
          steps.push({ kind: 'text', start: from, end: sourcePosition(), text: node.data });
        } else if (node instanceof Element) {
          steps.push({ kind: 'open', start: sourcePosition(), node });
          walk(node);
          steps.push({ kind: 'close', start: sourcePosition() });
        }
      }
    };
    walk(fragment);
    start = end;
  }
  return steps;
}
