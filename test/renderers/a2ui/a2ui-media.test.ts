import { expect, waitUntil } from '@open-wc/testing';
import { showBlock } from '../support/show.ts';

const ADDRESS = 'https://media.example/?${/name}';
/** An image that exists. */
const THERE = `${location.origin}/demo/icon.svg?`;
const formatted = (value: string) => ({ call: 'formatString', args: { value } });
const surface = (media: object, field: object = { component: 'TextField' }) => ({
  kind: 'a2ui',
  messages: [
    { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'basic' } },
    { version: 'v0.9', updateDataModel: { surfaceId: 's', path: '/', value: { name: '' } } },
    {
      version: 'v0.9',
      updateComponents: {
        surfaceId: 's',
        components: [
          { id: 'root', component: 'Column', children: ['media', 'field'] },
          { id: 'media', ...media },
          { id: 'field', label: 'Name', value: { path: '/name' }, ...field },
        ],
      },
    },
  ],
});

describe('rule 76: an A2UI surface whose media has an address with what the user types', () => {
  for (const [component, tag] of [
    ['Video', 'video'],
    ['AudioPlayer', 'audio'],
  ] as const) {
    it(`sends no key of a form to the host of a loaded ${tag}`, async () => {
      const { element } = await showBlock(
        { type: 'ui', ui: surface({ component, url: formatted(ADDRESS) }) },
        { selector: 'agent-chat-surface' },
      );
      await waitUntil(() => element.querySelector('input') !== null);
      const load = [...element.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Load'));
      load?.click();
      await waitUntil(() => element.querySelector(tag) !== null);
      const input = element.querySelector('input');
      if (!input) throw new Error('There is no field.');
      input.value = 'S';
      input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      await waitUntil(() => element.querySelector(tag) === null);
      expect(element.querySelectorAll('[src*="S"]')).to.have.length(0);
    });
  }

  const image = { component: 'Image', url: formatted(`${THERE}\${/name}`) };
  for (const { name, media, typed, selector } of [
    { name: 'an image', media: image, typed: 'S', selector: 'img' },
    {
      name: 'a video',
      media: { component: 'Video', url: formatted(`${THERE}\${/name}`) },
      typed: 'S',
      selector: 'video',
    },
  ])
    it(`sends no key of a form to a listed host before the user loads it: ${name}`, async () => {
      const { element } = await showBlock(
        { type: 'ui', ui: surface(media) },
        { selector: 'agent-chat-surface', settings: { imageHosts: 'self' } },
      );
      await waitUntil(() => element.querySelector('input') !== null);
      await waitUntil(() => element.querySelector(selector) !== null, 'it is loaded');
      const input = element.querySelector('input');
      if (!input) throw new Error('There is no field.');
      input.value = typed;
      input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      const load = (): HTMLButtonElement | undefined =>
        [...element.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Load'));
      await waitUntil(() => load() !== undefined, 'it waits for the user');
      expect(element.querySelectorAll('[src*="S"]')).to.have.length(0);
      load()?.click();
      await waitUntil(() => element.querySelector(`${selector}[src*="S"]`) !== null);
    });

  it('sends no text that the user has typed to a listed host when they choose an option with it', async () => {
    const ui = surface({ component: 'Image', url: formatted(`${THERE}\${/chosen/0}`) });
    const options = [
      { label: 'Mine', value: { path: '/name' } },
      { label: 'Other', value: 'o' },
    ];
    const choice = { id: 'choice', component: 'ChoicePicker', options, value: { path: '/chosen' } };
    const more = [{ id: 'root', component: 'Column', children: ['media', 'field', 'choice'] }, choice];
    const messages = [...ui.messages, { version: 'v0.9', updateComponents: { surfaceId: 's', components: more } }];
    const { element } = await showBlock(
      { type: 'ui', ui: { ...ui, messages } },
      { selector: 'agent-chat-surface', settings: { imageHosts: 'self' } },
    );
    await waitUntil(() => element.querySelector('img') !== null, 'it is loaded');
    const [input, , other] = element.querySelectorAll('input');
    if (!input || !other) throw new Error('There are no fields.');
    input.value = 'S';
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    other.click();
    await waitUntil(() => element.querySelector('img[src$="?o"]') !== null, 'a value of the agent is loaded');
    // An option with another value is another one.
    [...element.querySelectorAll('input')][1]?.click();
    await waitUntil(() =>
      [...element.querySelectorAll('button')].some(({ textContent }) => textContent.includes('Load')),
    );
    expect(element.querySelectorAll('[src*="S"]')).to.have.length(0);
  });

  for (const { name, text, typed } of [
    { name: 'an image', text: formatted(`![](${THERE}\${/name})`), typed: 'S' },
    { name: 'an image that the user types', text: { path: '/name' }, typed: `![](${THERE}S)` },
  ])
    it(`shows a text of a form as it is, with ${name}`, async () => {
      const { element } = await showBlock(
        { type: 'ui', ui: surface({ component: 'Text', text }) },
        { selector: 'agent-chat-surface', settings: { imageHosts: 'self' } },
      );
      await waitUntil(() => element.querySelector('input') !== null);
      const input = element.querySelector('input');
      if (!input) throw new Error('There is no field.');
      input.value = typed;
      input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      await waitUntil(() => element.textContent.includes(`![](${THERE}S)`));
      expect(element.querySelectorAll('img')).to.have.length(0);
    });

  it('loads what the user chooses among values of the agent', async () => {
    const { element } = await showBlock(
      { type: 'ui', ui: surface(image, { component: 'CheckBox' }) },
      { selector: 'agent-chat-surface', settings: { imageHosts: 'self' } },
    );
    await waitUntil(() => element.querySelector('img') !== null);
    element.querySelector('input')?.click();
    await waitUntil(() => element.querySelector('img[src$="?true"]') !== null);
  });
});
