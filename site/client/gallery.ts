/** Shows the scenes of the tests, one at a time, in any theme and language. */
import { AgentChat } from 'agent-chat-element';
import { scenes } from '../../demo/scenes/scenes.ts';
import { showScene } from '../../demo/scenes/show-scene.ts';

const FIELDS = ['scene', 'theme', 'locale', 'width'] as const;

export function startGallery(form: HTMLFormElement, follow: (chat: AgentChat) => void): void {
  const stage = document.querySelector('#stage');
  const [scene, theme, locale, width] = FIELDS.map((name) => form.elements.namedItem(name));
  if (!stage || !(scene instanceof HTMLSelectElement) || !(theme instanceof HTMLSelectElement)) return;
  if (!(locale instanceof HTMLSelectElement) || !(width instanceof HTMLSelectElement)) return;
  scene.append(...scenes.map(({ name, title }) => new Option(title, name)));
  const named = new Intl.DisplayNames('en', { type: 'language' });
  for (const name of ['en', ...AgentChat.locales.list().filter((one) => one !== 'en')])
    locale.append(new Option(named.of(name), name));

  const restore = (): void => {
    const kept = new URLSearchParams(location.hash.slice(1));
    for (const field of [scene, theme, locale, width]) {
      const wanted = kept.get(field.name) ?? '';
      field.value = [...field.options].some(({ value }) => value === wanted) ? wanted : (field.options[0]?.value ?? '');
    }
  };
  /** Each scene has its own widget, so that no state carries over. */
  const show = (): void => {
    const wanted = scenes.find(({ name }) => name === scene.value);
    if (!wanted) return;
    const chat = document.createElement('agent-chat');
    follow(chat);
    if (theme.value) chat.setAttribute('theme', theme.value);
    chat.locale = locale.value;
    if (locale.value === 'ar') chat.dir = 'rtl';
    if (width.value) chat.style.inlineSize = `${width.value}px`;
    stage.replaceChildren(chat);
    // Another scene may be selected before this one has loaded.
    showScene(wanted).catch(() => undefined);
  };
  form.addEventListener('change', () => {
    const kept = new URLSearchParams();
    for (const { name, value } of [scene, theme, locale, width]) if (value) kept.set(name, value);
    history.replaceState(undefined, '', `#${kept.toString()}`);
    show();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  addEventListener('hashchange', () => {
    restore();
    show();
  });
  restore();
  show();
}
