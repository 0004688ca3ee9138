/** What is in the document after an attack, and what it has done to the page. */
import { ALLOWED_ELEMENTS } from '../../../src/safety/allow-list.ts';

/** Attributes of the allow-list, and those that our own templates set. */
const ATTRIBUTES = new Set(
  'title lang dir href target rel alt start reversed type value colspan rowspan align scope span open datetime cite class data-src data-alt tabindex role aria-label aria-sort disabled growing boxes tools frozen'.split(
    ' ',
  ),
);
/** Elements of our own templates, which no attack can name. */
const OWN =
  /^(?:s-image|s-cite|agent-chat-(?:html|rows|code|copy|image)|input|figure|figcaption|button|svg|path|rect|circle|polyline|line|template)$/;
const OWN_CLASS =
  /^(?:prose-group|table-scroll|real-host|task|left|center|right|blocked|muted|picture|)(?: whole)?\s*$/;

/** What says how wide the columns of a table are. */
const MEASURED = 'agent-chat-rows, agent-chat-rows > table, agent-chat-rows > div > table, agent-chat-rows col';
/** What a table gets when it has been in sight for a while. */
const TABLE_TOOLS = 'agent-chat-rows > .table-bar, agent-chat-rows th > button.sort-by';

/** Everything below a place that the allow-list does not know. What our own elements have drawn themselves is theirs. */
export function strangers(place: ParentNode): string[] {
  const found: string[] = [];
  for (const element of place.querySelectorAll('*')) {
    if (element.parentElement?.closest('agent-chat-code, agent-chat-image') || element.closest(TABLE_TOOLS)) continue;
    const { localName } = element;
    if (!ALLOWED_ELEMENTS.has(localName) && !OWN.test(localName)) found.push(`<${localName}>`);
    if (localName === 'img') found.push('<img> that no policy has seen');
    for (const { name, value } of element.attributes) {
      if (name === 'style' && element.matches(MEASURED)) continue;
      if (!ATTRIBUTES.has(name)) found.push(`${localName} ${name}="${value}"`);
      if (name === 'class' && !OWN_CLASS.test(value)) found.push(`${localName} class="${value}"`);
    }
    if (element instanceof HTMLAnchorElement) found.push(...strangersOfLink(element));
  }
  return found;
}

const strangersOfLink = (link: HTMLAnchorElement): string[] =>
  link.hasAttribute('href') &&
  !(
    /^(?:https?|mailto|tel):/.test(link.getAttribute('href') ?? '') &&
    link.target === '_blank' &&
    link.rel === 'noopener noreferrer nofollow'
  )
    ? [link.outerHTML]
    : [];

interface Watch {
  /** What has happened to the page since. */
  harm(): string[];
}

/** Watches the page: nothing may run, load, move or change. */
export function watchPage(): Watch {
  const scope = globalThis as { attacked?: unknown };
  delete scope.attacked;
  const said: string[] = [];
  const { alert, confirm, prompt, open } = window;
  for (const name of ['alert', 'confirm', 'prompt', 'open'] as const)
    Object.assign(window, { [name]: () => said.push(name) });
  const before = [
    location.href,
    document.title,
    document.head.childElementCount,
    document.documentElement.attributes.length,
  ];
  performance.clearResourceTimings();
  return {
    harm() {
      Object.assign(window, { alert, confirm, prompt, open });
      const after = [
        location.href,
        document.title,
        document.head.childElementCount,
        document.documentElement.attributes.length,
      ];
      if ('attacked' in scope) said.push('it has run');
      if (String(after) !== String(before)) said.push(`the page has changed: ${String(after)}`);
      for (const { name } of performance.getEntriesByType('resource'))
        if (!name.startsWith(location.origin) || /\/(?:x|logout)\b/.test(name)) said.push(`loaded ${name}`);
      return said;
    },
  };
}
