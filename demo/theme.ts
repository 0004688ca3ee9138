/** The theme builder: controls whose state is in the URL, a widget with the theme, and the CSS to copy. */
import { AgentChat } from 'agent-chat-element';
import 'agent-chat-element/define';
import { conversation } from './scenes/conversations.ts';
import { restore, toQuery } from './settings.ts';
import { contrastOf, themeCss, tokensOf } from './theme-css.ts';

function find<Type extends Element>(selector: string, type: new () => Type): Type {
  const element = document.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`The page has no ${selector}.`);
  return element;
}

const form = find('#form', HTMLFormElement);
const chat = find('agent-chat', AgentChat);
const code = find('#css', HTMLElement);
const copy = find('#copy', HTMLButtonElement);

function show(): void {
  const data = new FormData(form);
  const word = (name: string): string => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  document.documentElement.dataset['theme'] = word('scheme');
  const attributes = { theme: word('theme'), density: word('density') };
  for (const [name, value] of Object.entries(attributes)) {
    if (value) chat.setAttribute(name, value);
    else chat.removeAttribute(name);
  }
  const tokens = tokensOf(form);
  for (const name of [...chat.style]) if (!tokens.has(name)) chat.style.removeProperty(name);
  for (const [name, value] of tokens) chat.style.setProperty(name, value);

  for (const output of form.querySelectorAll('output')) {
    const control = form.elements.namedItem(output.htmlFor.value);
    if (control instanceof HTMLInputElement) output.textContent = control.value + (control.dataset['unit'] ?? '');
  }
  const [light, dark] = [contrastOf(word('ink'), word('paper')), contrastOf(word('ink-dark'), word('paper-dark'))];
  const enough = Math.min(light, dark) >= 4.5 ? '' : ' Less than 4.5 is hard to read.';
  find('#contrast', HTMLElement).textContent =
    `Ink on paper: ${light.toFixed(1)} : 1 light, ${dark.toFixed(1)} : 1 dark.${enough} The accent looks after itself.`;
  code.textContent = themeCss(attributes, tokens);
  const query = toQuery(form);
  history.replaceState(undefined, '', query ? `?${query}` : location.pathname);
}

form.addEventListener('input', show);
form.addEventListener('submit', (event) => {
  event.preventDefault();
});
form.addEventListener('reset', () => {
  // Form controls are restored only after this event.
  setTimeout(show);
});
copy.addEventListener('click', () => {
  const done = (words: string) => (): void => {
    copy.textContent = words;
    setTimeout(() => (copy.textContent = 'Copy'), 1500);
  };
  navigator.clipboard.writeText(code.textContent).then(done('Copied'), done('Copy failed'));
});

restore(form, new URLSearchParams(location.search));
chat.messages = conversation;
show();
