/** The scenes, one at a time: `gallery.html?scene=conversation&theme=messenger&scheme=dark&dir=rtl`. */
import 'agent-chat-element/define';
import { scenes } from './scenes/scenes.ts';
import { showScene } from './scenes/show-scene.ts';

const query = new URLSearchParams(location.search);
const list = document.querySelector('nav');
const selectedScene = scenes.find(({ name }) => name === query.get('scene')) ?? scenes[0];
for (const { name, title } of scenes) {
  const link = document.createElement('a');
  const to = new URLSearchParams(query);
  to.set('scene', name);
  link.href = `?${to.toString()}`;
  link.textContent = title;
  if (name === selectedScene?.name) link.setAttribute('aria-current', 'page');
  list?.append(link);
}
const chat = document.querySelector('agent-chat');
const theme = query.get('theme');
if (theme) chat?.setAttribute('theme', theme);
const { documentElement } = document;
documentElement.dir = query.get('dir') ?? 'ltr';
// The widget's language follows the direction of the page: Arabic for right to left, unless another is requested.
const locale = query.get('locale') ?? (documentElement.dir === 'rtl' ? 'ar' : undefined);
if (locale) chat?.setAttribute('locale', locale);
documentElement.dataset['theme'] = query.get('scheme') ?? 'auto';
documentElement.toggleAttribute('data-bare', query.has('bare'));
if (selectedScene) await showScene(selectedScene);
documentElement.dataset['shown'] = 'yes';
