/** Checks the document after an attack, and what the attack has done to the page. */
import { ALLOWED_ELEMENTS } from '../../../src/safety/allowed-html.ts';

/** Attributes of the allow-list, and those that the widget's templates set. */
const ATTRIBUTES = new Set(
  'title lang dir href target rel alt start reversed type value colspan rowspan align scope span open datetime cite class data-src data-alt data-note tabindex role aria-label aria-sort disabled growing boxes tools frozen translate'.split(
    ' ',
  ),
);
/** Elements of the widget's templates, which no attack can name. */
const OWN =
  /^(?:s-image|s-cite|agent-chat-(?:html|rows|code|copy|image|rest)|input|figure|figcaption|button|svg|path|rect|circle|polyline|line|template)$/;
const OWN_CLASS =
  /^(?:prose-group|table-scroll|real-host|task|long|left|center|right|blocked|muted|picture|)(?: whole| growing)?\s*$/;

/** Elements that set the width of table columns. */
const MEASURED = 'agent-chat-rows, agent-chat-rows > table, agent-chat-rows > div > table, agent-chat-rows col';
/** The toolbar that a table gets after it has been visible for a while. */
const TABLE_TOOLS = 'agent-chat-rows > .table-bar, agent-chat-rows th > button.sort-by';

/** All elements below a node that are not on the allow-list. The content of the widget's own elements is skipped. */
export function strangers(place: ParentNode): string[] {
  const unexpected: string[] = [];
  for (const element of place.querySelectorAll('*')) {
    if (
      element.parentElement?.closest('agent-chat-code, agent-chat-image, agent-chat-rest') ||
      element.closest(TABLE_TOOLS)
    )
      continue;
    const { localName } = element;
    if (!ALLOWED_ELEMENTS.has(localName) && !OWN.test(localName)) unexpected.push(`<${localName}>`);
    if (localName === 'img') unexpected.push('<img> that no policy has seen');
    for (const { name, value } of element.attributes) {
      if (name === 'style' && element.matches(MEASURED)) continue;
      if (!ATTRIBUTES.has(name)) unexpected.push(`${localName} ${name}="${value}"`);
      if (name === 'class' && !OWN_CLASS.test(value)) unexpected.push(`${localName} class="${value}"`);
    }
    if (element instanceof HTMLAnchorElement) unexpected.push(...strangersOfLink(element));
  }
  return unexpected;
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
  /** The changes to the page since the watch began. */
  harm(): string[];
}

/** Watches the page: nothing may run, load, move or change. */
export function watchPage(): Watch {
  const scope = globalThis as { attacked?: unknown };
  delete scope.attacked;
  const problems: string[] = [];
  const { alert, confirm, prompt, open } = window;
  for (const name of ['alert', 'confirm', 'prompt', 'open'] as const)
    Object.assign(window, { [name]: () => problems.push(name) });
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
      if ('attacked' in scope) problems.push('it has run');
      if (String(after) !== String(before)) problems.push(`the page has changed: ${String(after)}`);
      for (const { name } of performance.getEntriesByType('resource'))
        if (!name.startsWith(location.origin) || /\/(?:x|logout)\b/.test(name)) problems.push(`loaded ${name}`);
      return problems;
    },
  };
}
