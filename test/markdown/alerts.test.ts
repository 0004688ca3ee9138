import { expect } from '@open-wc/testing';
import { createLocalize } from '../../src/locales/localize.ts';
import { grown, outline, show, view, wordsOf } from './support/show.ts';

const kinds = ['note', 'tip', 'important', 'warning', 'caution'] as const;
const letters = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1));

describe('alerts', () => {
  for (const kind of kinds)
    it(`${kind}: a note with its label, an icon and its content`, () => {
      const text = `> [!${kind.toUpperCase()}]\n> Some **bold** words.\n>\n> - item\n\nafter`;
      const { place } = show(text);
      const alert = place.querySelector(`.alert.${kind}[role=note]`);
      expect(alert?.querySelector('.alert-name > agent-chat-alert-icon')).to.not.equal(null);
      expect(alert?.querySelector('.alert-name')?.textContent).to.equal(view.localize(`alert.${kind}`));
      expect(alert?.querySelector('p:not(.alert-name)')?.textContent).to.equal('Some bold words.');
      expect(alert?.querySelector('li')?.textContent).to.equal('item');
      expect(place.querySelector('blockquote')).to.equal(null);
      expect(outline(grown(letters(text), text))).to.equal(outline(place));
    });

  it('shows no marker while it is streaming', () => {
    const text = '> [!WARNING]\n> Take care.';
    const { place, update } = show('', true);
    for (const beginning of letters(text)) {
      update(beginning, true);
      expect(wordsOf(place), beginning).to.not.match(/[[\]!>]|WARN/);
    }
  });

  it('may begin on the line of its marker', () => {
    const { place } = show('> [!tip] Do *this*.');
    expect(place.querySelector('.alert.tip p:not(.alert-name)')?.textContent).to.equal('Do this.');
  });

  it('has its label in the language of the page', () => {
    const { place } = show('> [!NOTE]\n> a', false, {
      ...view,
      localize: createLocalize('en', { 'alert.note': 'Hinweis' }),
    });
    expect(place.querySelector('.alert-name')?.textContent).to.equal('Hinweis');
  });

  for (const text of [
    '> [!OTHER]\n> a',
    '> a\n> [!NOTE]',
    '> [!NOTE](https://a.example)',
    '[!NOTE]\na',
    '> \\[!NOTE]\n> a',
  ])
    it(`is not an alert: ${JSON.stringify(text)}`, () => {
      expect(show(text).place.querySelector('.alert')).to.equal(null);
    });

  it('renders its icon when the module is loaded', async () => {
    const { place } = show('> [!CAUTION]\n> a');
    await customElements.whenDefined('agent-chat-alert-icon');
    const icon = place.querySelector('agent-chat-alert-icon');
    await (icon as unknown as { updateComplete: Promise<boolean> }).updateComplete;
    expect(icon?.querySelector('svg path')).to.not.equal(null);
  });

  it('writes the alt text of an image without its marks', () => {
    const { place } = show('![foo *bar* `x` [c](/d) &amp;](/src)');
    expect(place.querySelector('s-image')?.getAttribute('data-alt')).to.equal('foo bar x c &');
  });
});
