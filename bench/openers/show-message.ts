import DOMPurify from 'dompurify';
import { marked } from 'marked';
import type { Message } from '../corpora/conversation.ts';

/** Renders a message like a page that uses marked and DOMPurify. */
export function showMessage({ role, text }: Message): HTMLElement {
  const article = document.createElement('article');
  article.className = role;
  article.append(DOMPurify.sanitize(marked.parse(text, { async: false }), { RETURN_DOM_FRAGMENT: true }));
  return article;
}
