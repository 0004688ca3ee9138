/** Runs in the page: renders text of a stream as Markdown, incrementally and complete, and as untrusted HTML. */
import '../src/markdown.ts';
import { sanitizeHtml } from '../src/safety/sanitize.ts';

/** @returns the invariant that fails, or undefined */
export async function show(text: string): Promise<string | undefined> {
  const grown = document.createElement('agent-chat-markdown');
  const whole = document.createElement('agent-chat-markdown');
  document.body.replaceChildren(grown, whole);
  const step = Math.max(1, Math.ceil(text.length / 7));
  for (let at = 0; at < text.length; at += step) {
    grown.write(text.slice(at, at + step));
    await new Promise(requestAnimationFrame);
  }
  await grown.end();
  whole.text = text;
  await whole.updateComplete;
  await new Promise(requestAnimationFrame);
  const root = grown.shadowRoot;
  const bad = root?.querySelector(
    'script, style:not([data-own]), iframe, object, embed, link, meta, base, [onerror], [onload], [onclick]',
  );
  if (bad) return `Markdown lets through: ${bad.outerHTML.slice(0, 200)}`;
  const once = markup(sanitizeHtml(text).nodes);
  const twice = markup(sanitizeHtml(once).nodes);
  // The real host is added beside each link whose text names another host.
  if (once !== twice && !once.includes('real-host'))
    return `Sanitised twice it is something else:\n${once.slice(0, 500)}\n${twice.slice(0, 500)}`;
  return undefined;
}

function markup(fragment: DocumentFragment): string {
  const holder = document.createElement('div');
  holder.append(fragment);
  return holder.innerHTML;
}
