import { expect, waitUntil } from '@open-wc/testing';
import { showBlock } from '../support/show.ts';

const surface = (component: string) => ({
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
          {
            id: 'media',
            component,
            url: { call: 'formatString', args: { value: 'https://media.example/?${/name}' } },
          },
          { id: 'field', component: 'TextField', label: 'Name', value: { path: '/name' } },
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
      const { element } = await showBlock({ type: 'ui', ui: surface(component) }, { selector: 'agent-chat-surface' });
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
});
