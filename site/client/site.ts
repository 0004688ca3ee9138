/** Script of every page: colour scheme switch, search, copy buttons, collapsible navigation. */
import { load } from './load-script.ts';
import { addSearch } from './search.ts';

const { documentElement: root, body } = document;
const home = body.dataset['root'] ?? './';

const scheme = document.querySelector('#scheme');
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = (): boolean => (root.dataset['scheme'] ?? (systemIsDark.matches ? 'dark' : 'light')) === 'dark';
const showScheme = (): void => scheme?.setAttribute('aria-pressed', String(isDark()));
scheme?.addEventListener('click', () => {
  const next = isDark() ? 'light' : 'dark';
  root.dataset['scheme'] = next;
  localStorage.setItem('scheme', next);
  showScheme();
});
systemIsDark.addEventListener('change', showScheme);
showScheme();

for (const pre of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(pre.textContent.trimEnd()).then(
      () => (button.textContent = 'Copied'),
      () => (button.textContent = 'Not allowed'),
    );
  });
  const box = document.createElement('div');
  box.className = 'code';
  pre.replaceWith(box);
  box.append(pre, button);
}

// The navigation is open beside a wide page, and collapsed above a narrow one.
const side = document.querySelector<HTMLDetailsElement>('#side');
const wide = matchMedia('(min-width: 56rem)');
const fold = (): void => {
  if (side) side.open = wide.matches;
};
wide.addEventListener('change', fold);
fold();
const current = side?.querySelector('[aria-current]');
if (wide.matches && side && current instanceof HTMLElement) side.scrollTop = current.offsetTop - side.clientHeight / 2;

addSearch(home);

declare global {
  /** URL of the widget's code. Its chunks and the artifact page are beside it. */
  var siteScript: string;
}
// A page opened from a disk can't load modules, so it uses one classic script.
globalThis.siteScript = new URL(`${home}assets/chat/chat.js`, location.href).href;
if (body.dataset['widget'] !== undefined)
  load(`${home}assets/${location.protocol === 'file:' ? 'chat.js' : 'chat/chat.js'}`, location.protocol !== 'file:');
