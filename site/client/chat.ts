/** Script of the pages with a widget. One self-contained classic script, so that they also work from a disk. */
import { AgentChat } from 'agent-chat-element';
import 'agent-chat-element/define';
import { startGallery } from './gallery.ts';
import { startHero } from './hero.ts';
import { startPlayground } from './playground.ts';

/** Follows the colour scheme switch of the page. */
function followScheme(chat: AgentChat): void {
  const follow = (): void => {
    chat.colorScheme = 'auto';
    const { scheme } = document.documentElement.dataset;
    if (scheme === 'light' || scheme === 'dark') chat.colorScheme = scheme;
  };
  new MutationObserver(follow).observe(document.documentElement, { attributeFilter: ['data-scheme'] });
  follow();
}

const hero = document.querySelector('#hero');
if (hero instanceof AgentChat) {
  followScheme(hero);
  startHero(hero);
}
const form = document.querySelector<HTMLFormElement>('#play');
if (form) startPlayground(form);
const gallery = document.querySelector<HTMLFormElement>('#gallery');
if (gallery) startGallery(gallery, followScheme);
